// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/memory_table.hpp"

#include <QFont>
#include <algorithm>
#include <array>

#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"

namespace splitscope::ui {
namespace {

std::uint64_t bytes_of(const Summary::BackendShare& share, int column) {
    switch (column) {
        case MemoryTableModel::kWeights:
            return share.weights_bytes;
        case MemoryTableModel::kCache:
            return share.cache_bytes;
        case MemoryTableModel::kCompute:
            return share.compute_bytes;
        case MemoryTableModel::kOutput:
            return share.results_bytes;
        case MemoryTableModel::kCapacity:
            return share.memory_bytes;
        default:
            return share.total_bytes();
    }
}

}  // namespace

void MemoryTableModel::set_summary(std::shared_ptr<const Analysis> analysis,
                                   std::shared_ptr<const Summary> summary) {
    beginResetModel();
    analysis_ = std::move(analysis);
    summary_ = std::move(summary);
    endResetModel();
}

void MemoryTableModel::set_error_colour(const QColor& colour) {
    error_ = colour;
    if (rowCount() > 0) emit dataChanged(index(0, kTotal), index(rowCount() - 1, kTotal));
}

bool MemoryTableModel::exceeds_memory(int row) const {
    if (static_cast<std::size_t>(row) >= summary_->backends.size()) return false;
    const auto& share = summary_->backends[static_cast<std::size_t>(row)];
    return share.memory_bytes > 0 && bytes_of(share, kTotal) > share.memory_bytes;
}

bool MemoryTableModel::knows_capacity() const {
    return summary_ &&
           std::ranges::any_of(summary_->backends, [](const auto& share) { return share.memory_bytes > 0; });
}

int MemoryTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !summary_ ? 0 : static_cast<int>(summary_->backends.size()) + 1;
}

int MemoryTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant MemoryTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto row = static_cast<std::size_t>(index.row());
    const bool is_total = row == summary_->backends.size();
    switch (role) {
        case Qt::DisplayRole: {
            if (index.column() == kBackend) {
                return is_total ? tr("All") : device_label(*analysis_, summary_->backends[row].backend);
            }
            std::uint64_t bytes = 0;
            if (index.column() == kCapacity) {
                const std::uint64_t capacity = is_total ? 0 : summary_->backends[row].memory_bytes;
                return capacity == 0 ? (is_total ? QString() : tr("not known")) : bytes_text(capacity);
            }
            if (is_total) {
                for (const auto& share : summary_->backends) bytes += bytes_of(share, index.column());
            } else {
                bytes = bytes_of(summary_->backends[row], index.column());
            }
            return bytes_text(bytes);
        }
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(index.column() == kBackend
                                           ? Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter)
                                           : Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        case Qt::FontRole:
            if (is_total || index.column() == kTotal) {
                QFont font;
                font.setBold(true);
                return font;
            }
            return {};
        case Qt::ForegroundRole:
            if (index.column() == kTotal && exceeds_memory(index.row())) return error_;
            return {};
        case Qt::ToolTipRole:
            if (index.column() != kTotal || !exceeds_memory(index.row())) return {};
            return tr("This is %1 more than the device has free.")
                .arg(bytes_text(bytes_of(summary_->backends[row], kTotal) -
                                summary_->backends[row].memory_bytes));
        case kBackendRole:
            if (index.column() != kBackend || is_total) return {};
            return summary_->backends[row].backend.value;
        default:
            return {};
    }
}

QVariant MemoryTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
    const auto at = static_cast<std::size_t>(section);
    if (role == Qt::DisplayRole) {
        const std::array<QString, kColumnCount> titles = {
            tr("Backend"), tr("Weights"), tr("Cache"), tr("Compute"), tr("Output"), tr("Total"), tr("Free")};
        return titles[at];
    }
    if (role == Qt::ToolTipRole) {
        const std::array<QString, kColumnCount> tips = {
            tr("The backend that owns the memory"),
            tr("Model weights placed in its memory"),
            tr("KV cache: keys and values of the tokens so far"),
            tr("Compute buffer: results that live only while a graph runs; for a model, the larger of the "
               "prompt graph's and the one-token graph's"),
            tr("Output buffer: logits and embeddings on the host"),
            tr("Sum of weights, cache, compute and output"),
            tr("Free memory of the device, as set under Machine")};
        return tips[at];
    }
    return {};
}

}  // namespace splitscope::ui
