// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "engine/session/analyse_recorded.hpp"

namespace splitscope::ui {

/// Tensors placed differently by the simulation and a program, each with the simulated cause.
class RecordedDifferenceTable : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int { kTensor, kTheirs, kOurs, kCause, kColumnCount };

    explicit RecordedDifferenceTable(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// None without an analysis.
    void set_analysis(RecordedAnalysis analysis);
    /// The comparison in a sentence; requires an analysis.
    QString text() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
    QString buffers_text() const;

    RecordedAnalysis analysis_;
};

}  // namespace splitscope::ui
