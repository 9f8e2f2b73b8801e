// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QTranslator>

#include "ui/settings.hpp"

namespace splitscope::ui {

/// The language of the windows that are made while this exists; English is the language of the source.
class Translation {
 public:
    /// `system` is Chinese where the user's desktop is, else English. The application must exist.
    explicit Translation(Language language);
    ~Translation();
    Translation(const Translation&) = delete;
    Translation& operator=(const Translation&) = delete;

 private:
    QTranslator own_;
    QTranslator of_qt_;  ///< buttons of standard dialogs, where the system has them
};

}  // namespace splitscope::ui
