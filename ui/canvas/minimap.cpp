// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/minimap.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cstddef>

namespace splitscope::ui {
namespace {

constexpr QSize kSize(196, 130);
constexpr QSize kSmallSize(120, 70);
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

bool Minimap::covers_nodes(const QRect& place) const {
    const CanvasContent& content = *view_.content();
    const QRectF covered = view_.mapToScene(place).boundingRect();
    const auto hit = [&](const Rect& r) { return covered.intersects(QRectF(r.x, r.y, r.width, r.height)); };
    for (std::size_t b = 0; b < content.picture.blocks.size(); ++b) {
        if (!hit(content.picture.blocks[b])) continue;
        // A collapsed block is one box.
        if (content.collapsed[b] || content.is_overview) return true;
        const std::size_t items = content.outline->blocks[b].items.size();
        for (std::size_t i = 0; i < items; ++i) {
            const ItemRef ref{static_cast<std::int32_t>(b), static_cast<std::int32_t>(i)};
            if (hit(content.picture.box_of(*content.outline, ref))) return true;
        }
    }
    return false;
}

bool Minimap::all_in_view() const {
    const Rect& r = view_.content()->picture.bounds;
    const QRectF seen = view_.mapToScene(view_.viewport()->rect()).boundingRect();
    return seen.contains(QRectF(r.x, r.y, r.width, r.height));
}

void Minimap::place() {
    // Not needed while the whole graph is visible; in a small canvas it would cover too much.
    const bool useful = wanted_ && view_.content() && !all_in_view() && view_.width() > 3 * kSize.width() &&
                        view_.height() > 2 * kSize.height();
    setVisible(useful);
    if (!useful || mouseGrabber() == this) return;
    // Keep the position while it covers nothing.
    if (!geometry().isEmpty() && view_.rect().contains(geometry()) && placed_ && !covers_nodes(geometry()))
        return;
    QRect best;
    for (const QSize size : {kSize, kSmallSize}) {
        // The search bar is in the upper right corner.
        const int right = view_.width() - size.width() - kCorner;
        const int below = view_.height() - size.height() - kCorner;
        for (const QPoint corner : {QPoint(right, below), QPoint(kCorner, below), QPoint(kCorner, kCorner),
                                    QPoint((view_.width() - size.width()) / 2, below)}) {
            const QRect place(corner, size);
            if (best.isNull() || size == kSmallSize) best = QRect(QPoint(right, below), size);
            if (covers_nodes(place)) continue;
            show_at(place);
            return;
        }
    }
    show_at(best);
}

void Minimap::show_at(const QRect& place) {
    const bool resized = place.size() != size();
    placed_ = true;
    setFixedSize(place.size());
    move(place.topLeft());
    if (resized) draw_picture();
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
    placed_ = false;
    place();
    draw_picture();
}

void Minimap::draw_picture() {
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
