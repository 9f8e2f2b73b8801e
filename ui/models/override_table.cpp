// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/override_table.hpp"

#include "ui/models/qt_text.hpp"

namespace splitscope::ui {

void OverrideTableModel::set_rules(std::vector<OverrideRule> rules, std::size_t own) {
    if (rules == rules_ && own == own_) return;
    beginResetModel();
    rules_ = std::move(rules);
    own_ = own;
    uses_.clear();
    problem_.clear();
    endResetModel();
}

void OverrideTableModel::all_changed() {
    if (!rules_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
}

void OverrideTableModel::set_uses(std::vector<RuleUse> uses) {
    uses_ = std::move(uses);
    problem_.clear();
    all_changed();
}

void OverrideTableModel::set_problem(const QString& problem) {
    uses_.clear();
    problem_ = problem;
    all_changed();
}

void OverrideTableModel::set_muted_colour(const QColor& colour) {
    muted_ = colour;
    all_changed();
}

int OverrideTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rules_.size());
}

int OverrideTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

Qt::ItemFlags OverrideTableModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    const bool own = index.isValid() && static_cast<std::size_t>(index.row()) < own_;
    return own && index.column() != kMatches ? flags | Qt::ItemIsEditable : flags;
}

bool OverrideTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable)) return false;
    OverrideRule rule = rules_[static_cast<std::size_t>(index.row())];
    std::string& part = index.column() == kPattern ? rule.pattern : rule.target;
    const std::string text = value.toString().trimmed().toStdString();
    if (text.empty()) return false;
    if (part == text) return true;
    part = text;
    emit rule_written(index.row(), rule);
    return true;
}

QString OverrideTableModel::use_text(std::size_t row) const {
    if (row >= uses_.size()) return problem_.isEmpty() ? QStringLiteral("…") : QStringLiteral("–");
    const RuleUse& use = uses_[row];
    if (use.shadowed == 0) return count_text(use.decided);
    return tr("%1, %2 shadowed").arg(count_text(use.decided), count_text(use.shadowed));
}

QString OverrideTableModel::use_tip(std::size_t row) const {
    if (!problem_.isEmpty()) return problem_;
    if (row >= uses_.size()) return {};
    const RuleUse& use = uses_[row];
    if (use.shadowed > 0) {
        return tr("Places %1 tensors. %2 more match, but rule %3 comes first and has placed them.")
            .arg(count_text(use.decided), count_text(use.shadowed))
            .arg(use.shadowed_by + 1);
    }
    return use.decided == 0 ? tr("No tensor of the model matches.")
                            : tr("Places %1 tensors.").arg(count_text(use.decided));
}

QVariant OverrideTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto row = static_cast<std::size_t>(index.row());
    const OverrideRule& rule = rules_[row];
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
            return index.column() == kPattern  ? to_text(rule.pattern)
                   : index.column() == kTarget ? to_text(rule.target)
                                               : use_text(row);
        case Qt::ToolTipRole:
            if (index.column() == kMatches) return use_tip(row);
            if (row >= own_) return tr("From another switch: %1").arg(to_text(rule.origin));
            return index.column() == kPattern
                       ? tr("Regular expression that matches anywhere in a tensor's name")
                       : tr("Buffer type for the weights");
        case Qt::ForegroundRole:
            if (row >= own_ || (row < uses_.size() && uses_[row].decided == 0)) return muted_;
            return {};
        default:
            return {};
    }
}

QVariant OverrideTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole) return {};
    if (orientation == Qt::Vertical) return section + 1;
    switch (section) {
        case kPattern:
            return tr("Weights matching");
        case kTarget:
            return tr("Go to");
        case kMatches:
            return tr("Tensors");
        default:
            return {};
    }
}

}  // namespace splitscope::ui
