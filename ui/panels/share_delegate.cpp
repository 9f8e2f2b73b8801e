// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/share_delegate.hpp"

#include <QPainter>
#include <algorithm>

namespace splitscope::ui {

void ShareDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const QVariant share = index.data(role_);
    if (!share.isValid()) return;
    const QRectF cell = QRectF(option.rect).adjusted(4, 0, -4, -3);
    QColor colour = theme_.colours().accent;
    colour.setAlphaF(0.75F);
    painter->fillRect(QRectF(cell.left(), cell.bottom() - 3,
                             std::max(1.0, cell.width() * std::clamp(share.toDouble(), 0.0, 1.0)), 3),
                      colour);
}

}  // namespace splitscope::ui
