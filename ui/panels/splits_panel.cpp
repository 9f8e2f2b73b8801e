// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/splits_panel.hpp"

#include <QVBoxLayout>

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
    const int widths[] = {230, 130, 70, 70, 90, 300};
    for (int c = 0; c < SplitTreeModel::kColumnCount; ++c) tree_->setColumnWidth(c, widths[c]);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(tree_);

    connect(tree_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (following_ || !current.isValid()) return;
                const TensorId tensor(current.data(kTensorRole).toInt());
                if (tensor.valid()) document_.select_tensor(tensor);
                document_.selection().select_split(SplitId(current.data(kSplitRole).toInt()));
            });
    const auto show = [this] {
        const auto& analysis = document_.analysis();
        if (analysis) delegate_->set_backend_count(analysis->machine->backends.size());
        model_.set_analysis(analysis);
        // A handful of splits is best seen with what they copy.
        if (model_.rowCount() <= 12) tree_->expandAll();
    };
    connect(&document_, &Document::analysis_changed, this, show);
    connect(&document_.selection(), &Selection::split_changed, this, &SplitsPanel::show_selection);
    show();
}

void SplitsPanel::show_selection() {
    following_ = true;
    const QModelIndex now = tree_->currentIndex();
    const SplitId split = document_.selection().split();
    // An input row of the same split stays current.
    if (!now.isValid() || now.data(kSplitRole).toInt() != split.value) {
        const QModelIndex index = model_.index_of(split);
        tree_->setCurrentIndex(index);
        if (index.isValid()) tree_->scrollTo(index);
    }
    following_ = false;
}

}  // namespace splitscope::ui
