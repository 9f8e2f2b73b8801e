// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/decisions_panel.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/models/roles.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {

DecisionsPanel::DecisionsPanel(Document& document, const Theme& theme, QWidget* parent)
    : QWidget(parent), document_(document) {
    only_selected_ = new QCheckBox(tr("Only the selected tensor"));
    table_ = new QTableView;
    table_->setModel(&model_);
    style_table(*table_);
    table_->setAccessibleName(tr("Decisions"));
    delegate_ = new BackendDelegate(theme, this);
    table_->setItemDelegateForColumn(DecisionTableModel::kFrom, delegate_);
    table_->setItemDelegateForColumn(DecisionTableModel::kTo, delegate_);
    const int widths[] = {64, 64, 260, 110, 110, 90};
    for (int c = 0; c < DecisionTableModel::kColumnCount; ++c) table_->setColumnWidth(c, widths[c]);
    table_->horizontalHeader()->setSectionResizeMode(DecisionTableModel::kTensor, QHeaderView::Stretch);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 6, 8, 4);
    bar->addWidget(only_selected_);
    bar->addStretch(1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(bar);
    all->addWidget(table_, 1);

    const auto refilter = [this] {
        model_.set_tensor(only_selected_->isChecked() ? document_.selection().tensor() : TensorId());
        show_position();
    };
    connect(only_selected_, &QCheckBox::toggled, this, refilter);
    connect(&document.selection(), &Selection::tensor_changed, this, [this, refilter] {
        if (only_selected_->isChecked()) refilter();
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (following_ || !current.isValid()) return;
                const TensorId tensor(current.data(kTensorRole).toInt());
                document_.seek(static_cast<std::size_t>(current.data(kDecisionRole).toULongLong()));
                if (!only_selected_->isChecked()) document_.select_tensor(tensor);
            });
    const auto show = [this] {
        const auto& analysis = document_.analysis();
        if (analysis) delegate_->set_backend_count(analysis->machine->backends.size());
        model_.set_analysis(analysis);
        only_selected_->setChecked(false);
        show_position();
    };
    connect(&document, &Document::analysis_changed, this, show);
    connect(&document, &Document::state_changed, this, &DecisionsPanel::show_position);
    show();
}

void DecisionsPanel::show_position() {
    following_ = true;
    const int row = model_.row_of(document_.selection().decision());
    if (row >= 0) {
        table_->selectRow(row);
        table_->scrollTo(model_.index(row, 0));
    } else {
        table_->clearSelection();
        table_->setCurrentIndex({});
    }
    following_ = false;
}

}  // namespace splitscope::ui
