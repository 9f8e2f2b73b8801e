// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <map>
#include <memory>
#include <vector>

#include "engine/attach/stop_condition.hpp"

namespace splitscope::ui {

/// The graphs of a program under the debugger: prompts, tokens and reserved graphs.
class ProgramGraphTable : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int { kTitle, kPurpose, kSplits, kComputed, kColumnCount };

    explicit ProgramGraphTable(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// `computed`: computations by graph number.
    void set_graphs(const std::vector<std::shared_ptr<const AttachedGraph>>& graphs,
                    const std::map<int, std::uint64_t>& computed);
    /// The program's number of the graph in a row.
    int number(int row) const { return rows_[static_cast<std::size_t>(row)]->number; }
    int row_of(int number) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
    std::vector<std::shared_ptr<const AttachedGraph>> rows_;
    std::map<int, std::uint64_t> computed_;
};

}  // namespace splitscope::ui
