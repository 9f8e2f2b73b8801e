// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/split_tree.hpp"

#include <array>

#include "engine/tensor/shape.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"

namespace splitscope::ui {

void SplitTreeModel::set_analysis(std::shared_ptr<const Analysis> analysis) {
    beginResetModel();
    analysis_ = std::move(analysis);
    endResetModel();
}

QModelIndex SplitTreeModel::index_of(SplitId split) const {
    if (!split.valid() || split.value >= rowCount()) return {};
    return index(split.value, 0);
}

QModelIndex SplitTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    const quintptr id = parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : 0;
    return createIndex(row, column, id);
}

QModelIndex SplitTreeModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == 0) return {};
    return createIndex(static_cast<int>(index.internalId() - 1), 0, quintptr(0));
}

int SplitTreeModel::rowCount(const QModelIndex& parent) const {
    if (!analysis_) return 0;
    const auto& splits = analysis_->schedule->splits;
    if (!parent.isValid()) return static_cast<int>(splits.size());
    if (parent.internalId() != 0 || parent.column() != 0) return 0;
    return static_cast<int>(splits[static_cast<std::size_t>(parent.row())].inputs.size());
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
            return backend_label(*analysis_->machine, s.backend);
        case kNodes:
            return static_cast<qulonglong>(s.end - s.start);
        case kInputs:
            return static_cast<qulonglong>(s.inputs.size());
        case kBytes: {
            std::uint64_t bytes = 0;
            for (const TensorId input : s.inputs) bytes += byte_size((*analysis_->graph)[input]);
            return s.inputs.empty() ? QString() : bytes_text(bytes);
        }
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
            return tr("from %1").arg(
                backend_label(*analysis_->machine, analysis_->schedule->backend[id.index()]));
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
    const auto split = static_cast<std::size_t>(is_split ? index.row() : index.parent().row());
    const Split& s = analysis_->schedule->splits[split];
    const TensorId input = is_split ? TensorId() : s.inputs[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return is_split ? split_text(split, index.column())
                            : input_text(split, static_cast<std::size_t>(index.row()), index.column());
        case Qt::TextAlignmentRole:
            if (index.column() == kNodes || index.column() == kInputs || index.column() == kBytes) {
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
        const std::array<QString, kColumnCount> titles = {tr("Split"),  tr("Backend"), tr("Nodes"),
                                                          tr("Copies"), tr("Copied"),  tr("What")};
        return titles[at];
    }
    if (role == Qt::ToolTipRole) {
        const std::array<QString, kColumnCount> tips = {
            tr("A run of nodes on one backend; below it, the tensors copied in before it runs"),
            tr("Where the split runs"),
            tr("Nodes in the split, view operations included"),
            tr("Tensors copied to the split's backend before it runs"),
            tr("Bytes copied before the split runs"),
            tr("First and last node, or the type and shape of a copied tensor")};
        return tips[at];
    }
    return {};
}

}  // namespace splitscope::ui
