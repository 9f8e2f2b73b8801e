// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/splits_panel.hpp"

#include <QHBoxLayout>

#include "ui/models/roles.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {

SplitsPanel::SplitsPanel(const PanelContext& context) : document_(context.document) {
    tree_ = new QTreeView;
    tree_->setModel(&model_);
    style_tree(*tree_);
    tree_->setAccessibleName(tr("Splits"));
    delegate_ = new BackendDelegate(context.theme, this);
    tree_->setItemDelegateForColumn(SplitTreeModel::kBackend, delegate_);
    const int widths[] = {200, 190, 70, 70, 70, 90, 120};
    for (int c = 0; c < SplitTreeModel::kColumnCount; ++c) tree_->setColumnWidth(c, widths[c]);
    tree_->header()->setSortIndicator(SplitTreeModel::kSplit, Qt::AscendingOrder);
    tree_->setSortingEnabled(true);
    make_copies(context.theme);
    make_links(context.theme);
    tabs_ = new QTabBar;
    tabs_->setShape(QTabBar::RoundedWest);
    tabs_->addTab(tr("Splits"));
    tabs_->addTab(tr("Copies"));
    tabs_->setTabToolTip(kCopies, tr("Every tensor that is copied between backends, in one list"));
    tabs_->addTab(tr("Links"));
    tabs_->setTabToolTip(kLinks, tr("How much is copied from one backend to another, in all"));
    tabs_->setExpanding(false);
    tabs_->setAccessibleName(tr("Splits, copies or links"));
    auto* pages = new QStackedWidget;
    pages->addWidget(tree_);
    pages->addWidget(copy_table_);
    pages->addWidget(link_table_);
    connect(tabs_, &QTabBar::currentChanged, pages, &QStackedWidget::setCurrentIndex);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tabs_, 0, Qt::AlignTop);
    layout->addWidget(pages, 1);

    connect(tree_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (following_ || !current.isValid()) return;
                const TensorId tensor(current.data(kTensorRole).toInt());
                if (tensor.valid()) document_.select_tensor(tensor);
                document_.selection().select_split(SplitId(current.data(kSplitRole).toInt()));
            });
    const auto show = [this] {
        const auto& analysis = document_.analysis();
        if (analysis) {
            delegate_->set_backend_count(analysis->machine->backends.size());
            copy_delegate_->set_backend_count(analysis->machine->backends.size());
            link_delegate_->set_backend_count(analysis->machine->backends.size());
        }
        model_.set_analysis(analysis);
        copies_.set_analysis(analysis);
        links_.set_analysis(analysis);
        // A few splits are shown expanded.
        if (model_.rowCount() <= 12) tree_->expandAll();
    };
    connect(&document_, &Document::analysis_changed, this, show);
    connect(&document_.selection(), &Selection::split_changed, this, &SplitsPanel::show_selection);
    show();
}

void SplitsPanel::make_copies(const Theme& theme) {
    copy_table_ = new QTableView;
    copy_table_->setModel(&copies_);
    style_table(*copy_table_);
    copy_table_->setAccessibleName(tr("Copies"));
    copy_table_->horizontalHeader()->setSortIndicator(CopyTableModel::kSplit, Qt::AscendingOrder);
    copy_table_->setSortingEnabled(true);
    copy_delegate_ = new BackendDelegate(theme, this);
    for (const int column : {CopyTableModel::kFrom, CopyTableModel::kTo})
        copy_table_->setItemDelegateForColumn(column, copy_delegate_);
    copy_table_->horizontalHeader()->setStretchLastSection(true);
    size_by_content(*copy_table_);
    connect(copy_table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (following_ || !current.isValid()) return;
                document_.select_tensor(TensorId(current.data(kTensorRole).toInt()));
                document_.selection().select_split(SplitId(current.data(kSplitRole).toInt()));
            });
}

void SplitsPanel::make_links(const Theme& theme) {
    link_table_ = new QTableView;
    link_table_->setModel(&links_);
    style_table(*link_table_);
    link_table_->setAccessibleName(tr("Links"));
    link_table_->horizontalHeader()->setSortIndicator(LinkTableModel::kBytes, Qt::DescendingOrder);
    link_table_->setSortingEnabled(true);
    link_delegate_ = new BackendDelegate(theme, this);
    for (const int column : {LinkTableModel::kFrom, LinkTableModel::kTo})
        link_table_->setItemDelegateForColumn(column, link_delegate_);
    size_by_content(*link_table_);
}

void SplitsPanel::show_selection() {
    following_ = true;
    const QModelIndex now = tree_->currentIndex();
    const SplitId split = document_.selection().split();
    // Keep an input row of the same split current.
    if (!now.isValid() || now.data(kSplitRole).toInt() != split.value) {
        const QModelIndex index = model_.index_of(split);
        tree_->setCurrentIndex(index);
        if (index.isValid()) tree_->scrollTo(index);
    }
    following_ = false;
}

}  // namespace splitscope::ui
