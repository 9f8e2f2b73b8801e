// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QColor>
#include <vector>

#include "engine/models/placement/place_model.hpp"

namespace splitscope::ui {

/// The session's override rules, first match wins, with their effect on the model's tensors. Rules of other
/// switches follow and are read-only. Edits are emitted as signals and applied by the session's owner.
class OverrideTableModel : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int { kPattern, kTarget, kMatches, kColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// The first `own` rules are the user's.
    void set_rules(std::vector<OverrideRule> rules, std::size_t own);
    /// The effect of each rule, in order; empty while unknown.
    void set_uses(std::vector<RuleUse> uses);
    /// Why the rules are invalid; empty if they are valid.
    void set_problem(const QString& problem);
    /// Colour of rules without effect.
    void set_muted_colour(const QColor& colour);
    const std::vector<RuleUse>& uses() const { return uses_; }
    const QString& problem() const { return problem_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 signals:
    void rule_written(int row, const splitscope::OverrideRule& rule);

 private:
    void all_changed();
    QString use_text(std::size_t row) const;
    QString use_tip(std::size_t row) const;

    std::vector<OverrideRule> rules_;
    std::size_t own_ = 0;
    std::vector<RuleUse> uses_;
    QString problem_;
    QColor muted_;
};

}  // namespace splitscope::ui
