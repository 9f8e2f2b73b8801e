// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/lifetime_table.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"

namespace splitscope::ui {
namespace {

/// Number of nodes during which it is placed.
double nodes_of(const MemoryBlock& block) {
    return static_cast<double>(block.last - std::max<NodePosition>(block.first, 0) + 1);
}

}  // namespace

void LifetimeTableModel::set_timeline(std::shared_ptr<const Analysis> analysis,
                                      const BufferTimeline* timeline) {
    beginResetModel();
    analysis_ = std::move(analysis);
    blocks_ = timeline ? timeline->blocks : std::vector<MemoryBlock>();
    at_peak_.assign(blocks_.size(), false);
    if (timeline) {
        for (const std::size_t block : timeline->live_at_peak) at_peak_[block] = true;
    }
    peak_bytes_ = timeline ? timeline->peak_bytes : 0;
    if (places_ == Places::at_peak) {
        order_ = timeline ? timeline->live_at_peak : std::vector<std::size_t>();
        endResetModel();
        return;
    }
    order_.resize(blocks_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    // Bytes × nodes: where a better execution order could save most.
    std::ranges::stable_sort(order_, std::ranges::greater{}, [this](std::size_t b) {
        return static_cast<double>(blocks_[b].size) * nodes_of(blocks_[b]);
    });
    endResetModel();
}

int LifetimeTableModel::row_of(TensorId tensor) const {
    const auto found = std::ranges::find_if(
        order_, [&](std::size_t b) { return tensor.valid() && blocks_[b].tensor == tensor; });
    return found == order_.end() ? -1 : static_cast<int>(found - order_.begin());
}

int LifetimeTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int LifetimeTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

double LifetimeTableModel::key_of(std::size_t block, int column) const {
    const MemoryBlock& b = blocks_[block];
    switch (column) {
        case kBytes:
        case kShare:
            return static_cast<double>(b.size);
        case kOffset:
            return static_cast<double>(b.offset);
        case kFirst:
            return static_cast<double>(b.first);
        case kLast:
            return static_cast<double>(b.last);
        case kNodes:
            return nodes_of(b);
        case kAtPeak:
            return at_peak_[block] ? 1 : 0;
        default:
            return b.tensor.value;
    }
}

void LifetimeTableModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= kColumnCount) return;
    emit layoutAboutToBeChanged();
    const QModelIndexList old = persistentIndexList();
    std::vector<std::size_t> old_blocks;
    for (const QModelIndex& index : old) old_blocks.push_back(order_[static_cast<std::size_t>(index.row())]);
    std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) {
        return order == Qt::AscendingOrder ? key_of(a, column) < key_of(b, column)
                                           : key_of(b, column) < key_of(a, column);
    });
    std::vector<int> row_of_block(blocks_.size());
    for (std::size_t row = 0; row < order_.size(); ++row) row_of_block[order_[row]] = static_cast<int>(row);
    QModelIndexList moved;
    for (qsizetype i = 0; i < old.size(); ++i) {
        moved += index(row_of_block[old_blocks[static_cast<std::size_t>(i)]], old[i].column());
    }
    changePersistentIndexList(old, moved);
    emit layoutChanged();
}

QVariant LifetimeTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const MemoryBlock& b = at(index.row());
    switch (role) {
        case Qt::DisplayRole:
            switch (index.column()) {
                case kTensor:
                    return tensor_label(*analysis_->schedule, b.tensor);
                case kBytes:
                    return bytes_text(b.size);
                case kOffset:
                    return bytes_text(b.offset);
                case kFirst:
                    return b.first < 0 ? tr("start") : QString::number(b.first);
                case kLast:
                    return QString::number(b.last);
                case kNodes:
                    return b.in_place ? tr("%1, in place").arg(nodes_of(b)) : QString::number(nodes_of(b));
                case kAtPeak:
                    return at_peak_[order_[static_cast<std::size_t>(index.row())]] ? tr("yes") : QString();
                case kShare:
                    return tr("%1 %").arg(100.0 * static_cast<double>(b.size) /
                                              static_cast<double>(std::max<std::uint64_t>(peak_bytes_, 1)),
                                          0, 'f', 1);
                default:
                    return {};
            }
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(index.column() == kTensor || index.column() == kAtPeak
                                           ? Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter)
                                           : Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        case kTensorRole:
            return b.tensor.value;
        default:
            return {};
    }
}

QVariant LifetimeTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
    const auto at = static_cast<std::size_t>(section);
    if (role == Qt::DisplayRole) {
        const std::array<QString, kColumnCount> titles = {tr("Tensor"),      tr("Size"),    tr("Offset"),
                                                          tr("From node"),   tr("To node"), tr("Nodes"),
                                                          tr("At the peak"), tr("Share")};
        return titles[at];
    }
    if (role == Qt::ToolTipRole && section == kAtPeak) return tr("In use at the buffer's peak");
    if (role == Qt::ToolTipRole && section == kShare) return tr("Of the bytes in use at the peak");
    return {};
}

}  // namespace splitscope::ui
