// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/breakpoint_table.hpp"

#include <algorithm>

#include "engine/attach/stop_condition.hpp"
#include "engine/execution/debugger.hpp"
#include "engine/support/error.hpp"
#include "ui/models/error_text.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {

std::vector<Breakpoint> BreakpointTable::list() const {
    std::vector<Breakpoint> list = rows_;
    for (Breakpoint& breakpoint : list) {
        breakpoint.id = 0;
        breakpoint.hits = 0;
    }
    return list;
}

void BreakpointTable::set_list(const std::vector<Breakpoint>& list) {
    if (list == this->list()) return;
    beginResetModel();
    rows_ = list;
    endResetModel();
}

void BreakpointTable::add(BreakpointKind kind, const std::string& text) {
    const auto found =
        std::ranges::find_if(rows_, [&](const Breakpoint& b) { return b.kind == kind && b.text == text; });
    if (found != rows_.end()) {
        setData(index(static_cast<int>(found - rows_.begin()), kEnabled), Qt::Checked, Qt::CheckStateRole);
        return;
    }
    Breakpoint breakpoint;
    breakpoint.kind = kind;
    breakpoint.text = text;
    require_reachable(breakpoint);
    BreakpointBudget budget;
    for (const Breakpoint& other : rows_) budget.add(other);
    budget.add(breakpoint);
    const int row = rowCount();
    beginInsertRows({}, row, row);
    rows_.push_back(std::move(breakpoint));
    endInsertRows();
    emit edited(row);
}

void BreakpointTable::remove_row(int row) {
    if (row < 0 || row >= rowCount()) return;
    const int id = rows_[static_cast<std::size_t>(row)].id;
    beginRemoveRows({}, row, row);
    rows_.erase(rows_.begin() + row);
    endRemoveRows();
    emit removed(id);
}

void BreakpointTable::clear() {
    while (rowCount() > 0) remove_row(rowCount() - 1);
}

int BreakpointTable::row_of_node(const TensorIdentities& identities, TensorId tensor) const {
    int of_name = -1;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        if (rows_[row].kind != BreakpointKind::node) continue;
        const std::vector<TensorId> meant = identities.all(rows_[row].text);
        if (!std::ranges::binary_search(meant, tensor)) continue;
        if (meant.size() == 1) return static_cast<int>(row);
        if (of_name < 0) of_name = static_cast<int>(row);
    }
    return of_name;
}

int BreakpointTable::row_of(int id) const {
    const auto found = std::ranges::find(rows_, id, &Breakpoint::id);
    return found == rows_.end() || id == 0 ? -1 : static_cast<int>(found - rows_.begin());
}

void BreakpointTable::begin_run(Debugger& debugger) {
    for (Breakpoint& row : rows_) {
        row.hits = 0;
        row.id = debugger.add(row);
    }
    if (!rows_.empty()) emit dataChanged(index(0, kHits), index(rowCount() - 1, kHits));
}

void BreakpointTable::apply(Debugger& debugger, int row) {
    Breakpoint& changed = rows_[static_cast<std::size_t>(row)];
    const int old = changed.id;
    changed.id = debugger.add(changed);
    if (old > 0) debugger.remove(old);
}

void BreakpointTable::take_hits(const Debugger& debugger) {
    for (const Breakpoint& told : debugger.breakpoints()) {
        const int row = row_of(told.id);
        if (row < 0 || rows_[static_cast<std::size_t>(row)].hits == told.hits) continue;
        rows_[static_cast<std::size_t>(row)].hits = told.hits;
        emit dataChanged(index(row, kHits), index(row, kHits));
    }
}

void BreakpointTable::begin_program() {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        rows_[row].hits = 0;
        rows_[row].id = static_cast<int>(row) + 1;
    }
    if (!rows_.empty()) emit dataChanged(index(0, kHits), index(rowCount() - 1, kHits));
}

const std::vector<Breakpoint>& BreakpointTable::numbered() {
    int highest = 0;
    for (const Breakpoint& row : rows_) highest = std::max(highest, row.id);
    for (Breakpoint& row : rows_) {
        if (row.id == 0) row.id = ++highest;
    }
    return rows_;
}

void BreakpointTable::set_hits(int id, std::uint64_t matches) {
    const int row = row_of(id);
    if (row < 0) return;
    Breakpoint& changed = rows_[static_cast<std::size_t>(row)];
    changed.hits = matches - std::min(matches, changed.ignored);
    emit dataChanged(index(row, kHits), index(row, kHits));
}

int BreakpointTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int BreakpointTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant BreakpointTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Breakpoint& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::CheckStateRole && index.column() == kEnabled)
        return row.enabled ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::TextAlignmentRole && index.column() == kHits)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::ToolTipRole && index.column() == kText && row.kind != BreakpointKind::not_finite)
        return tr("Double-click to change it. %1").arg(hint_of_kind(row.kind));
    if (role == Qt::ToolTipRole && index.column() == kLimits)
        return tr(
            "Double-click to restrict it: graph=3 (only in the third graph computed), split=1, "
            "hits=5 (from the fifth match on), outside=-10..10 (a value outside the range, or not finite)");
    if (role == Qt::AccessibleTextRole && index.column() == kEnabled)
        return row.enabled ? tr("on") : tr("off");
    if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
    switch (index.column()) {
        case kKind:
            return name_of_kind(row.kind);
        case kText:
            return row.kind == BreakpointKind::not_finite && role == Qt::DisplayRole ? tr("any node")
                                                                                     : to_text(row.text);
        case kLimits:
            return to_text(limits_of(row));
        case kHits:
            return static_cast<qulonglong>(row.hits);
        default:
            return {};
    }
}

bool BreakpointTable::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
    Breakpoint& row = rows_[static_cast<std::size_t>(index.row())];
    if (index.column() == kEnabled && role == Qt::CheckStateRole) {
        row.enabled = value.toInt() == Qt::Checked;
    } else if (index.column() == kLimits && role == Qt::EditRole) {
        try {
            row = with_limits(row, value.toString().toStdString());
        } catch (const Error& error) {
            emit refused(advice_text(error));
            return false;
        }
    } else if (index.column() == kText && role == Qt::EditRole) {
        Breakpoint changed = row;
        changed.text = value.toString().trimmed().toStdString();
        try {
            BreakpointBudget budget;
            for (const Breakpoint& other : rows_) budget.add(&other == &row ? changed : other);
            require_reachable(changed);
        } catch (const Error& error) {
            emit refused(advice_text(error));
            return false;
        }
        row.text = changed.text;
    } else {
        return false;
    }
    emit dataChanged(index, index);
    emit edited(index.row());
    return true;
}

Qt::ItemFlags BreakpointTable::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!index.isValid()) return flags;
    if (index.column() == kEnabled) flags |= Qt::ItemIsUserCheckable;
    const bool has_text = rows_[static_cast<std::size_t>(index.row())].kind != BreakpointKind::not_finite;
    if (index.column() == kLimits) flags |= Qt::ItemIsEditable;
    if (index.column() == kText && has_text) flags |= Qt::ItemIsEditable;
    return flags;
}

QVariant BreakpointTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::ToolTipRole) {
        if (section == kEnabled) return tr("Whether the breakpoint is enabled");
        if (section == kHits) return tr("Number of stops in the last run");
        return {};
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case kKind:
            return tr("Stops at");
        case kText:
            return tr("Match");
        case kLimits:
            return tr("Only");
        case kHits:
            return tr("Hits");
        default:
            return QString();
    }
}

QString BreakpointTable::name_of_kind(BreakpointKind kind) {
    switch (kind) {
        case BreakpointKind::node:
            return tr("Node");
        case BreakpointKind::glob:
            return tr("Glob");
        case BreakpointKind::regex:
            return tr("Regex");
        case BreakpointKind::op:
            return tr("Operation");
        case BreakpointKind::backend:
            return tr("Backend");
        case BreakpointKind::not_finite:
            return tr("NaN or Inf");
    }
    return {};
}

QString BreakpointTable::hint_of_kind(BreakpointKind kind) {
    switch (kind) {
        case BreakpointKind::node:
            return tr("A node, e.g. Qcur-0@ROPE or norm-0@RMS_NORM#2, or all nodes with a name, e.g. Qcur-0");
        case BreakpointKind::glob:
            return tr("* any text, ? one character, e.g. ffn_*-3");
        case BreakpointKind::regex:
            return tr("Matches anywhere in the name, e.g. ^ffn_(up|gate)-[0-3]$");
        case BreakpointKind::op:
            return tr("An operation, e.g. MUL_MAT");
        case BreakpointKind::backend:
            return tr("A backend's name, e.g. GPU0");
        case BreakpointKind::not_finite:
            return tr("Checks every computed value, which takes time");
    }
    return {};
}

}  // namespace splitscope::ui
