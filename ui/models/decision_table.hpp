// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/session/session.hpp"

namespace splitscope::ui {

/// The decisions of a schedule in order, all or on one tensor.
class DecisionTableModel : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int { kNumber, kPass, kTensor, kFrom, kTo, kCause, kColumnCount };

    explicit DecisionTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void set_analysis(std::shared_ptr<const Analysis> analysis);
    /// None: all tensors.
    void set_tensor(TensorId tensor);
    /// Restricts to decisions in [first, end) that changed a backend; empty: no restriction.
    void set_changes(std::optional<std::pair<std::size_t, std::size_t>> range);
    /// The row of the last applied decision at `position`; -1 if it is not listed.
    int row_of(std::size_t position) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
    void rebuild();

    std::shared_ptr<const Analysis> analysis_;
    TensorId tensor_;
    std::optional<std::pair<std::size_t, std::size_t>> changes_;
    std::vector<std::size_t> rows_;  // indices of decisions, ascending
};

}  // namespace splitscope::ui
