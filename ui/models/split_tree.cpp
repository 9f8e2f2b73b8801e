// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/split_tree.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "engine/scheduler/link_copies.hpp"
#include "engine/tensor/shape.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"

namespace splitscope::ui {

void SplitTreeModel::set_analysis(std::shared_ptr<const Analysis> analysis) {
    beginResetModel();
    analysis_ = std::move(analysis);
    count_views();
    sort_rows();
    endResetModel();
}

void SplitTreeModel::count_views() {
    views_.clear();
    if (!analysis_) return;
    const Graph& graph = *analysis_->graph;
    for (const Split& split : analysis_->schedule->splits) {
        std::size_t& views = views_.emplace_back();
        for (std::size_t n = split.start; n < std::min(split.end, graph.nodes.size()); ++n)
            views += is_view_op(graph[graph.nodes[n]].op) ? 1 : 0;
    }
}

std::size_t SplitTreeModel::computing(std::size_t split) const {
    const Split& s = analysis_->schedule->splits[split];
    return s.end - s.start - views_[split];
}

void SplitTreeModel::sort_rows() {
    order_.assign(analysis_ ? analysis_->schedule->splits.size() : 0, 0);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const auto by = [this](auto key) {
        if (sort_order_ == Qt::AscendingOrder) {
            std::ranges::stable_sort(order_, std::ranges::less{}, key);
        } else {
            std::ranges::stable_sort(order_, std::ranges::greater{}, key);
        }
    };
    const auto split = [this](std::size_t s) -> const Split& { return analysis_->schedule->splits[s]; };
    switch (sort_column_) {
        case kBackend:
            by([&](std::size_t s) { return split(s).backend.value; });
            break;
        case kNodes:
            by([this](std::size_t s) { return computing(s); });
            break;
        case kViews:
            by([this](std::size_t s) { return views_[s]; });
            break;
        case kInputs:
            by([&](std::size_t s) { return split(s).inputs.size(); });
            break;
        case kBytes:
            by([&](std::size_t s) { return copied_bytes(*analysis_->schedule, split(s)); });
            break;
        default:
            by([](std::size_t s) { return s; });
    }
    row_of_.assign(order_.size(), 0);
    for (std::size_t r = 0; r < order_.size(); ++r) row_of_[order_[r]] = static_cast<int>(r);
}

void SplitTreeModel::sort(int column, Qt::SortOrder order) {
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> splits;
    for (const QModelIndex& index : before)
        splits.push_back(index.internalId() == 0 ? split_at(index.row()) : 0);
    sort_column_ = column;
    sort_order_ = order;
    sort_rows();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        // Inputs store their split, independent of its row.
        after += before[i].internalId() == 0 ? createIndex(row_of_[splits[static_cast<std::size_t>(i)]],
                                                           before[i].column(), quintptr{0})
                                             : before[i];
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

QModelIndex SplitTreeModel::index_of(SplitId split) const {
    if (!split.valid() || split.value >= rowCount()) return {};
    return index(row_of_[split.index()], 0);
}

QModelIndex SplitTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    const quintptr id = parent.isValid() ? static_cast<quintptr>(split_at(parent.row())) + 1 : 0;
    return createIndex(row, column, id);
}

QModelIndex SplitTreeModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == 0) return {};
    return createIndex(row_of_[index.internalId() - 1], 0, quintptr(0));
}

int SplitTreeModel::rowCount(const QModelIndex& parent) const {
    if (!analysis_) return 0;
    const auto& splits = analysis_->schedule->splits;
    if (!parent.isValid()) return static_cast<int>(splits.size());
    if (parent.internalId() != 0 || parent.column() != 0) return 0;
    return static_cast<int>(splits[split_at(parent.row())].inputs.size());
}

int SplitTreeModel::columnCount(const QModelIndex&) const {
    return kColumnCount;
}

QVariant SplitTreeModel::split_text(std::size_t split, int column) const {
    const Split& s = analysis_->schedule->splits[split];
    switch (column) {
        case kSplit:
            return tr("Split %1").arg(split);
        case kBackend:
            return device_label(*analysis_, s.backend);
        case kNodes:
            return static_cast<qulonglong>(computing(split));
        case kViews:
            return static_cast<qulonglong>(views_[split]);
        case kInputs:
            return static_cast<qulonglong>(s.inputs.size());
        case kBytes:
            return s.inputs.empty() ? QString() : bytes_text(copied_bytes(*analysis_->schedule, s));
        case kWhat: {
            if (s.start >= analysis_->graph->nodes.size() || s.end <= s.start) return {};
            const Schedule& schedule = *analysis_->schedule;
            const QString first = tensor_label(schedule, analysis_->graph->nodes[s.start]);
            if (s.end - s.start == 1) return first;
            return tr("%1 … %2").arg(first, tensor_label(schedule, analysis_->graph->nodes[s.end - 1]));
        }
        default:
            return {};
    }
}

QVariant SplitTreeModel::input_text(std::size_t split, std::size_t input, int column) const {
    const TensorId id = analysis_->schedule->splits[split].inputs[input];
    switch (column) {
        case kSplit:
            return tensor_label(*analysis_->schedule, id);
        case kBackend:
            return tr("from %1").arg(device_label(*analysis_, analysis_->schedule->backend[id.index()]));
        case kBytes:
            return bytes_text(byte_size((*analysis_->graph)[id]));
        case kWhat:
            return shape_label((*analysis_->graph)[id]);
        default:
            return {};
    }
}

QVariant SplitTreeModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const bool is_split = index.internalId() == 0;
    const std::size_t split =
        is_split ? split_at(index.row()) : static_cast<std::size_t>(index.internalId() - 1);
    const Split& s = analysis_->schedule->splits[split];
    const TensorId input = is_split ? TensorId() : s.inputs[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return is_split ? split_text(split, index.column())
                            : input_text(split, static_cast<std::size_t>(index.row()), index.column());
        case Qt::TextAlignmentRole:
            if (index.column() >= kNodes && index.column() <= kBytes) {
                return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
            }
            return {};
        case kTensorRole:
            return input.value;
        case kSplitRole:
            return static_cast<int>(split);
        case kBackendRole:
            if (index.column() != kBackend) return {};
            return is_split ? s.backend.value : analysis_->schedule->backend[input.index()].value;
        default:
            return {};
    }
}

QVariant SplitTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
    const auto at = static_cast<std::size_t>(section);
    if (role == Qt::DisplayRole) {
        const std::array<QString, kColumnCount> titles = {
            tr("Split"), tr("Backend"), tr("Nodes"), tr("Views"), tr("Copies"), tr("Copied"), tr("Contents")};
        return titles[at];
    }
    if (role == Qt::ToolTipRole) {
        const std::array<QString, kColumnCount> tips = {
            tr("Consecutive nodes on one backend; below, the tensors copied to it before it runs"),
            tr("The backend that runs the split"),
            tr("Nodes of the split that compute"),
            tr("View operations of the split, which compute nothing"),
            tr("Tensors copied to the split's backend before it runs"),
            tr("Bytes copied before the split runs"),
            tr("First and last node, or the type and shape of a copied tensor")};
        return tips[at];
    }
    return {};
}

}  // namespace splitscope::ui
