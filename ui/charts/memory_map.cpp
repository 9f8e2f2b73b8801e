// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/memory_map.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/models/qt_text.hpp"
#include "ui/plain_text.hpp"

namespace splitscope::ui {

MemoryMap::MemoryMap(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setMouseTracking(true);
    setMinimumHeight(80);
    setAccessibleName(tr("Memory map"));
    connect(&theme, &Theme::changed, this, [this] {
        picture_ = QPixmap();
        update();
    });
}

void MemoryMap::set_timeline(std::shared_ptr<const Analysis> analysis, const BufferTimeline* timeline,
                             QColor colour, std::size_t node_count) {
    analysis_ = std::move(analysis);
    timeline_ = timeline;
    colour_ = colour;
    node_count_ = static_cast<double>(std::max<std::size_t>(node_count, 1));
    picture_ = QPixmap();
    update();
}

void MemoryMap::set_selected(TensorId tensor) {
    selected_ = tensor;
    update();
}

void MemoryMap::set_cursor(std::optional<double> node) {
    cursor_ = node;
    update();
}

QRectF MemoryMap::plot() const {
    return QRectF(rect()).adjusted(70, 10, -12, -24);
}

QRectF MemoryMap::box_of(const MemoryBlock& block) const {
    const QRectF area = plot();
    const double size = static_cast<double>(std::max<std::uint64_t>(timeline_->size, 1));
    const double left = area.left() + static_cast<double>(block.first + 1) / (node_count_ + 1) * area.width();
    const double right = area.left() + static_cast<double>(block.last + 2) / (node_count_ + 1) * area.width();
    const double bottom = area.bottom() - static_cast<double>(block.offset) / size * area.height();
    const double top = area.bottom() - static_cast<double>(block.offset + block.size) / size * area.height();
    return {left, top, std::max(1.0, right - left), std::max(1.0, bottom - top)};
}

const MemoryBlock* MemoryMap::block_at(QPointF place) const {
    if (!timeline_) return nullptr;
    for (const MemoryBlock& block : timeline_->blocks) {
        if (box_of(block).contains(place)) return &block;
    }
    return nullptr;
}

void MemoryMap::draw_picture() {
    picture_ = QPixmap(size() * devicePixelRatioF());
    picture_.setDevicePixelRatio(devicePixelRatioF());
    picture_.fill(Qt::transparent);
    QPainter painter(&picture_);
    const Colours& colours = theme_.colours();
    const QRectF area = plot();
    painter.fillRect(area, colours.field);
    std::size_t number = 0;
    for (const MemoryBlock& block : timeline_->blocks) {
        const QRectF box = box_of(block);
        // Alternate intensities of neighbours in time separate them without lines.
        painter.fillRect(box, mix(colours.field, colour_, 0.3 + 0.14 * static_cast<double>(number++ % 4)));
        if (box.width() > 4 && box.height() > 4) {
            painter.setPen(QPen(colours.field, 1));
            painter.drawRect(box);
        }
    }
    painter.setPen(colours.muted);
    QFont small = font();
    small.setPointSizeF(std::max(6.5, small.pointSizeF() - 1.5));
    painter.setFont(small);
    painter.drawText(QRectF(0, area.top() - 6, area.left() - 8, 14), Qt::AlignRight | Qt::AlignVCenter,
                     bytes_text(timeline_->size));
    painter.drawText(QRectF(0, area.bottom() - 8, area.left() - 8, 14), Qt::AlignRight | Qt::AlignVCenter,
                     QStringLiteral("0 B"));
    painter.drawText(QRectF(area.left(), area.bottom() + 4, area.width(), 16), Qt::AlignCenter,
                     tr("offset over node index · %1 lifetimes").arg(timeline_->blocks.size()));
}

void MemoryMap::paintEvent(QPaintEvent*) {
    if (!timeline_) return;
    if (picture_.isNull()) draw_picture();
    QPainter painter(this);
    painter.drawPixmap(0, 0, picture_);
    if (cursor_) {
        const QRectF area = plot();
        const double x = area.left() + (*cursor_ + 1.5) / (node_count_ + 1) * area.width();
        painter.setPen(QPen(theme_.colours().accent, 1, Qt::DashLine));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
    if (!selected_.valid()) return;
    painter.setPen(QPen(theme_.colours().accent, 2));
    painter.setBrush(Qt::NoBrush);
    for (const MemoryBlock& block : timeline_->blocks) {
        if (block.tensor == selected_) painter.drawRect(box_of(block).adjusted(-1, -1, 1, 1));
    }
}

void MemoryMap::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    picture_ = QPixmap();
}

void MemoryMap::mouseMoveEvent(QMouseEvent* event) {
    const MemoryBlock* block = block_at(event->position());
    setCursor(block ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (!block) {
        QToolTip::hideText();
        return;
    }
    PlainText::show_rich_tip(event->globalPosition().toPoint(),
                             tr("<b>%1</b><br>%2 at offset %3<br>nodes %4 to %5%6")
                                 .arg(tensor_label(*analysis_->schedule, block->tensor).toHtmlEscaped(),
                                      bytes_text(block->size), bytes_text(block->offset))
                                 .arg(std::max<NodePosition>(block->first, 0))
                                 .arg(block->last)
                                 .arg(block->in_place ? tr(" · reuses a source's memory") : QString()),
                             *this);
}

/// Tool tips follow the mouse.
bool MemoryMap::event(QEvent* event) {
    return event->type() == QEvent::ToolTip || QWidget::event(event);
}

void MemoryMap::mousePressEvent(QMouseEvent* event) {
    const MemoryBlock* block = block_at(event->position());
    if (block) emit tensor_clicked(block->tensor);
}

}  // namespace splitscope::ui
