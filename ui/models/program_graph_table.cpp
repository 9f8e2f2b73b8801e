// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/program_graph_table.hpp"

#include <algorithm>

#include "ui/models/qt_text.hpp"

namespace splitscope::ui {

void ProgramGraphTable::set_graphs(const std::vector<std::shared_ptr<const AttachedGraph>>& graphs,
                                   const std::map<int, std::uint64_t>& computed) {
    const std::size_t same =
        static_cast<std::size_t>(std::ranges::mismatch(rows_, graphs).in1 - rows_.begin());
    computed_ = computed;
    if (same < rows_.size()) {
        beginResetModel();
        rows_ = graphs;
        endResetModel();
    } else if (same < graphs.size()) {
        beginInsertRows({}, static_cast<int>(same), static_cast<int>(graphs.size()) - 1);
        rows_ = graphs;
        endInsertRows();
    }
    if (!rows_.empty()) emit dataChanged(index(0, kComputed), index(rowCount() - 1, kComputed));
}

int ProgramGraphTable::row_of(int number) const {
    const auto found = std::ranges::find(rows_, number, &AttachedGraph::number);
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int ProgramGraphTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ProgramGraphTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant ProgramGraphTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const AttachedGraph& graph = *rows_[static_cast<std::size_t>(index.row())];
    const bool number = index.column() != kTitle && index.column() != kPurpose;
    if (role == Qt::TextAlignmentRole && number)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::ToolTipRole) return tr("Nodes: %1").arg(count_text(graph.graph->nodes.size()));
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case kTitle:
            return graph.tokens == 0   ? tr("graph")
                   : graph.tokens == 1 ? tr("one token")
                                       : tr("prompt of %1").arg(graph.tokens);
        case kPurpose:
            return graph.purpose == "decode"    ? tr("computed")
                   : graph.purpose == "reserve" ? tr("reserved")
                                                : tr("split only");
        case kSplits:
            // Of a graph that is only split, the splits are not visible.
            return graph.captured->recorded.splits.empty()
                       ? QStringLiteral("–")
                       : count_text(graph.captured->recorded.splits.size());
        case kComputed: {
            const auto found = computed_.find(graph.number);
            return count_text(found == computed_.end() ? 0 : found->second);
        }
        default:
            return {};
    }
}

QVariant ProgramGraphTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case kTitle:
            return tr("Graph");
        case kPurpose:
            return tr("Seen");
        case kSplits:
            return tr("Splits");
        case kComputed:
            return tr("Times");
        default:
            return {};
    }
}

}  // namespace splitscope::ui
