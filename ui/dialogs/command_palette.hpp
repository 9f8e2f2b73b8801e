// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QLineEdit>
#include <QListWidget>

#include "ui/actions.hpp"

namespace splitscope::ui {

/// Finds and runs a command by typing part of its name.
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

/// Whether all words of `needle` occur in `text`, in any order, case-insensitively.
bool matches_words(const QString& text, const QString& needle);

}  // namespace splitscope::ui
