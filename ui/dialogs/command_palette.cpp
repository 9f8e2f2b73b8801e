// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/command_palette.hpp"

#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>

namespace splitscope::ui {

bool matches_words(const QString& text, const QString& needle) {
    const QStringList words = needle.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::ranges::all_of(words,
                               [&](const QString& w) { return text.contains(w, Qt::CaseInsensitive); });
}

CommandPalette::CommandPalette(const ActionRegistry& actions, QWidget* parent)
    : QDialog(parent, Qt::Popup), actions_(actions) {
    resize(520, 360);
    text_ = new QLineEdit;
    text_->setPlaceholderText(tr("Type a command"));
    text_->setAccessibleName(tr("Type a command"));
    text_->installEventFilter(this);
    list_ = new QListWidget;
    list_->setFrameShape(QFrame::NoFrame);
    list_->setAccessibleName(tr("Commands"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(text_);
    layout->addWidget(list_);
    connect(text_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(list_, &QListWidget::itemActivated, this, &CommandPalette::run_current);
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::run_current);
    filter();
    text_->setFocus();
}

void CommandPalette::filter() {
    list_->clear();
    for (std::size_t i = 0; i < actions_.entries().size(); ++i) {
        const auto& entry = actions_.entries()[i];
        const QString text = QStringLiteral("%1: %2").arg(title_of(entry.group),
                                                          entry.action->text().remove(QLatin1Char('&')));
        if (!entry.action->isEnabled() || !matches_words(text, text_->text())) continue;
        const QString key = entry.action->shortcut().toString(QKeySequence::NativeText);
        auto* item = new QListWidgetItem(key.isEmpty() ? text : QStringLiteral("%1   (%2)").arg(text, key));
        item->setData(Qt::UserRole, static_cast<int>(i));
        list_->addItem(item);
    }
    if (list_->count() == 0) {
        auto* none = new QListWidgetItem(tr("No command matches"));
        none->setFlags(Qt::NoItemFlags);
        list_->addItem(none);
        return;
    }
    list_->setCurrentRow(0);
}

void CommandPalette::run_current() {
    const QListWidgetItem* item = list_->currentItem();
    // With single-click activation, the signal arrives twice.
    if (!item || !item->flags().testFlag(Qt::ItemIsEnabled) || !isVisible()) return;
    QAction* action = actions_.entries()[static_cast<std::size_t>(item->data(Qt::UserRole).toInt())].action;
    accept();
    action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == text_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const int row = list_->currentRow();
        if (key->key() == Qt::Key_Down && list_->currentItem()) {
            list_->setCurrentRow(std::min(row + 1, list_->count() - 1));
            return true;
        }
        if (key->key() == Qt::Key_Up && list_->currentItem()) {
            list_->setCurrentRow(std::max(row - 1, 0));
            return true;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            run_current();
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace splitscope::ui
