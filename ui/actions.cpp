// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions.hpp"

#include <QWidget>
#include <algorithm>

namespace splitscope::ui {

QList<QKeySequence> keys(std::initializer_list<const char*> names) {
    QList<QKeySequence> list;
    for (const char* name : names) list += QKeySequence(QString::fromLatin1(name));
    return list;
}

QAction* ActionRegistry::add(const QString& id, const QString& group, const QString& text, const QString& tip,
                             const QList<QKeySequence>& shortcuts, const QString& icon,
                             std::function<void()> run) {
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
    entries_.push_back({id, group, action});
    return action;
}

QAction* ActionRegistry::find(const QString& id) const {
    const auto found = std::ranges::find(entries_, id, &Entry::id);
    return found == entries_.end() ? nullptr : found->action;
}

void ActionRegistry::set_icon(QAction* action, const QString& icon) {
    action->setProperty("icon_name", icon);
    action->setIcon(theme_.icon(icon));
}

}  // namespace splitscope::ui
