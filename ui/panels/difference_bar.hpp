// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>

#include "ui/document/document.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// Effects of the last edit: splits, copies, bytes, peaks. Hidden before the first edit.
class DifferenceBar : public QFrame {
    Q_OBJECT
 public:
    DifferenceBar(Document& document, const Theme& theme, QWidget* parent = nullptr);
    QString text() const;

 private:
    void show_difference();

    Document& document_;
    const Theme& theme_;
    QLabel* text_;
};

}  // namespace splitscope::ui
