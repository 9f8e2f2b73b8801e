// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/memory_table.hpp"

#include <QFont>
#include <array>

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
        default:
            return share.weights_bytes + share.cache_bytes + share.compute_bytes;
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
                return is_total ? tr("All")
                                : backend_label(*analysis_->machine, summary_->backends[row].backend);
            }
            std::uint64_t bytes = 0;
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
        const std::array<QString, kColumnCount> titles = {tr("Backend"), tr("Weights"), tr("Cache"),
                                                          tr("Compute"), tr("Total")};
        return titles[at];
    }
    if (role == Qt::ToolTipRole) {
        const std::array<QString, kColumnCount> tips = {
            tr("Backend whose memory it is"), tr("Model weights placed in its memory"),
            tr("KV cache: keys and values of the tokens so far"),
            tr("Compute buffer: results that live only while the graph runs"), tr("All of it")};
        return tips[at];
    }
    return {};
}

}  // namespace splitscope::ui
