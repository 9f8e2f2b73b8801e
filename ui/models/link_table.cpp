// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/link_table.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"

namespace splitscope::ui {

void LinkTableModel::set_analysis(std::shared_ptr<const Analysis> analysis) {
    beginResetModel();
    analysis_ = std::move(analysis);
    rows_.clear();
    if (analysis_) rows_ = copies_by_link(*analysis_->schedule);
    sort_rows();
    endResetModel();
}

void LinkTableModel::sort_rows() {
    const auto by = [this](auto key) {
        if (sort_order_ == Qt::AscendingOrder) {
            std::ranges::stable_sort(rows_, std::ranges::less{}, key);
        } else {
            std::ranges::stable_sort(rows_, std::ranges::greater{}, key);
        }
    };
    switch (sort_column_) {
        case kFrom:
            by([](const LinkCopies& link) { return link.from.value; });
            break;
        case kTo:
            by([](const LinkCopies& link) { return link.to.value; });
            break;
        case kCopies:
            by(&LinkCopies::copies);
            break;
        default:
            by(&LinkCopies::bytes);
    }
}

void LinkTableModel::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    sort_column_ = column;
    sort_order_ = order;
    sort_rows();
    endResetModel();
}

int LinkTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int LinkTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant LinkTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const LinkCopies& link = rows_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const BackendId end = column == kFrom ? link.from : link.to;
    switch (role) {
        case Qt::DisplayRole:
            if (column == kCopies) return static_cast<qulonglong>(link.copies);
            if (column == kBytes) return bytes_text(link.bytes);
            return device_label(*analysis_, end);
        case Qt::TextAlignmentRole:
            if (column == kCopies || column == kBytes)
                return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
            return {};
        case kBackendRole:
            return column == kFrom || column == kTo ? QVariant(end.value) : QVariant();
        default:
            return {};
    }
}

QVariant LinkTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumnCount)
        return {};
    const std::array<QString, kColumnCount> titles = {tr("From"), tr("To"), tr("Copies"), tr("Bytes")};
    return titles[static_cast<std::size_t>(section)];
}

}  // namespace splitscope::ui
