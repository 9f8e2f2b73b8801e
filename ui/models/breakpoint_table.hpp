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

/// The breakpoints of the session: what they look at, whether they are on, and how often they stopped the
/// last run. Each can be switched and rewritten in place.
class BreakpointTable : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int { kEnabled, kKind, kText, kHits, kColumnCount };

    explicit BreakpointTable(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    std::vector<Breakpoint> list() const;
    /// Replaces everything, without edited().
    void set_list(const std::vector<Breakpoint>& list);
    /// Throws Error(usage) when it cannot be understood or is one too many. One that is there already is
    /// switched on instead.
    void add(BreakpointKind kind, const std::string& text);
    void remove_row(int row);
    void clear();
    /// The row of the breakpoint on this tensor alone, else of one on all that have its name; -1 for none.
    int row_of_node(const TensorIdentities& identities, TensorId tensor) const;
    /// The row with this id of the debugger's, -1 for none.
    int row_of(int id) const;

    /// Hands all to the debugger of a new run and counts from zero.
    void begin_run(Debugger& debugger);
    /// Hands one that was edited or added to the debugger.
    void apply(Debugger& debugger, int row);
    void take_hits(const Debugger& debugger);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static QString name_of_kind(BreakpointKind kind);
    /// What to write for this kind, as an example.
    static QString hint_of_kind(BreakpointKind kind);

 signals:
    void edited(int row);
    void removed(int id);
    /// A change was refused.
    void refused(const QString& reason);

 private:
    std::vector<Breakpoint> rows_;  ///< Breakpoint::id is that of the run under way, 0 without one
};

}  // namespace splitscope::ui
