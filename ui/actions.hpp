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

/// Key sequences by their portable names, such as "Ctrl+O".
QList<QKeySequence> keys(std::initializer_list<const char*> names);

/// What commands are listed under, in this order.
enum class ActionGroup : std::uint8_t { file, edit, step, go, run, view, graph, help };

QString title_of(ActionGroup group);

/// Every command of the window in one list: menus, tool bars, the command palette and the shortcut page are
/// made from it.
class ActionRegistry {
 public:
    struct Entry {
        QString id;
        ActionGroup group;
        QAction* action;
        std::function<bool()> possible;  ///< null: always, or decided elsewhere
    };

    ActionRegistry(QWidget& window, const Theme& theme) : window_(window), theme_(theme) {}

    /// The action belongs to the window. `icon`: a name in resources/icons, or empty. `possible`: whether it
    /// can be used, asked by update().
    QAction* add(const QString& id, ActionGroup group, const QString& text, const QString& tip,
                 const QList<QKeySequence>& shortcuts, const QString& icon, std::function<void()> run,
                 std::function<bool()> possible = {});
    QAction* find(const QString& id) const;
    /// By group.
    const std::vector<Entry>& entries() const { return entries_; }
    /// Enables what is possible now.
    void update();
    void set_icon(QAction* action, const QString& icon);

 private:
    QWidget& window_;
    const Theme& theme_;
    std::vector<Entry> entries_;
};

}  // namespace splitscope::ui
