// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/nodes_panel.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {
NodesPanel::NodesPanel(const PanelContext& context) : document_(context.document) {
    text_ = new QLineEdit;
    text_->setAccessibleName(tr("Filter by name or operation"));
    text_->setPlaceholderText(tr("Filter by name or operation"));
    text_->setClearButtonEnabled(true);
    text_->setMaximumWidth(320);
    op_ = new QComboBox;
    op_->setAccessibleName(tr("Operation"));
    op_->setToolTip(tr("Only nodes of this operation"));
    backend_ = new QComboBox;
    backend_->setToolTip(tr("Only nodes that run on this backend at the current decision"));
    views_ = new QCheckBox(tr("View operations"));
    views_->setChecked(true);
    views_->setToolTip(tr("VIEW, RESHAPE, PERMUTE and TRANSPOSE: they compute nothing"));
    count_ = new QLabel;
    count_->setProperty("role", "muted");

    table_ = new QTableView;
    table_->setModel(&model_);
    style_table(*table_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(NodeTableModel::kPosition, Qt::AscendingOrder);
    table_->setAccessibleName(tr("Nodes"));
    delegate_ = new BackendDelegate(context.theme, this);
    table_->setItemDelegateForColumn(NodeTableModel::kBackend, delegate_);
    set_column_widths(*table_, {64, 210, 60, 140, 60, 140, 90, 60, 110, 80});
    size_by_content(*table_);
    new NameColumn(*table_, NodeTableModel::kName);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 6, 8, 4);
    bar->setSpacing(8);
    bar->addWidget(text_, 2);
    bar->addWidget(op_);
    bar->addWidget(backend_);
    bar->addWidget(views_);
    bar->addStretch(1);
    bar->addWidget(count_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(bar);
    all->addWidget(table_, 1);

    connect(text_, &QLineEdit::textChanged, this, &NodesPanel::apply_filter);
    connect(op_, &QComboBox::currentIndexChanged, this, &NodesPanel::apply_filter);
    connect(backend_, &QComboBox::currentIndexChanged, this, &NodesPanel::apply_filter);
    connect(views_, &QCheckBox::toggled, this, &NodesPanel::apply_filter);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!following_ && current.isValid())
                    document_.select_tensor(model_.tensor_at(current.row()));
            });
    connect(&document_, &Document::analysis_changed, this, &NodesPanel::show_analysis);
    connect(&document_, &Document::state_changed, this, [this] { model_.refresh_state(); });
    connect(&document_.selection(), &Selection::tensor_changed, this, &NodesPanel::show_selection);
    connect(&model_, &QAbstractItemModel::modelReset, this, [this] {
        show_count();
        show_selection();
    });
    connect(&context.links, &PanelLinks::backend_requested, this,
            [this, &links = context.links](BackendId backend) {
                show_backend(backend);
                emit links.panel_requested(this);
            });
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(table_, &QWidget::customContextMenuRequested, this,
            [this, &links = context.links](const QPoint& place) {
                const TensorId tensor = model_.tensor_at(table_->indexAt(place).row());
                if (tensor.valid())
                    emit links.node_menu_requested(tensor, table_->viewport()->mapToGlobal(place));
            });
    show_analysis();
}

void NodesPanel::show_analysis() {
    const auto& analysis = document_.analysis();
    {
        const QSignalBlocker quiet(backend_);
        backend_->clear();
        backend_->addItem(tr("All backends"), -1);
        if (analysis) {
            for (std::size_t b = 0; b < analysis->machine->backends.size(); ++b) {
                backend_->addItem(device_label(*analysis, BackendId(b)), static_cast<int>(b));
            }
            delegate_->set_backend_count(analysis->machine->backends.size());
        }
    }
    NodeTableModel::Filter filter = model_.filter();
    filter.backend = {};
    model_.set_analysis(analysis, document_.replay());
    {
        const QSignalBlocker quiet(op_);
        op_->clear();
        op_->addItem(tr("All operations"), QString());
        for (const auto& [op, count] : model_.ops())
            op_->addItem(QStringLiteral("%1 (%2)").arg(op, count_text(count)), op);
        op_->setCurrentIndex(std::max(0, op_->findData(filter.op)));
    }
    filter.op = op_->currentData().toString();
    model_.set_filter(filter);
}

void NodesPanel::apply_filter() {
    NodeTableModel::Filter filter;
    filter.text = text_->text();
    filter.op = op_->currentData().toString();
    filter.backend = BackendId(backend_->currentData().toInt());
    filter.views = views_->isChecked();
    model_.set_filter(filter);
}

void NodesPanel::show_backend(BackendId backend) {
    backend_->setCurrentIndex(backend_->findData(backend.value));
}

void NodesPanel::show_count() {
    const auto shown = static_cast<std::size_t>(model_.rowCount());
    count_->setText(shown == model_.total()
                        ? tr("%1 nodes").arg(count_text(shown))
                        : tr("%1 of %2 nodes").arg(count_text(shown), count_text(model_.total())));
}

void NodesPanel::show_selection() {
    following_ = true;
    show_row(*table_, model_.row_of(document_.selection().tensor()));
    following_ = false;
}

}  // namespace splitscope::ui
