// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/minimap.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cstddef>

namespace splitscope::ui {
namespace {

constexpr QSize kSize(196, 130);
constexpr int kInset = 6;
constexpr int kCorner = 14;
constexpr std::ptrdiff_t kSmoothCopies = 100;

}  // namespace

Minimap::Minimap(CanvasView& view, const Theme& theme) : QWidget(&view), view_(view), theme_(theme) {
    setFixedSize(kSize);
    setCursor(Qt::CrossCursor);
    setToolTip(tr("The whole graph; click to navigate"));
    setAccessibleName(tr("Minimap"));
    connect(&view, &CanvasView::view_moved, this, [this] {
        place();
        update();
    });
    connect(&theme, &Theme::changed, this, &Minimap::redraw);
    place();
}

bool Minimap::covers_blocks_at(QPoint corner) const {
    const QRectF covered = view_.mapToScene(QRect(corner, size())).boundingRect();
    return std::ranges::any_of(view_.content()->picture.blocks, [&](const Rect& block) {
        return covered.intersects(QRectF(block.x, block.y, block.width, block.height));
    });
}

void Minimap::place() {
    // The upper right corner has the search bar.
    const int below = view_.height() - height() - kCorner;
    const std::array<QPoint, 3> corners = {QPoint(view_.width() - width() - kCorner, below),
                                           QPoint(kCorner, below), QPoint(kCorner, kCorner)};
    // Keep the corner while it covers nothing, or no better one is free, or it is being dragged.
    if (view_.content() && mouseGrabber() != this && covers_blocks_at(corners[corner_])) {
        const auto free = std::ranges::find_if_not(corners, [&](QPoint c) { return covers_blocks_at(c); });
        corner_ = free == corners.end() ? 0 : static_cast<std::size_t>(free - corners.begin());
    }
    move(corners[corner_]);
    // In a small canvas it would cover too much.
    setVisible(wanted_ && view_.content() && view_.width() > 3 * width() && view_.height() > 2 * height());
}

QTransform Minimap::to_map() const {
    const Rect& bounds = view_.content()->picture.bounds;
    const double scale = std::min((width() - 2.0 * kInset) / std::max(1.0, bounds.width),
                                  (height() - 2.0 * kInset) / std::max(1.0, bounds.height));
    QTransform t;
    t.translate((width() - bounds.width * scale) / 2, (height() - bounds.height * scale) / 2);
    t.scale(scale, scale);
    return t;
}

void Minimap::redraw() {
    place();
    picture_ = QPixmap();
    if (view_.content()) {
        const CanvasContent& content = *view_.content();
        const Colours& colours = theme_.colours();
        picture_ = QPixmap(size() * devicePixelRatioF());
        picture_.setDevicePixelRatio(devicePixelRatioF());
        picture_.fill(Qt::transparent);
        QPainter painter(&picture_);
        const QTransform map = to_map();
        const auto rect = [&](const Rect& r) { return map.mapRect(QRectF(r.x, r.y, r.width, r.height)); };
        const std::size_t count = content.analysis->machine->backends.size();
        for (std::size_t f = 0; f < content.picture.frames.size(); ++f) {
            const QColor colour = colours.backend(content.outline->frames[f].backend, count);
            painter.fillRect(rect(content.picture.frames[f]), mix(colours.raised, colour, 0.3));
            for (std::size_t b = content.outline->frames[f].first_block;
                 b < content.outline->frames[f].end_block; ++b) {
                painter.fillRect(rect(content.picture.blocks[b]), mix(colours.raised, colour, 0.8));
            }
        }
        // Antialiasing many lines would cost time without visible effect.
        const auto copies = std::ranges::count_if(content.outline->cross_edges, &CrossEdge::copied);
        painter.setRenderHint(QPainter::Antialiasing, copies <= kSmoothCopies);
        painter.setTransform(map);
        QPen pen(colours.copy, copies <= kSmoothCopies ? 1.2 : 0);
        pen.setCosmetic(true);
        painter.setPen(pen);
        for (std::size_t e = 0; e < content.cross_lines.size(); ++e) {
            if (content.outline->cross_edges[e].copied) painter.drawPolyline(content.cross_lines[e]);
        }
    }
    update();
}

void Minimap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours& colours = theme_.colours();
    QColor back = colours.raised;
    back.setAlphaF(0.94F);
    painter.setPen(QPen(colours.border, 1));
    painter.setBrush(back);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    if (!view_.content()) return;
    painter.drawPixmap(0, 0, picture_);
    const QRectF seen = view_.mapToScene(view_.viewport()->rect()).boundingRect();
    const QRectF marked = to_map().mapRect(seen).intersected(QRectF(rect()).adjusted(2, 2, -2, -2));
    QColor fill = colours.accent;
    fill.setAlphaF(0.13F);
    painter.setPen(QPen(colours.accent, 1.5));
    painter.setBrush(fill);
    painter.drawRoundedRect(marked, 2, 2);
}

void Minimap::go_to(QPoint place) {
    if (view_.content()) view_.centerOn(to_map().inverted().map(QPointF(place)));
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    go_to(event->pos());
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) go_to(event->pos());
}

}  // namespace splitscope::ui
