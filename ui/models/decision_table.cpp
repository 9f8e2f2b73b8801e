// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/decision_table.hpp"

#include <algorithm>
#include <array>

#include "engine/scheduler/explain.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"

namespace splitscope::ui {

void DecisionTableModel::set_analysis(std::shared_ptr<const Analysis> analysis) {
    beginResetModel();
    analysis_ = std::move(analysis);
    tensor_ = {};
    changes_.reset();
    rebuild();
    endResetModel();
}

void DecisionTableModel::set_tensor(TensorId tensor) {
    if (tensor == tensor_) return;
    beginResetModel();
    tensor_ = tensor;
    rebuild();
    endResetModel();
}

void DecisionTableModel::set_changes(std::optional<std::pair<std::size_t, std::size_t>> range) {
    if (range == changes_) return;
    beginResetModel();
    changes_ = range;
    rebuild();
    endResetModel();
}

void DecisionTableModel::rebuild() {
    rows_.clear();
    if (!analysis_) return;
    const auto& decisions = analysis_->schedule->decisions;
    const std::size_t first = changes_ ? changes_->first : 0;
    const std::size_t end = changes_ ? std::min(changes_->second, decisions.size()) : decisions.size();
    for (std::size_t d = first; d < end; ++d) {
        if (tensor_.valid() && decisions[d].tensor != tensor_) continue;
        if (!changes_ || decisions[d].from != decisions[d].to) rows_.push_back(d);
    }
}

int DecisionTableModel::row_of(std::size_t position) const {
    if (position == 0) return -1;
    const auto found = std::ranges::lower_bound(rows_, position - 1);
    return found != rows_.end() && *found == position - 1 ? static_cast<int>(found - rows_.begin()) : -1;
}

int DecisionTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int DecisionTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant DecisionTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const std::size_t number = rows_[static_cast<std::size_t>(index.row())];
    const Schedule& schedule = *analysis_->schedule;
    const Decision& d = schedule.decisions[number];
    switch (role) {
        case Qt::DisplayRole:
            switch (index.column()) {
                case kNumber:
                    return static_cast<qulonglong>(number + 1);
                case kPass:
                    return to_text(name_of(d.pass));
                case kTensor:
                    return tensor_label(schedule, d.tensor);
                case kFrom:
                    return device_label(*analysis_, d.from);
                case kTo:
                    return device_label(*analysis_, d.to);
                case kCause:
                    return to_text(label_of(d.cause));
                default:
                    return {};
            }
        case Qt::ToolTipRole:
            return index.column() == kCause ? QVariant(message_text(explain(d.cause))) : QVariant();
        case Qt::TextAlignmentRole:
            if (index.column() == kNumber) {
                return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
            }
            return {};
        case kTensorRole:
            return d.tensor.value;
        case kDecisionRole:
            return static_cast<qulonglong>(number + 1);
        case kBackendRole:
            if (index.column() == kFrom) return d.from.value;
            if (index.column() == kTo) return d.to.value;
            return {};
        default:
            return {};
    }
}

QVariant DecisionTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
    const auto at = static_cast<std::size_t>(section);
    if (role == Qt::DisplayRole) {
        const std::array<QString, kColumnCount> titles = {tr("#"),    tr("Pass"), tr("Tensor"),
                                                          tr("From"), tr("To"),   tr("Cause")};
        return titles[at];
    }
    if (role == Qt::ToolTipRole) {
        const std::array<QString, kColumnCount> tips = {tr("Order of the decisions"),
                                                        tr("The scheduler's pass that made the decision"),
                                                        tr("The tensor that the decision concerns"),
                                                        tr("Backend before the decision; – for none"),
                                                        tr("Backend after the decision; – for none"),
                                                        tr("The scheduler's label of the cause")};
        return tips[at];
    }
    return {};
}

}  // namespace splitscope::ui
