// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <vector>

#include "ui/models/comparison.hpp"

namespace splitscope::ui {

/// Tensors with different decisions on two sides.
class DifferenceTableModel : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int { kTensor, kOp, kPass, kDecisionA, kDecisionB, kEnd, kColumnCount };

    struct Filter {
        bool only_elsewhere = false;
        std::optional<Pass> pass;
    };

    using QAbstractTableModel::QAbstractTableModel;

    void set_comparison(std::shared_ptr<const Comparison> comparison);
    void set_filter(const Filter& filter);
    /// The difference in a row.
    const ComparedTensor& at(int row) const {
        return comparison_->tensors[rows_[static_cast<std::size_t>(row)]];
    }

    /// Row of an index in Comparison::tensors; -1 = filtered out.
    int row_of(std::size_t tensor) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

 private:
    void rebuild();
    void sort_rows();
    QString text_of(const ComparedTensor& tensor, int column) const;
    QString decision_text(const Analysis& analysis, const std::optional<std::size_t>& number) const;
    QString end_text(const Analysis& analysis, TensorId tensor) const;
    /// "CPU", or "CPU / GPU0" if the sides differ.
    QString ends_text(const ComparedTensor& tensor) const;

    std::shared_ptr<const Comparison> comparison_;
    Filter filter_;
    std::vector<std::size_t> rows_;
    int sort_column_ = -1;  ///< none: graph order
    Qt::SortOrder sort_order_ = Qt::AscendingOrder;
};

}  // namespace splitscope::ui
