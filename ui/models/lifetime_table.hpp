// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "engine/memory/usage_timeline.hpp"
#include "engine/session/session.hpp"

namespace splitscope::ui {

/// Which places of a buffer to list.
enum class Places { all, at_peak };

/// Places in a compute buffer with their lifetimes, most expensive first; or those live at the peak, largest
/// first. Sortable.
class LifetimeTableModel : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int { kTensor, kBytes, kOffset, kFirst, kLast, kNodes, kAtPeak, kShare, kColumnCount };

    explicit LifetimeTableModel(Places places = Places::all) : places_(places) {}

    /// `timeline` is copied; null clears.
    void set_timeline(std::shared_ptr<const Analysis> analysis, const BufferTimeline* timeline);
    const MemoryBlock& at(int row) const { return blocks_[order_[static_cast<std::size_t>(row)]]; }
    /// -1 if the tensor is not in this buffer.
    int row_of(TensorId tensor) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

 private:
    double key_of(std::size_t block, int column) const;

    Places places_;
    std::uint64_t peak_bytes_ = 0;
    std::shared_ptr<const Analysis> analysis_;
    std::vector<MemoryBlock> blocks_;
    std::vector<bool> at_peak_;       // per block
    std::vector<std::size_t> order_;  // blocks as they are listed
};

}  // namespace splitscope::ui
