// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions.hpp"

#include <QCoreApplication>
#include <QWidget>
#include <algorithm>
#include <utility>

namespace splitscope::ui {

QList<QKeySequence> keys(std::initializer_list<const char*> names) {
    QList<QKeySequence> list;
    for (const char* name : names) list += QKeySequence(QString::fromLatin1(name));
    return list;
}

QString title_of(ActionGroup group) {
    switch (group) {
        case ActionGroup::file:
            return QCoreApplication::translate("Actions", "File");
        case ActionGroup::edit:
            return QCoreApplication::translate("Actions", "Edit");
        case ActionGroup::step:
            return QCoreApplication::translate("Actions", "Step");
        case ActionGroup::go:
            return QCoreApplication::translate("Actions", "Go");
        case ActionGroup::run:
            return QCoreApplication::translate("Actions", "Run");
        case ActionGroup::view:
            return QCoreApplication::translate("Actions", "View");
        case ActionGroup::graph:
            return QCoreApplication::translate("Actions", "Graph");
        case ActionGroup::help:
            return QCoreApplication::translate("Actions", "Help");
    }
    return {};
}

QAction* ActionRegistry::add(const QString& id, ActionGroup group, const QString& text, const QString& tip,
                             const QList<QKeySequence>& shortcuts, const QString& icon,
                             std::function<void()> run, std::function<bool()> possible) {
    auto* action = new QAction(text, &window_);
    action->setObjectName(id);
    action->setShortcuts(shortcuts);
    QString full_tip = tip.isEmpty() ? QString(text).remove(QLatin1Char('&')) : tip;
    if (!shortcuts.isEmpty()) {
        full_tip += QStringLiteral(" (%1)").arg(shortcuts.front().toString(QKeySequence::NativeText));
    }
    action->setToolTip(full_tip);
    action->setStatusTip(tip);
    if (!icon.isEmpty()) {
        set_icon(action, icon);
        action->setProperty("icon_name", icon);
        QObject::connect(&theme_, &Theme::changed, action,
                         [this, action] { set_icon(action, action->property("icon_name").toString()); });
    }
    QObject::connect(action, &QAction::triggered, &window_, [run = std::move(run)] { run(); });
    window_.addAction(action);
    if (possible) action->setEnabled(possible());
    const auto place = std::ranges::upper_bound(entries_, group, {}, &Entry::group);
    entries_.insert(place, {id, group, action, std::move(possible)});
    return action;
}

QAction* ActionRegistry::find(const QString& id) const {
    const auto found = std::ranges::find(entries_, id, &Entry::id);
    return found == entries_.end() ? nullptr : found->action;
}

void ActionRegistry::update() {
    for (const Entry& entry : entries_) {
        if (entry.possible) entry.action->setEnabled(entry.possible());
    }
}

void ActionRegistry::set_icon(QAction* action, const QString& icon) {
    action->setProperty("icon_name", icon);
    action->setIcon(theme_.icon(icon));
}

}  // namespace splitscope::ui
