// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/session/session.hpp"

namespace splitscope::ui {

/// Splits, with the tensors copied into each as children. The split of an input row is encoded in internalId
/// (split + 1; 0 for a split row), so there are no node objects.
class SplitTreeModel : public QAbstractItemModel {
    Q_OBJECT
 public:
    enum Column : int { kSplit, kBackend, kNodes, kViews, kInputs, kBytes, kWhat, kColumnCount };

    explicit SplitTreeModel(QObject* parent = nullptr) : QAbstractItemModel(parent) {}

    void set_analysis(std::shared_ptr<const Analysis> analysis);
    QModelIndex index_of(SplitId split) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Sorts the splits, not their inputs. Column `kSplit`: execution order.
    void sort(int column, Qt::SortOrder order) override;

 private:
    std::size_t split_at(int row) const { return order_[static_cast<std::size_t>(row)]; }
    void sort_rows();
    void count_views();
    std::size_t computing(std::size_t split) const;
    QVariant split_text(std::size_t split, int column) const;
    QVariant input_text(std::size_t split, std::size_t input, int column) const;

    std::shared_ptr<const Analysis> analysis_;
    std::vector<std::size_t> order_;  ///< the split of each row
    std::vector<int> row_of_;         ///< per split
    std::vector<std::size_t> views_;  ///< per split: nodes that compute nothing
    int sort_column_ = kSplit;
    Qt::SortOrder sort_order_ = Qt::AscendingOrder;
};

}  // namespace splitscope::ui
