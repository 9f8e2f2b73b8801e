// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "engine/scheduler/replay.hpp"
#include "engine/session/session.hpp"

namespace splitscope::ui {

/// The nodes of a graph, with built-in sorting and filtering instead of a proxy, so that 100,000 rows stay
/// fast. Backend and cause are those at the current decision.
class NodeTableModel : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int {
        kPosition,
        kName,
        kLayer,
        kOp,
        kType,
        kShape,
        kBytes,
        kSplit,
        kBackend,
        kCause,
        kColumnCount
    };

    struct Filter {
        QString text;       ///< in name or operation, case-insensitive
        QString op;         ///< exact operation; empty: all
        BackendId backend;  ///< none: all
        SplitId split;      ///< none: all
        bool views = true;  ///< include view operations
    };

    explicit NodeTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Both null: empty.
    void set_analysis(std::shared_ptr<const Analysis> analysis, std::shared_ptr<const Replay> replay);
    /// The current decision has changed.
    void refresh_state();
    void set_filter(const Filter& filter);
    const Filter& filter() const { return filter_; }
    /// The graph's operations with their node counts, by name.
    std::map<QString, std::size_t> ops() const;
    std::size_t total() const { return row_of_position_.size(); }

    TensorId tensor_at(int row) const;
    /// -1 if filtered out.
    int row_of(TensorId tensor) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

 private:
    void rebuild();
    const QStringList& names();
    void sort_rows();
    QVariant text_of(std::size_t position, int column) const;
    BackendId backend_of(TensorId tensor) const;

    std::shared_ptr<const Analysis> analysis_;
    std::shared_ptr<const Replay> replay_;
    QStringList names_;                 // per position, lower case, for the filter; see names()
    std::vector<std::size_t> rows_;     // positions in Graph::nodes
    std::vector<int> row_of_position_;  // -1 when filtered out
    std::vector<int> position_of_;      // per tensor
    std::vector<std::int32_t> layers_;  // per position; -1 = none
    Filter filter_;
    int sort_column_ = kPosition;
    Qt::SortOrder sort_order_ = Qt::AscendingOrder;
};

}  // namespace splitscope::ui
