// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/backend_delegate.hpp"

#include <QPainter>

#include "ui/models/roles.hpp"

namespace splitscope::ui {
namespace {

constexpr int kBeforeName = 23;  ///< the square and the space around it
constexpr int kAfterName = 4;
constexpr int kSecondSquare = 12;

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

    const QRect cell = option.rect;
    int name = kBeforeName;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    draw_square(*painter, QPoint(cell.left() + 7, cell.center().y() - 4), BackendId(backend.toInt()),
                backend_count_);
    if (const QVariant other = index.data(kOtherBackendRole); other.isValid()) {
        draw_square(*painter, QPoint(cell.left() + 7 + kSecondSquare, cell.center().y() - 4),
                    BackendId(other.toInt()), other_count_);
        name += kSecondSquare;
    }
    painter->setPen(theme_.colours().text);
    const QRect room = cell.adjusted(name, 0, -kAfterName, 0);
    painter->drawText(
        room, Qt::AlignLeft | Qt::AlignVCenter,
        option.fontMetrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, room.width()));
    painter->restore();
}

void BackendDelegate::draw_square(QPainter& painter, const QPoint& at, BackendId id,
                                  std::size_t count) const {
    painter.setPen(id.valid() ? Qt::NoPen : QPen(theme_.colours().unassigned, 1.2, Qt::DotLine));
    painter.setBrush(id.valid() ? QBrush(theme_.backend(id, count)) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(QRectF(at, QSizeF(9, 9)), 2, 2);
}

QSize BackendDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QSize plain = QStyledItemDelegate::sizeHint(option, index);
    if (!index.data(kBackendRole).isValid()) return plain;
    return plain + QSize(kBeforeName + (index.data(kOtherBackendRole).isValid() ? kSecondSquare : 0), 0);
}

}  // namespace splitscope::ui
