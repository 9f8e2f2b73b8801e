// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_items.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <algorithm>

#include "ui/canvas/item_painter.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

QRectF to_qt(const Rect& r) {
    return {r.x, r.y, r.width, r.height};
}

constexpr double kNodesZoom = 0.045;     ///< below this a block is one fill
constexpr double kSmoothZoom = 0.15;     ///< below this edges are drawn without smoothing
constexpr double kLeastEdgeReach = 24;   ///< pixels on screen
constexpr double kLeastTitleWidth = 40;  ///< pixels of a block on screen that can hold a title
constexpr double kLeastTextPixels = 5;   ///< smaller text cannot be read
constexpr double kLabelZoom = 0.17;      ///< below this labels of copies are left to the frame's title
constexpr double kEdgeZoom = 0.1;        ///< below this edges inside blocks are under a pixel

double zoom_of(const QPainter& painter) {
    return QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter.worldTransform());
}

/// Smoothed edges would cost more than they show.
void fill_seen(QPainter& painter, const QRectF& area, const QColor& colour) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(area, colour);
    painter.setRenderHint(QPainter::Antialiasing, true);
}

/// The sides of a rectangle that are in sight.
void draw_border(QPainter& painter, const QRectF& box, const QRectF& seen, double width,
                 const QColor& colour) {
    const double half = width / 2;
    for (const QRectF& side : {QRectF(box.left() - half, box.top() - half, box.width() + width, width),
                               QRectF(box.left() - half, box.bottom() - half, box.width() + width, width),
                               QRectF(box.left() - half, box.top() - half, width, box.height() + width),
                               QRectF(box.right() - half, box.top() - half, width, box.height() + width)}) {
        const QRectF part = side & seen;
        if (!part.isEmpty()) fill_seen(painter, part, colour);
    }
}

QFont pixel_font(const QPainter& painter, double pixels) {
    QFont font = painter.font();
    font.setPixelSize(static_cast<int>(std::max(1.0, pixels)));
    font.setWeight(QFont::DemiBold);
    return font;
}

}  // namespace

FrameItem::FrameItem(const CanvasContent& content, const CanvasState& state, std::size_t frame)
    : content_(content), state_(state), frame_(frame), box_(to_qt(content.picture.frames[frame])) {
    bounds_ = box_.adjusted(-4, -4, 4, 4);
    setFlag(QGraphicsItem::ItemUsesExtendedStyleOption);
    setZValue(0);
}

QString FrameItem::title() const {
    const Frame& frame = content_.outline->frames[frame_];
    const auto nodes = count_text(frame.end - frame.start);
    if (!frame.split.valid()) return QStringLiteral("Not split · %1 nodes").arg(nodes);
    QString text = QStringLiteral("Split %1 · %2 · %3 node%4")
                       .arg(frame.split.value)
                       .arg(backend_label(*content_.analysis->machine, frame.backend), nodes,
                            frame.end - frame.start == 1 ? QString() : QStringLiteral("s"));
    if (frame.inputs > 0) {
        text += QStringLiteral(" · %1 cop%2, %3")
                    .arg(frame.inputs)
                    .arg(frame.inputs == 1 ? QStringLiteral("y") : QStringLiteral("ies"),
                         bytes_text(frame.copied_bytes));
    }
    return text;
}

void FrameItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    const double zoom = zoom_of(*painter);
    const Colours& colours = state_.theme->colours();
    const Frame& frame = content_.outline->frames[frame_];
    const QColor colour = colours.backend(frame.backend, content_.analysis->machine->backends.size());
    const bool current = frame.split.valid() && frame.split == state_.split;
    // Only what is seen: a frame can be a hundred thousand pixels wide.
    fill_seen(*painter, box_ & option->exposedRect, mix(colours.canvas, colour, current ? 0.13 : 0.07));
    const double line_width = std::max(current ? 4.0 : 2.0, (current ? 2.6 : 1.4) / zoom);
    draw_border(*painter, box_, option->exposedRect, line_width, colour);

    // The title keeps a readable size on screen as long as its strip has room.
    const double header = content_.picture.header;
    const QRectF strip(box_.left(), box_.top(), box_.width(), header);
    if (!strip.intersects(option->exposedRect)) return;
    const double pixels = std::clamp(13.0 / zoom, 17.0, header * 0.68);
    if (pixels * zoom < kLeastTextPixels) return;
    painter->setFont(pixel_font(*painter, pixels));
    const QRectF line(box_.left() + 26, box_.top() + header * 0.5 - pixels * 0.7, box_.width() - 40,
                      pixels * 1.4);
    painter->setPen(mix(colours.text, colour, 0.35));
    painter->drawText(line, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
                      QFontMetricsF(painter->font()).elidedText(title(), Qt::ElideRight, line.width()));
}

BlockGraphicsItem::BlockGraphicsItem(const CanvasContent& content, const CanvasState& state,
                                     std::size_t block)
    : content_(content), state_(state), block_(block), box_(to_qt(content.picture.blocks[block])) {
    setFlag(QGraphicsItem::ItemUsesExtendedStyleOption);
    setZValue(1);
}

void BlockGraphicsItem::paint_flat(QPainter& painter, double zoom) const {
    const Block& block = content_.outline->blocks[block_];
    ItemPainter items(painter, content_, state_, zoom);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (zoom < kNodesZoom) paint_shares(painter, box_);
    const bool nodes = zoom >= kNodesZoom;
    for (std::size_t i = 0; i < block.items.size(); ++i) {
        if (!nodes && !items.is_marked(block.items[i])) continue;
        const ItemRef ref{static_cast<std::int32_t>(block_), static_cast<std::int32_t>(i)};
        const QRectF box = to_qt(content_.picture.box_of(*content_.outline, ref));
        items.draw_flat(block.items[i], box);
        if (nodes) painter.fillRect(box, items.flat_colour(block.items[i]));
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
}

/// One fill per backend, as tall as its share of the nodes.
void BlockGraphicsItem::paint_shares(QPainter& painter, const QRectF& area) const {
    std::vector<int> shares(content_.analysis->machine->backends.size() + 1, 0);
    int total = 0;
    for (const BlockItem& item : content_.outline->blocks[block_].items) {
        if (item.kind != ItemKind::node) continue;
        ++shares[static_cast<std::size_t>(state_.backend_of(item.tensor).value + 1)];
        ++total;
    }
    double y = area.top();
    for (std::size_t s = 0; s < shares.size() && total > 0; ++s) {
        if (shares[s] == 0) continue;
        const double height = area.height() * shares[s] / total;
        const QColor colour =
            state_.theme->backend(s == 0 ? BackendId() : BackendId(s - 1), shares.size() - 1);
        painter.fillRect(QRectF(area.left(), y, area.width(), height),
                         state_.theme->colours().tinted(colour, 0.55));
        y += height;
    }
}

/// The layer as one box: what is selected or found inside is shown at its border.
void BlockGraphicsItem::paint_collapsed(QPainter& painter, double zoom) const {
    const Colours& colours = state_.theme->colours();
    const Block& block = content_.outline->blocks[block_];
    painter.setRenderHint(QPainter::Antialiasing, false);
    paint_shares(painter, QRectF(box_.left(), box_.top(), 8, box_.height()));
    painter.setRenderHint(QPainter::Antialiasing, true);
    const ItemPainter items(painter, content_, state_, zoom);
    std::size_t nodes = 0;
    bool marked = false;
    bool found = false;
    bool on_path = state_.path.empty();
    for (const BlockItem& item : block.items) {
        const bool own = item.kind == ItemKind::node || item.kind == ItemKind::view;
        nodes += own ? 1 : 0;
        marked = marked || (own && items.is_marked(item));
        found = found || (own && state_.matches.contains(item.tensor.value));
        on_path = on_path || (own && state_.path.contains(item.tensor.value));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(marked ? QPen(found ? colours.warning : colours.accent, std::max(2.4, 2.0 / zoom))
                          : QPen(colours.border, std::max(1.2, 1.0 / zoom)));
    painter.drawRoundedRect(box_, 7, 7);
    if (box_.width() * zoom < kLeastTitleWidth) return;
    painter.setFont(pixel_font(painter, std::clamp(13.0 / zoom, 15.0, 30.0)));
    painter.setPen(on_path ? colours.text : colours.faint);
    const QRectF inside = box_.adjusted(20, 6, -12, -6);
    const QString title = QStringLiteral("▸ %1").arg(to_text(block.title));
    painter.drawText(QRectF(inside.left(), inside.top(), inside.width(), inside.height() / 2),
                     static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
                     QFontMetricsF(painter.font()).elidedText(title, Qt::ElideRight, inside.width()));
    painter.setPen(colours.muted);
    painter.drawText(
        QRectF(inside.left(), inside.center().y(), inside.width(), inside.height() / 2),
        static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
        nodes == 1 ? QStringLiteral("1 node") : QStringLiteral("%1 nodes").arg(count_text(nodes)));
}

void BlockGraphicsItem::paint_title(QPainter& painter, double zoom) const {
    if (box_.width() * zoom < kLeastTitleWidth) return;
    const Colours& colours = state_.theme->colours();
    const QString title = to_text(content_.outline->blocks[block_].title);
    const double pixels = std::max(15.0, 12.0 / zoom);
    painter.setFont(pixel_font(painter, pixels));
    const QFontMetricsF metrics(painter.font());
    const double width = metrics.horizontalAdvance(title) + pixels;
    if (zoom >= 0.3) {
        painter.setPen(colours.muted);
        painter.drawText(box_.adjusted(14, 9, -14, 0), static_cast<int>(Qt::AlignTop | Qt::AlignLeft), title);
        return;
    }
    if (width > box_.width() * 0.98) return;
    const QRectF pill(box_.center().x() - width / 2, box_.top() + pixels * 0.35, width, pixels * 1.5);
    QColor back = colours.raised;
    back.setAlphaF(0.88F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(back);
    painter.drawRoundedRect(pill, pixels * 0.45, pixels * 0.45);
    painter.setPen(colours.text);
    painter.drawText(pill, static_cast<int>(Qt::AlignCenter), title);
}

void BlockGraphicsItem::paint_edges(QPainter& painter, double zoom) const {
    const Point origin = content_.picture.inner_origin(block_);
    painter.save();
    painter.translate(origin.x, origin.y);
    ItemPainter(painter, content_, state_, zoom).draw_edges(block_);
    painter.restore();
}

void BlockGraphicsItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    const double zoom = zoom_of(*painter);
    const Colours& colours = state_.theme->colours();
    fill_seen(*painter, box_ & option->exposedRect, colours.block);
    if (content_.collapsed[block_]) {
        paint_collapsed(*painter, zoom);
        return;
    }
    if (detail_at(zoom) == Detail::flat) {
        if (zoom >= kEdgeZoom) paint_edges(*painter, zoom);
        paint_flat(*painter, zoom);
        paint_title(*painter, zoom);
        return;
    }
    const Block& block = content_.outline->blocks[block_];
    paint_edges(*painter, zoom);
    ItemPainter items(*painter, content_, state_, zoom);
    const QRectF exposed = option->exposedRect.adjusted(-8, -8, 8, 8);
    for (std::size_t i = 0; i < block.items.size(); ++i) {
        const ItemRef ref{static_cast<std::int32_t>(block_), static_cast<std::int32_t>(i)};
        const QRectF box = to_qt(content_.picture.box_of(*content_.outline, ref));
        if (exposed.intersects(box)) items.draw_item(block.items[i], box);
    }
    paint_title(*painter, zoom);
}

CrossEdgesItem::CrossEdgesItem(const CanvasContent& content, const CanvasState& state)
    : content_(content), state_(state) {
    setFlag(QGraphicsItem::ItemUsesExtendedStyleOption);
    setZValue(2);
    for (const QPainterPath& path : content.cross_paths) {
        boxes_.push_back(path.boundingRect().adjusted(-6, -16, 6, 16));
        bounds_ |= boxes_.back();
    }
}

/// An edge is on the path when a reader in the block it leads to is.
bool CrossEdgesItem::on_path(const CrossEdge& edge) const {
    if (!state_.path.contains(edge.tensor.value)) return false;
    const Block& block = content_.outline->blocks[edge.to_block];
    return std::ranges::any_of(block.edges, [&](const BlockEdge& inner) {
        return static_cast<std::size_t>(inner.from) == edge.to_item &&
               state_.path.contains(block.items[static_cast<std::size_t>(inner.to)].tensor.value);
    });
}

void CrossEdgesItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    const double zoom = zoom_of(*painter);
    const Colours& colours = state_.theme->colours();
    const auto& edges = content_.outline->cross_edges;
    painter->setBrush(Qt::NoBrush);
    painter->setRenderHint(QPainter::Antialiasing, zoom >= kSmoothZoom);
    const auto draw = [&](bool copies) {
        for (std::size_t e = 0; e < edges.size(); ++e) {
            if (edges[e].copied != copies || !option->exposedRect.intersects(boxes_[e])) continue;
            const bool selected = (state_.selected.valid() && edges[e].tensor == state_.selected) ||
                                  (!state_.path.empty() && on_path(edges[e]));
            // Far away, what is not copied is a blur.
            const double reach = std::max(boxes_[e].width(), boxes_[e].height()) * zoom;
            if (!copies && !selected && reach < kLeastEdgeReach) continue;
            const QColor colour = selected ? colours.accent : (copies ? colours.copy : colours.edge);
            const double width =
                copies || selected ? std::max(3.0, 1.8 / zoom) : (zoom < kSmoothZoom ? 0 : 1.2);
            painter->setPen(QPen(colour, width));
            painter->drawPath(content_.cross_paths[e]);
        }
    };
    draw(false);
    draw(true);
    painter->setRenderHint(QPainter::Antialiasing, true);
    if (zoom < kLabelZoom) return;
    const double pixels = std::clamp(11.0 / zoom, 11.5, 44.0);
    painter->setFont(pixel_font(*painter, pixels));
    const QFontMetricsF metrics(painter->font());
    QRectF last;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (!edges[e].copied || !option->exposedRect.intersects(boxes_[e])) continue;
        const QString text = bytes_text(edges[e].bytes);
        // Where the edge arrives: ports lie side by side, so labels do too.
        const QPointF end = content_.cross_paths[e].currentPosition();
        const QPointF at(end.x(), end.y() - 22 - pixels * 0.75);
        const QSizeF size(metrics.horizontalAdvance(text) + pixels, pixels * 1.5);
        QRectF pill(at.x() - size.width() / 2, at.y() - size.height() / 2, size.width(), size.height());
        // Far away the labels of neighbouring ports would cover each other: they are stacked.
        if (pill.intersects(last)) pill.moveBottom(last.top() - pixels * 0.15);
        last = pill;
        painter->setPen(QPen(colours.copy, pixels * 0.09));
        painter->setBrush(colours.raised);
        painter->drawRoundedRect(pill, pixels * 0.5, pixels * 0.5);
        painter->setPen(colours.copy);
        painter->drawText(pill, static_cast<int>(Qt::AlignCenter), text);
    }
}

}  // namespace splitscope::ui
