// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QColor>
#include <memory>
#include <vector>

#include "ui/models/value_comparison.hpp"

namespace splitscope::ui {

/// Nodes of a numeric comparison. Sortable.
class NodeErrorTable : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int { kNode, kTensor, kOp, kNmse, kTolerance, kLargest, kDiffering, kColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void set_comparison(std::shared_ptr<const ValueComparison> comparison);
    void set_only_exceeding(bool only);
    void set_error_colour(const QColor& colour);
    /// Index in ValueComparison::nodes.
    std::size_t node_at(int row) const { return rows_[static_cast<std::size_t>(row)]; }
    /// -1 if it is not listed.
    int row_of(std::size_t node) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

 private:
    void fill();
    void order_rows();
    double key_of(std::size_t node) const;

    std::shared_ptr<const ValueComparison> comparison_;
    std::vector<std::size_t> rows_;
    bool only_exceeding_ = false;
    int sort_column_ = kNode;
    Qt::SortOrder sort_order_ = Qt::AscendingOrder;
    QColor error_;
};

}  // namespace splitscope::ui
