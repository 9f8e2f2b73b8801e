// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/session/session.hpp"

namespace splitscope::ui {

/// Tensors copied between backends, with one row per receiving split.
class CopyTableModel : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int { kTensor, kLayer, kOp, kFrom, kTo, kSplit, kBytes, kShape, kColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void set_analysis(std::shared_ptr<const Analysis> analysis);
    /// -1 if it is not copied.
    int row_of(TensorId tensor) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

 private:
    struct Copy {
        TensorId tensor;
        SplitId split;
        std::int32_t layer = -1;
    };
    void sort_rows();
    QVariant text_of(const Copy& copy, int column) const;
    BackendId from(const Copy& copy) const;
    BackendId to(const Copy& copy) const;

    std::shared_ptr<const Analysis> analysis_;
    std::vector<Copy> rows_;
    int sort_column_ = kSplit;
    Qt::SortOrder sort_order_ = Qt::AscendingOrder;
};

}  // namespace splitscope::ui
