// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QColor>
#include <memory>

#include "engine/session/summary.hpp"

namespace splitscope::ui {

/// Memory of each backend (weights, caches, compute buffers, results) against its capacity, with totals.
class MemoryTableModel : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int { kBackend, kWeights, kCache, kCompute, kOutput, kTotal, kCapacity, kColumnCount };

    explicit MemoryTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void set_summary(std::shared_ptr<const Analysis> analysis, std::shared_ptr<const Summary> summary);

    /// For any device.
    bool knows_capacity() const;
    /// For totals that exceed the device's memory.
    void set_error_colour(const QColor& colour);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
    bool exceeds_memory(int row) const;

    QColor error_;
    std::shared_ptr<const Analysis> analysis_;
    std::shared_ptr<const Summary> summary_;
};

}  // namespace splitscope::ui
