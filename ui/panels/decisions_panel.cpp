// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/decisions_panel.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {

DecisionsPanel::DecisionsPanel(const PanelContext& context) : document_(context.document) {
    shown_ = new QComboBox;
    shown_->setAccessibleName(tr("Which decisions"));
    shown_->addItem(tr("All decisions"));
    shown_->addItem(tr("Decisions on the selected tensor"));
    shown_->addItem(tr("Changes of the last step"));
    count_ = new QLabel;
    count_->setProperty("role", "muted");
    table_ = new QTableView;
    table_->setModel(&model_);
    style_table(*table_);
    table_->setAccessibleName(tr("Decisions"));
    delegate_ = new BackendDelegate(context.theme, this);
    table_->setItemDelegateForColumn(DecisionTableModel::kFrom, delegate_);
    table_->setItemDelegateForColumn(DecisionTableModel::kTo, delegate_);
    set_column_widths(*table_, {64, 64, 260, 110, 110, 90});
    size_by_content(*table_);
    new NameColumn(*table_, DecisionTableModel::kTensor);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 6, 8, 4);
    bar->addWidget(shown_);
    bar->addStretch(1);
    bar->addWidget(count_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(bar);
    all->addWidget(table_, 1);

    connect(shown_, &QComboBox::currentIndexChanged, this, &DecisionsPanel::refilter);
    connect(&document_.selection(), &Selection::tensor_changed, this, [this] {
        if (shown_->currentIndex() == kSelectedTensor) refilter();
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (following_ || !current.isValid()) return;
                const TensorId tensor(current.data(kTensorRole).toInt());
                // Going to a row would be a step and change the list of the last step.
                if (shown_->currentIndex() != kLastStep) {
                    document_.navigation().seek(
                        static_cast<std::size_t>(current.data(kDecisionRole).toULongLong()));
                }
                if (shown_->currentIndex() != kSelectedTensor) document_.select_tensor(tensor);
            });
    const auto show = [this] {
        const auto& analysis = document_.analysis();
        if (analysis) delegate_->set_backend_count(analysis->machine->backends.size());
        model_.set_analysis(analysis);
        refilter();
    };
    connect(&context.links, &PanelLinks::changes_requested, this, [this, &links = context.links] {
        show_changes();
        emit links.panel_requested(this);
    });
    connect(&document_, &Document::analysis_changed, this, show);
    connect(&document_, &Document::state_changed, this, [this] {
        if (shown_->currentIndex() == kLastStep) {
            refilter();
        } else {
            show_position();
        }
    });
    show();
}

void DecisionsPanel::refilter() {
    const int shown = shown_->currentIndex();
    const std::pair<std::size_t, std::size_t> move = document_.navigation().last_move();
    const std::pair<std::size_t, std::size_t> range(std::min(move.first, move.second),
                                                    std::max(move.first, move.second));
    model_.set_tensor(shown == kSelectedTensor ? document_.selection().tensor() : TensorId());
    model_.set_changes(shown == kLastStep ? std::optional(range) : std::nullopt);
    show_position();
}

void DecisionsPanel::show_position() {
    const auto rows = static_cast<std::uint64_t>(model_.rowCount());
    count_->setText(shown_->currentIndex() == kLastStep ? tr("%1 changed").arg(count_text(rows))
                                                        : tr("%1 decisions").arg(count_text(rows)));
    following_ = true;
    show_row(*table_, model_.row_of(document_.selection().decision()));
    following_ = false;
}

}  // namespace splitscope::ui
