// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QLineEdit>
#include <QListWidget>

#include "ui/actions.hpp"

namespace splitscope::ui {

/// Type a few letters of any command and press Enter.
class CommandPalette : public QDialog {
    Q_OBJECT
 public:
    CommandPalette(const ActionRegistry& actions, QWidget* parent);

 protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    void filter();
    void run_current();

    const ActionRegistry& actions_;
    QLineEdit* text_;
    QListWidget* list_;
};

/// All words of `needle` occur in `text`, in any order and case.
bool matches_words(const QString& text, const QString& needle);

}  // namespace splitscope::ui
