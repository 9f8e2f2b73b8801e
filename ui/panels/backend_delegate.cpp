// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/backend_delegate.hpp"

#include <QPainter>

#include "ui/models/roles.hpp"

namespace splitscope::ui {
namespace {

constexpr int kBeforeName = 23;  ///< the square and the space around it
constexpr int kAfterName = 4;

}  // namespace

void BackendDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    const QVariant backend = index.data(kBackendRole);
    if (!backend.isValid()) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem shifted = option;
    initStyleOption(&shifted, index);
    shifted.text.clear();
    const QStyle* style = option.widget ? option.widget->style() : nullptr;
    if (style) style->drawControl(QStyle::CE_ItemViewItem, &shifted, painter, option.widget);

    const BackendId id(backend.toInt());
    const QRect cell = option.rect;
    const QRectF mark(cell.left() + 7, cell.center().y() - 4, 9, 9);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(id.valid() ? Qt::NoPen : QPen(theme_.colours().unassigned, 1.2, Qt::DotLine));
    painter->setBrush(id.valid() ? QBrush(theme_.backend(id, backend_count_)) : QBrush(Qt::NoBrush));
    painter->drawRoundedRect(mark, 2, 2);
    painter->setPen(theme_.colours().text);
    painter->drawText(cell.adjusted(kBeforeName, 0, -kAfterName, 0), Qt::AlignLeft | Qt::AlignVCenter,
                      index.data(Qt::DisplayRole).toString());
    painter->restore();
}

QSize BackendDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QSize plain = QStyledItemDelegate::sizeHint(option, index);
    return index.data(kBackendRole).isValid() ? plain + QSize(kBeforeName, 0) : plain;
}

}  // namespace splitscope::ui
