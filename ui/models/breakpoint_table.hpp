// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "engine/execution/breakpoint.hpp"
#include "engine/tensor/tensor_identity.hpp"

namespace splitscope {
class Debugger;
}

namespace splitscope::ui {

/// The session's breakpoints with condition, state and hit count of the last run; editable in place.
class BreakpointTable : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int { kEnabled, kKind, kText, kLimits, kHits, kColumnCount };

    explicit BreakpointTable(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    std::vector<Breakpoint> list() const;
    /// Replaces the list without emitting edited().
    void set_list(const std::vector<Breakpoint>& list);
    /// Throws Error(usage) if the breakpoint is invalid or exceeds the limit. An existing equal breakpoint is
    /// enabled instead.
    void add(BreakpointKind kind, const std::string& text);
    void remove_row(int row);
    void clear();
    /// The row of the breakpoint on this tensor, else on its name; -1 if there is none.
    int row_of_node(const TensorIdentities& identities, TensorId tensor) const;
    /// The row with this debugger id; -1 if there is none.
    int row_of(int id) const;

    /// Passes all breakpoints to a new run's debugger and resets hit counts.
    void begin_run(Debugger& debugger);
    /// Passes an edited or added breakpoint to the debugger.
    void apply(Debugger& debugger, int row);
    void take_hits(const Debugger& debugger);
    /// For programs, which receive all of them: counts from zero.
    void begin_program();
    /// All breakpoints with their ids.
    const std::vector<Breakpoint>& numbered();
    /// `matches`: including those that did not stop.
    void set_hits(int id, std::uint64_t matches);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static QString name_of_kind(BreakpointKind kind);
    /// An example of the syntax of this kind.
    static QString hint_of_kind(BreakpointKind kind);

 signals:
    void edited(int row);
    void removed(int id);
    /// A change was refused.
    void refused(const QString& reason);

 private:
    std::vector<Breakpoint> rows_;  ///< Breakpoint::id refers to the current run; 0 without a run
};

}  // namespace splitscope::ui
