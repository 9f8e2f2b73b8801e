// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QTranslator>

#include "ui/settings.hpp"

namespace splitscope::ui {

/// Sets the language of all windows created during its lifetime; the source language is English.
class Translation {
 public:
    /// `system`: Chinese on a Chinese desktop, else English. Requires an application.
    explicit Translation(Language language);
    ~Translation();
    Translation(const Translation&) = delete;
    Translation& operator=(const Translation&) = delete;

 private:
    QTranslator own_;
    QTranslator of_qt_;  ///< standard dialogs, if the system has the translation
};

}  // namespace splitscope::ui
