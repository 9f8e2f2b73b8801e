// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/node_table.hpp"

#include <algorithm>
#include <array>

#include "engine/scheduler/explain.hpp"
#include "engine/tensor/shape.hpp"
#include "ui/canvas/layout/layers.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"

namespace splitscope::ui {

void NodeTableModel::set_analysis(std::shared_ptr<const Analysis> analysis,
                                  std::shared_ptr<const Replay> replay) {
    beginResetModel();
    analysis_ = std::move(analysis);
    replay_ = std::move(replay);
    names_.clear();
    position_of_.clear();
    layers_.clear();
    if (analysis_) {
        const Graph& graph = *analysis_->graph;
        layers_ = layers_of_nodes(graph);
        position_of_.assign(graph.tensors.size(), -1);
        for (std::size_t p = 0; p < graph.nodes.size(); ++p) {
            position_of_[graph.nodes[p].index()] = static_cast<int>(p);
        }
    }
    rebuild();
    endResetModel();
}

/// Created on the first text search, because most graphs are never filtered.
const QStringList& NodeTableModel::names() {
    const Graph& graph = *analysis_->graph;
    if (names_.size() == static_cast<qsizetype>(graph.nodes.size())) return names_;
    names_.reserve(static_cast<qsizetype>(graph.nodes.size()));
    for (const TensorId node : graph.nodes) {
        const Tensor& t = graph[node];
        names_.push_back((to_text(t.name) + QLatin1Char('\n') + op_label(t)).toLower());
    }
    return names_;
}

void NodeTableModel::refresh_state() {
    if (rows_.empty()) return;
    if (filter_.backend.valid()) {
        beginResetModel();
        rebuild();
        endResetModel();
        return;
    }
    emit dataChanged(index(0, kBackend), index(rowCount() - 1, kCause));
}

void NodeTableModel::set_filter(const Filter& filter) {
    if (filter.text == filter_.text && filter.op == filter_.op && filter.backend == filter_.backend &&
        filter.split == filter_.split && filter.views == filter_.views) {
        return;
    }
    beginResetModel();
    filter_ = filter;
    rebuild();
    endResetModel();
}

std::map<QString, std::size_t> NodeTableModel::ops() const {
    std::map<QString, std::size_t> counts;
    if (!analysis_) return counts;
    for (const TensorId node : analysis_->graph->nodes) ++counts[op_label((*analysis_->graph)[node])];
    return counts;
}

BackendId NodeTableModel::backend_of(TensorId tensor) const {
    return replay_ ? replay_->backend()[tensor.index()] : analysis_->schedule->backend[tensor.index()];
}

void NodeTableModel::rebuild() {
    rows_.clear();
    row_of_position_.clear();
    if (!analysis_) return;
    const Graph& graph = *analysis_->graph;
    row_of_position_.assign(graph.nodes.size(), -1);
    const QString needle = filter_.text.trimmed().toLower();
    std::size_t first = 0;
    std::size_t last = graph.nodes.size();
    if (filter_.split.valid() && filter_.split.index() < analysis_->schedule->splits.size()) {
        first = analysis_->schedule->splits[filter_.split.index()].start;
        last = std::min(last, analysis_->schedule->splits[filter_.split.index()].end);
    }
    for (std::size_t p = first; p < last; ++p) {
        const TensorId node = graph.nodes[p];
        if (!filter_.views && is_view_op(graph[node].op)) continue;
        if (filter_.backend.valid() && backend_of(node) != filter_.backend) continue;
        if (!filter_.op.isEmpty() && op_label(graph[node]) != filter_.op) continue;
        if (!needle.isEmpty() && !names()[static_cast<qsizetype>(p)].contains(needle)) continue;
        rows_.push_back(p);
    }
    sort_rows();
}

void NodeTableModel::sort_rows() {
    const Graph& graph = *analysis_->graph;
    const auto by = [this](auto key) {
        // Rows start in execution order, the default.
        if (sort_order_ == Qt::AscendingOrder && std::ranges::is_sorted(rows_, std::ranges::less{}, key))
            return;
        if (sort_order_ == Qt::AscendingOrder) {
            std::ranges::stable_sort(rows_, std::ranges::less{}, key);
        } else {
            std::ranges::stable_sort(rows_, std::ranges::greater{}, key);
        }
    };
    const auto tensor = [&graph](std::size_t p) -> const Tensor& { return graph[graph.nodes[p]]; };
    switch (sort_column_) {
        case kName:
            by([&](std::size_t p) -> const std::string& { return tensor(p).name; });
            break;
        case kLayer:
            by([&](std::size_t p) { return layers_[p]; });
            break;
        case kOp:
            by([&](std::size_t p) { return name_of(tensor(p).op); });
            break;
        case kType:
            by([&](std::size_t p) { return name_of(tensor(p).type); });
            break;
        case kShape:
            by([&](std::size_t p) { return element_count(tensor(p)); });
            break;
        case kBytes:
            by([&](std::size_t p) { return byte_size(tensor(p)); });
            break;
        case kBackend:
            by([&](std::size_t p) { return backend_of(graph.nodes[p]).value; });
            break;
        case kCause:
            by([&](std::size_t p) {
                const Cause cause = replay_ ? replay_->cause()[graph.nodes[p].index()] : Cause{};
                return static_cast<int>(cause.kind) * 16 + cause.source;
            });
            break;
        default:
            by([](std::size_t p) { return p; });
    }
    std::ranges::fill(row_of_position_, -1);
    for (std::size_t r = 0; r < rows_.size(); ++r) row_of_position_[rows_[r]] = static_cast<int>(r);
}

void NodeTableModel::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    sort_column_ = column;
    sort_order_ = order;
    if (analysis_) sort_rows();
    endResetModel();
}

TensorId NodeTableModel::tensor_at(int row) const {
    if (row < 0 || static_cast<std::size_t>(row) >= rows_.size()) return {};
    return analysis_->graph->nodes[rows_[static_cast<std::size_t>(row)]];
}

int NodeTableModel::row_of(TensorId tensor) const {
    if (!tensor.valid() || tensor.index() >= position_of_.size()) return -1;
    const int position = position_of_[tensor.index()];
    return position < 0 ? -1 : row_of_position_[static_cast<std::size_t>(position)];
}

int NodeTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int NodeTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant NodeTableModel::text_of(std::size_t position, int column) const {
    const TensorId id = analysis_->graph->nodes[position];
    const Tensor& t = (*analysis_->graph)[id];
    switch (column) {
        case kPosition:
            return static_cast<qulonglong>(position);
        case kName:
            return tensor_label(*analysis_->schedule, id);
        case kLayer:
            return layers_[position] < 0 ? QVariant() : QVariant(layers_[position]);
        case kOp:
            return op_label(t);
        case kType:
            return to_text(name_of(t.type));
        case kShape:
            return to_text(format_shape(t.ne));
        case kBytes:
            return bytes_text(byte_size(t));
        case kBackend:
            return device_label(*analysis_, backend_of(id));
        case kCause:
            return replay_ ? to_text(label_of(replay_->cause()[id.index()])) : QString();
        case kSplit: {
            if (analysis_->schedule->splits.empty()) return {};
            const SplitId split = analysis_->schedule->split_of_position(position);
            return split.valid() ? QVariant(split.value) : QVariant();
        }
        default:
            return {};
    }
}

QVariant NodeTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const std::size_t position = rows_[static_cast<std::size_t>(index.row())];
    const TensorId id = analysis_->graph->nodes[position];
    switch (role) {
        case Qt::DisplayRole:
            return text_of(position, index.column());
        case Qt::TextAlignmentRole:
            if (index.column() == kPosition || index.column() == kLayer || index.column() == kBytes ||
                index.column() == kSplit) {
                return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
            }
            return {};
        case Qt::ToolTipRole:
            if (index.column() == kCause && replay_)
                return message_text(explain(replay_->cause()[id.index()]));
            return {};
        case kTensorRole:
            return id.value;
        case kBackendRole:
            return index.column() == kBackend ? QVariant(backend_of(id).value) : QVariant();
        default:
            return {};
    }
}

QVariant NodeTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
    const auto at = static_cast<std::size_t>(section);
    if (role == Qt::DisplayRole) {
        const std::array<QString, kColumnCount> titles = {
            tr("#"),     tr("Name"),  tr("Layer"), tr("Operation"), tr("Type"),
            tr("Shape"), tr("Bytes"), tr("Split"), tr("Backend"),   tr("Cause")};
        return titles[at];
    }
    if (role == Qt::ToolTipRole) {
        const std::array<QString, kColumnCount> tips = {
            tr("Position in execution order"),
            tr("Name of the tensor the node writes"),
            tr("The layer (block of the model) that the node belongs to"),
            tr("Operation that computes the node"),
            tr("Element type of the result"),
            tr("Elements per dimension, innermost first"),
            tr("Size of the result"),
            tr("The node's split: consecutive nodes on one backend"),
            tr("Backend of the node at the current decision"),
            tr("Label of the decision that chose it")};
        return tips[at];
    }
    return {};
}

}  // namespace splitscope::ui
