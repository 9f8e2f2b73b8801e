// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// Draws a proportional bar behind numbers.
class ShareDelegate : public QStyledItemDelegate {
    Q_OBJECT
 public:
    /// `role`: the share, in [0, 1].
    ShareDelegate(const Theme& theme, int role, QObject* parent)
        : QStyledItemDelegate(parent), theme_(theme), role_(role) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

 private:
    const Theme& theme_;
    int role_;
};

}  // namespace splitscope::ui
