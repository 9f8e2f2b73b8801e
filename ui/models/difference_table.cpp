// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/difference_table.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"

namespace splitscope::ui {

void DifferenceTableModel::set_comparison(std::shared_ptr<const Comparison> comparison) {
    beginResetModel();
    comparison_ = std::move(comparison);
    rebuild();
    endResetModel();
}

void DifferenceTableModel::set_filter(const Filter& filter) {
    beginResetModel();
    filter_ = filter;
    rebuild();
    endResetModel();
}

void DifferenceTableModel::rebuild() {
    rows_.clear();
    if (!comparison_) return;
    for (std::size_t t = 0; t < comparison_->tensors.size(); ++t) {
        const ComparedTensor& tensor = comparison_->tensors[t];
        if (filter_.only_elsewhere && !tensor.elsewhere) continue;
        if (filter_.pass && tensor.pass != filter_.pass) continue;
        rows_.push_back(t);
    }
    sort_rows();
}

void DifferenceTableModel::sort(int column, Qt::SortOrder order) {
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList kept = persistentIndexList();
    std::vector<std::size_t> meant;
    for (const QModelIndex& index : kept) meant.push_back(rows_[static_cast<std::size_t>(index.row())]);
    sort_column_ = column;
    sort_order_ = order;
    sort_rows();
    std::map<std::size_t, int> row_of;
    if (!kept.isEmpty()) {
        for (std::size_t r = 0; r < rows_.size(); ++r) row_of[rows_[r]] = static_cast<int>(r);
    }
    QModelIndexList moved;
    for (qsizetype i = 0; i < kept.size(); ++i)
        moved += index(row_of.at(meant[static_cast<std::size_t>(i)]), kept[i].column());
    changePersistentIndexList(kept, moved);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void DifferenceTableModel::sort_rows() {
    // Start from graph order, so that ties keep it.
    std::ranges::sort(rows_);
    if (sort_column_ < 0) return;
    const auto by = [this](auto key) {
        if (sort_order_ == Qt::AscendingOrder) {
            std::ranges::stable_sort(rows_, std::ranges::less{}, key);
        } else {
            std::ranges::stable_sort(rows_, std::ranges::greater{}, key);
        }
    };
    if (sort_column_ == kPass) {
        by([this](std::size_t t) { return comparison_->tensors[t].pass; });
        return;
    }
    std::map<std::size_t, QString> texts;
    for (const std::size_t t : rows_) texts[t] = text_of(comparison_->tensors[t], sort_column_);
    by([&](std::size_t t) -> const QString& { return texts.at(t); });
}

int DifferenceTableModel::row_of(std::size_t tensor) const {
    const auto found = std::ranges::find(rows_, tensor);
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int DifferenceTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int DifferenceTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QString DifferenceTableModel::decision_text(const Analysis& analysis,
                                            const std::optional<std::size_t>& number) const {
    if (!number) return QStringLiteral("–");
    const Decision& decision = analysis.schedule->decisions[*number];
    const QString label = to_text(label_of(decision.cause));
    return QStringLiteral("%1 → %2").arg(label.isEmpty() ? tr("(no cause)") : label,
                                         device_label(analysis, decision.to));
}

QString DifferenceTableModel::end_text(const Analysis& analysis, TensorId tensor) const {
    if (!tensor.valid()) return tr("absent");
    if (analysis.schedule->error) return tr("failed");
    const auto& backends = analysis.schedule->backend;
    return device_label(analysis, tensor.index() < backends.size() ? backends[tensor.index()] : BackendId());
}

QString DifferenceTableModel::ends_text(const ComparedTensor& tensor) const {
    const QString a = end_text(*comparison_->a, tensor.a);
    const QString b = end_text(*comparison_->b, tensor.b);
    return a == b ? a : QStringLiteral("%1 / %2").arg(a, b);
}

QString DifferenceTableModel::text_of(const ComparedTensor& tensor, int column) const {
    const Analysis& named = tensor.a.valid() ? *comparison_->a : *comparison_->b;
    const TensorId id = tensor.a.valid() ? tensor.a : tensor.b;
    switch (column) {
        case kTensor:
            return tensor_label(*named.schedule, id);
        case kOp:
            return op_label(named.schedule->tensor(id));
        case kPass:
            return tensor.pass ? to_text(name_of(*tensor.pass)) : QStringLiteral("–");
        case kDecisionA:
            return decision_text(*comparison_->a, tensor.decision_a);
        case kDecisionB:
            return decision_text(*comparison_->b, tensor.decision_b);
        case kEnd:
            return ends_text(tensor);
        default:
            return {};
    }
}

QVariant DifferenceTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const ComparedTensor& tensor = at(index.row());
    const auto end = [](const Analysis& side, TensorId id) {
        return id.valid() && !side.schedule->error ? QVariant(side.schedule->backend[id.index()].value)
                                                   : QVariant();
    };
    const auto target = [](const Analysis& side, const std::optional<std::size_t>& decision) {
        return decision ? QVariant(side.schedule->decisions[*decision].to.value) : QVariant();
    };
    switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole:
            return text_of(tensor, index.column());
        case kTensorRole:
            return (tensor.a.valid() ? tensor.a : tensor.b).value;
        case kBackendRole:
            if (index.column() == kDecisionA) return target(*comparison_->a, tensor.decision_a);
            if (index.column() == kDecisionB) return target(*comparison_->b, tensor.decision_b);
            return index.column() == kEnd ? end(*comparison_->a, tensor.a) : QVariant();
        case kOtherBackendRole:
            if (index.column() != kEnd ||
                end_text(*comparison_->a, tensor.a) == end_text(*comparison_->b, tensor.b))
                return {};
            return end(*comparison_->b, tensor.b);
        default:
            return {};
    }
}

QVariant DifferenceTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const QString a = comparison_ ? comparison_->name_a : QStringLiteral("A");
    const QString b = comparison_ ? comparison_->name_b : QStringLiteral("B");
    if (role == Qt::ToolTipRole && (section == kDecisionA || section == kDecisionB))
        return tr("Decision of %1").arg(section == kDecisionA ? a : b);
    if (role == Qt::ToolTipRole && section == kEnd)
        return tr("The tensor's backend in %1, then in %2 if it is another").arg(a, b);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case kTensor:
            return tr("Tensor");
        case kOp:
            return tr("Operation");
        case kPass:
            return tr("Pass");
        case kDecisionA:
            return a;
        case kDecisionB:
            return b;
        case kEnd:
            // A recording has no decisions, whose columns name the sides.
            return comparison_ && comparison_->recorded ? QStringLiteral("%1 / %2").arg(a, b) : tr("Final");
        default:
            return {};
    }
}

}  // namespace splitscope::ui
