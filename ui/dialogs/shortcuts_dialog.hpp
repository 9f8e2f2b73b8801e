// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/actions.hpp"

namespace splitscope::ui {

/// All commands with their shortcuts, from the action registry.
class ShortcutsDialog : public QDialog {
    Q_OBJECT
 public:
    ShortcutsDialog(const ActionRegistry& actions, const Theme& theme, QWidget* parent);
};

}  // namespace splitscope::ui
