// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QString>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <vector>

#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// Key sequences from portable names such as "Ctrl+O".
QList<QKeySequence> keys(std::initializer_list<const char*> names);

/// Groups of commands, in display order.
enum class ActionGroup : std::uint8_t { file, edit, step, go, run, view, graph, help };

QString title_of(ActionGroup group);

/// The commands of the window, from which menus, tool bars, command palette and shortcut list are made.
class ActionRegistry {
 public:
    struct Entry {
        QString id;
        ActionGroup group;
        QAction* action;
        std::function<bool()> possible;  ///< null: always enabled, or managed elsewhere
    };

    ActionRegistry(QWidget& window, const Theme& theme) : window_(window), theme_(theme) {}

    /// Adds an action owned by the window. `icon`: a name in resources/icons, or empty. `possible`: whether
    /// it is enabled, queried by update().
    QAction* add(const QString& id, ActionGroup group, const QString& text, const QString& tip,
                 const QList<QKeySequence>& shortcuts, const QString& icon, std::function<void()> run,
                 std::function<bool()> possible = {});
    QAction* find(const QString& id) const;
    /// Sorted by group.
    const std::vector<Entry>& entries() const { return entries_; }
    /// Enables or disables all actions.
    void update();
    void set_icon(QAction* action, const QString& icon);

 private:
    QWidget& window_;
    const Theme& theme_;
    std::vector<Entry> entries_;
};

}  // namespace splitscope::ui
