// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "engine/session/summary.hpp"

namespace splitscope::ui {

/// What each backend's memory holds: weights, cache and compute buffer, with a row of totals.
class MemoryTableModel : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int { kBackend, kWeights, kCache, kCompute, kTotal, kColumnCount };

    explicit MemoryTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void set_summary(std::shared_ptr<const Analysis> analysis, std::shared_ptr<const Summary> summary);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
    std::shared_ptr<const Analysis> analysis_;
    std::shared_ptr<const Summary> summary_;
};

}  // namespace splitscope::ui
