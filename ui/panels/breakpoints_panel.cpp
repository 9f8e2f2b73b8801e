// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/breakpoints_panel.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/support/error.hpp"
#include "ui/models/error_text.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {

BreakpointsPanel::BreakpointsPanel(BreakpointTable& model, QWidget* parent) : QWidget(parent), model_(model) {
    kind_ = new QComboBox;
    int widest_kind = 0;
    for (const BreakpointKind kind :
         {BreakpointKind::glob, BreakpointKind::node, BreakpointKind::regex, BreakpointKind::op,
          BreakpointKind::backend, BreakpointKind::not_finite}) {
        constexpr int kBesides = 20;
        const QString name = BreakpointTable::name_of_kind(kind);
        kind_->addItem(name, static_cast<int>(kind));
        widest_kind = std::max(widest_kind, fontMetrics().horizontalAdvance(name) + kBesides);
    }
    kind_->setToolTip(tr("What the breakpoint matches; runs stop after a matching node"));
    kind_->setAccessibleName(tr("Kind of breakpoint"));
    text_ = new QLineEdit;
    text_->setAccessibleName(tr("Name, pattern, operation or backend"));
    add_ = new QPushButton(tr("Add"));
    error_ = new QLabel;
    error_->setProperty("role", "error");
    error_->setWordWrap(true);
    error_->hide();
    empty_ =
        new QLabel(tr("No breakpoints. Runs stop after each matching node. Press F9 or use the context menu "
                      "to set one on a node."));
    empty_->setProperty("role", "muted");
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    table_ = new QTableView;
    table_->setModel(&model);
    style_table(*table_);
    table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    table_->setAccessibleName(tr("Breakpoints"));
    table_->setColumnWidth(BreakpointTable::kEnabled, 26);
    table_->setColumnWidth(BreakpointTable::kKind, widest_kind);
    table_->setColumnWidth(BreakpointTable::kLimits, 52);
    table_->setColumnWidth(BreakpointTable::kHits, 46);
    table_->horizontalHeader()->setSectionResizeMode(BreakpointTable::kText, QHeaderView::Stretch);
    table_->horizontalHeader()->setMinimumSectionSize(26);
    table_->installEventFilter(this);
    remove_ = new QPushButton(tr("Delete"));
    remove_->setToolTip(tr("Delete the selected breakpoint (Del)"));
    clear_ = new QPushButton(tr("Delete all"));

    auto* entry = new QHBoxLayout;
    entry->setSpacing(6);
    entry->addWidget(text_, 1);
    entry->addWidget(add_);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(remove_);
    buttons->addWidget(clear_);
    buttons->addStretch(1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 8, 0, 0);
    all->setSpacing(6);
    all->addWidget(kind_);
    all->addLayout(entry);
    all->addWidget(error_);
    all->addWidget(empty_, 1);
    all->addWidget(table_, 1);
    all->addLayout(buttons);

    connect(kind_, &QComboBox::currentIndexChanged, this, &BreakpointsPanel::show_kind);
    connect(text_, &QLineEdit::returnPressed, this, &BreakpointsPanel::add);
    connect(text_, &QLineEdit::textEdited, this, [this] { show_error({}); });
    connect(add_, &QPushButton::clicked, this, &BreakpointsPanel::add);
    connect(remove_, &QPushButton::clicked, this, &BreakpointsPanel::remove_selected);
    connect(clear_, &QPushButton::clicked, &model, &BreakpointTable::clear);
    connect(&model, &BreakpointTable::refused, this, &BreakpointsPanel::show_error);
    connect(&model, &QAbstractItemModel::rowsInserted, this, &BreakpointsPanel::show_rows);
    connect(&model, &QAbstractItemModel::rowsRemoved, this, &BreakpointsPanel::show_rows);
    connect(&model, &QAbstractItemModel::modelReset, this, &BreakpointsPanel::show_rows);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &BreakpointsPanel::show_rows);
    show_kind();
    show_rows();
}

void BreakpointsPanel::show_kind() {
    const auto kind = static_cast<BreakpointKind>(kind_->currentData().toInt());
    const QString hint = BreakpointTable::hint_of_kind(kind);
    text_->setEnabled(kind != BreakpointKind::not_finite);
    text_->setPlaceholderText(hint);
    text_->setToolTip(hint);
    show_error({});
}

void BreakpointsPanel::show_rows() {
    const bool any = model_.rowCount() > 0;
    empty_->setVisible(!any);
    table_->setVisible(any);
    clear_->setEnabled(any);
    remove_->setEnabled(any && table_->currentIndex().isValid());
}

void BreakpointsPanel::show_error(const QString& text) {
    error_->setText(text);
    error_->setVisible(!text.isEmpty());
}

void BreakpointsPanel::add() {
    const auto kind = static_cast<BreakpointKind>(kind_->currentData().toInt());
    try {
        model_.add(kind, kind == BreakpointKind::not_finite ? "" : text_->text().trimmed().toStdString());
        text_->clear();
        show_error({});
    } catch (const Error& error) {
        show_error(advice_text(error));
    }
}

void BreakpointsPanel::remove_selected() {
    model_.remove_row(table_->currentIndex().row());
}

bool BreakpointsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const QModelIndex current = table_->currentIndex();
        if (key->key() == Qt::Key_Delete) {
            remove_selected();
            return true;
        }
        if (key->key() == Qt::Key_Space && current.isValid()) {
            const QModelIndex check = model_.index(current.row(), BreakpointTable::kEnabled);
            const bool on = check.data(Qt::CheckStateRole).toInt() == Qt::Checked;
            model_.setData(check, on ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace splitscope::ui
