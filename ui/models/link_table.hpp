// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "engine/scheduler/link_copies.hpp"
#include "engine/session/session.hpp"

namespace splitscope::ui {

/// The sums of what is copied from one backend to another.
class LinkTableModel : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int { kFrom, kTo, kCopies, kBytes, kColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void set_analysis(std::shared_ptr<const Analysis> analysis);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

 private:
    void sort_rows();

    std::shared_ptr<const Analysis> analysis_;
    std::vector<LinkCopies> rows_;
    int sort_column_ = kBytes;
    Qt::SortOrder sort_order_ = Qt::DescendingOrder;
};

}  // namespace splitscope::ui
