// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/node_error_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

QString figure(double value) {
    return QString::number(value, 'g', 3);
}

}  // namespace

void NodeErrorTable::set_comparison(std::shared_ptr<const ValueComparison> comparison) {
    beginResetModel();
    comparison_ = std::move(comparison);
    fill();
    endResetModel();
}

void NodeErrorTable::set_only_exceeding(bool only) {
    beginResetModel();
    only_exceeding_ = only;
    fill();
    endResetModel();
}

void NodeErrorTable::set_error_colour(const QColor& colour) {
    error_ = colour;
    if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
}

void NodeErrorTable::fill() {
    rows_.clear();
    if (!comparison_) return;
    for (std::size_t n = 0; n < comparison_->nodes.size(); ++n) {
        if (!only_exceeding_ || comparison_->nodes[n].exceeds()) rows_.push_back(n);
    }
    order_rows();
}

double NodeErrorTable::key_of(std::size_t node) const {
    const NodeError& n = comparison_->nodes[node];
    const auto ordered = [&](double value) {
        // NaN is worse than any number; refused nodes have no figure.
        if (n.refused) return -1.0;
        return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
    };
    switch (sort_column_) {
        case kNmse:
            return ordered(n.nmse);
        case kTolerance:
            return ordered(n.tolerance);
        case kLargest:
            return ordered(n.largest);
        case kDiffering:
            return ordered(static_cast<double>(n.differing));
        default:
            return static_cast<double>(node);
    }
}

void NodeErrorTable::order_rows() {
    const bool up = sort_order_ == Qt::AscendingOrder;
    const auto order_by = [&](const auto& key) {
        std::ranges::stable_sort(
            rows_, [&](std::size_t a, std::size_t b) { return up ? key(a) < key(b) : key(b) < key(a); });
    };
    const auto& nodes = comparison_->nodes;
    if (sort_column_ == kTensor)
        order_by([&](std::size_t n) -> const std::string& { return nodes[n].tensor.name; });
    else if (sort_column_ == kOp)
        order_by([&](std::size_t n) -> const QString& { return nodes[n].op; });
    else
        order_by([this](std::size_t n) { return key_of(n); });
}

void NodeErrorTable::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= kColumnCount) return;
    emit layoutAboutToBeChanged();
    const QModelIndexList old = persistentIndexList();
    std::vector<std::size_t> old_nodes;
    for (const QModelIndex& index : old) old_nodes.push_back(node_at(index.row()));
    sort_column_ = column;
    sort_order_ = order;
    if (comparison_) order_rows();
    QModelIndexList moved;
    for (qsizetype i = 0; i < old.size(); ++i)
        moved += index(row_of(old_nodes[static_cast<std::size_t>(i)]), old[i].column());
    changePersistentIndexList(old, moved);
    emit layoutChanged();
}

int NodeErrorTable::row_of(std::size_t node) const {
    const auto found = std::ranges::find(rows_, node);
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int NodeErrorTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int NodeErrorTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant NodeErrorTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const std::size_t at = node_at(index.row());
    const NodeError& node = comparison_->nodes[at];
    const bool text = index.column() == kTensor || index.column() == kOp;
    switch (role) {
        case Qt::DisplayRole:
            if (index.column() == kNode) return QString::number(at);
            if (index.column() == kTensor) return to_text(node.tensor.name);
            if (index.column() == kOp) return node.op;
            if (node.refused) return index.column() == kNmse ? tr("not run") : QString();
            if (index.column() == kNmse) return figure(node.nmse);
            if (index.column() == kTolerance) return node.judged ? figure(node.tolerance) : QString();
            if (index.column() == kLargest) return figure(node.largest);
            return tr("%1 of %2")
                .arg(count_text(static_cast<std::uint64_t>(node.differing)),
                     count_text(static_cast<std::uint64_t>(node.count)));
        case Qt::ToolTipRole:
            if (node.refused) return tr("%1 does not support this operation").arg(comparison_->tested);
            if (node.reference_rounds) {
                return tr("The reference rounds activations; %1 is within tolerance of the exact product")
                    .arg(comparison_->tested);
            }
            if (!node.judged) return tr("Not checked: its operands already differ");
            return {};
        case Qt::ForegroundRole:
            return node.exceeds() ? QVariant(error_) : QVariant();
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(text ? Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter)
                                            : Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        default:
            return {};
    }
}

QVariant NodeErrorTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
    const auto at = static_cast<std::size_t>(section);
    if (role == Qt::DisplayRole) {
        const std::array<QString, kColumnCount> titles = {tr("Node"),  tr("Tensor"),    tr("Operation"),
                                                          tr("NMSE"),  tr("Tolerance"), tr("Largest"),
                                                          tr("Differ")};
        return titles[at];
    }
    if (role == Qt::ToolTipRole) {
        const std::array<QString, kColumnCount> tips = {
            tr("Position in execution order"),
            tr("Name of the node"),
            tr("Operation of the node"),
            tr("Normalised mean squared error: the sum of squared differences over the sum of squared "
               "reference values"),
            tr("The NMSE by which a correct implementation may differ"),
            tr("Largest difference of two values"),
            tr("Number of different values")};
        return tips[at];
    }
    return {};
}

}  // namespace splitscope::ui
