// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/item_painter.hpp"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "engine/tensor/shape.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

constexpr double kFullZoom = 0.58;
constexpr double kBoxZoom = 0.2;
constexpr double kTextZoom = 0.34;

QFont font_of(const QPainter& painter, double pixels, bool bold) {
    QFont font = painter.font();
    font.setPixelSize(static_cast<int>(std::max(1.0, pixels)));
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

bool is_node(ItemKind kind) {
    return kind == ItemKind::node || kind == ItemKind::view;
}

}  // namespace

Detail detail_at(double zoom) {
    if (zoom >= kFullZoom) return Detail::full;
    return zoom >= kBoxZoom ? Detail::boxes : Detail::flat;
}

ItemPainter::ItemPainter(QPainter& painter, const CanvasContent& content, const CanvasState& state,
                         double zoom)
    : painter_(painter),
      content_(content),
      state_(state),
      colours_(state.theme->colours()),
      big_(font_of(painter, 18, true)),
      bold_(font_of(painter, 12.5, true)),
      plain_(font_of(painter, 12.5, false)),
      small_(font_of(painter, 10.5, false)),
      zoom_(zoom),
      detail_(detail_at(zoom)) {}

bool ItemPainter::is_marked(const BlockItem& item) const {
    return item.tensor == state_.selected || item.tensor == state_.just_decided ||
           (!state_.matches.empty() && state_.matches.contains(item.tensor.value));
}

QColor ItemPainter::backend_colour(TensorId tensor) const {
    return colours_.backend(state_.backend_of(tensor), content_.analysis->machine->backends.size());
}

QColor ItemPainter::flat_colour(const BlockItem& item) const {
    const double strength = is_node(item.kind) ? (item.kind == ItemKind::view ? 0.35 : 0.7) : 0.25;
    return colours_.tinted(backend_colour(item.tensor), strength);
}

void ItemPainter::draw_flat(const BlockItem& item, const QRectF& box) {
    const bool found = !state_.matches.empty() && state_.matches.contains(item.tensor.value);
    if (is_marked(item)) {
        painter_.fillRect(box.adjusted(-8, -8, 8, 8), found ? colours_.warning : colours_.accent);
    }
}

void ItemPainter::draw_item(const BlockItem& item, const QRectF& box) {
    if (is_node(item.kind)) {
        draw_node(item, box);
    } else {
        draw_pill(item, box);
    }
}

void ItemPainter::draw_rings(const BlockItem& item, const QRectF& box, double radius) {
    painter_.setBrush(Qt::NoBrush);
    const double width = std::max(2.4, 2.0 / zoom_);
    const auto ring = [&](const QColor& colour, double out) {
        painter_.setPen(QPen(colour, width));
        painter_.drawRoundedRect(box.adjusted(-out, -out, out, out), radius + out, radius + out);
    };
    if (state_.matches.contains(item.tensor.value)) ring(colours_.warning, 3);
    if (item.tensor == state_.just_decided && is_node(item.kind)) ring(colours_.success, 4);
    if (item.tensor == state_.selected) ring(colours_.accent, 3);
}

void ItemPainter::draw_badge(const QRectF& box) {
    const QRectF badge(box.right() - 20, box.top() + 5, 15, 15);
    painter_.setPen(QPen(colours_.muted, 1.6));
    painter_.setBrush(Qt::NoBrush);
    painter_.drawArc(badge.adjusted(2, 2, -2, -2), 40 * 16, 290 * 16);
    const QPointF tip(badge.right() - 3, badge.top() + 5);
    painter_.drawLine(tip, tip + QPointF(-4.5, -0.5));
    painter_.drawLine(tip, tip + QPointF(0.8, -4.5));
}

void ItemPainter::draw_node(const BlockItem& item, const QRectF& box) {
    const Tensor& tensor = content_.schedule().tensor(item.tensor);
    const QColor colour = backend_colour(item.tensor);
    const bool assigned = state_.backend_of(item.tensor).valid();
    const bool view = item.kind == ItemKind::view;
    const double radius = 7;

    painter_.setPen(
        QPen(mix(colour, colours_.block, view ? 0.45 : 0.15), 1.3, assigned ? Qt::SolidLine : Qt::DashLine));
    painter_.setBrush(
        colours_.tinted(colour, assigned ? (view ? colours_.tint * 0.45 : colours_.tint) : 0.08));
    painter_.drawRoundedRect(box, radius, radius);
    if (view) {
        QColor hatch = colour;
        hatch.setAlphaF(0.35F);
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(QBrush(hatch, Qt::BDiagPattern));
        painter_.drawRoundedRect(box, radius, radius);
    } else {
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(colour);
        painter_.drawRoundedRect(QRectF(box.left() + 3, box.top() + 5, 4, box.height() - 10), 2, 2);
    }
    draw_rings(item, box, radius);

    const QString name = tensor_label(content_.schedule(), item.tensor);
    const QRectF inside = box.adjusted(13, 3, -8, -3);
    const bool in_place = content_.in_place[item.tensor.index()];
    painter_.setPen(colours_.text);
    if (detail_ != Detail::full) {
        if (zoom_ < kTextZoom) return;
        painter_.setFont(big_);
        const QString text = QFontMetricsF(painter_.font()).elidedText(name, Qt::ElideRight, inside.width());
        painter_.drawText(inside, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), text);
        return;
    }
    painter_.setFont(view ? plain_ : bold_);
    const double name_width = inside.width() - (in_place ? 16 : 0);
    const QString shown = QFontMetricsF(painter_.font()).elidedText(name, Qt::ElideMiddle, name_width);
    if (view) {
        painter_.setPen(colours_.text);
        painter_.drawText(inside, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), shown);
    } else {
        const QRectF top(inside.left(), inside.top() + 1, inside.width(), inside.height() / 2);
        painter_.drawText(top, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), shown);
        const QRectF bottom(inside.left(), inside.center().y() + 1, inside.width(), inside.height() / 2 - 2);
        painter_.setFont(small_);
        painter_.setPen(colours_.muted);
        const QFontMetricsF metrics(painter_.font());
        const QString op = op_label(tensor);
        painter_.drawText(bottom, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
                          metrics.elidedText(op, Qt::ElideRight, inside.width()));
        const double rest = inside.width() - metrics.horizontalAdvance(op) - 10;
        const QString shape = to_text(format_shape(tensor.ne));
        if (rest > metrics.horizontalAdvance(shape)) {
            painter_.drawText(bottom, static_cast<int>(Qt::AlignVCenter | Qt::AlignRight), shape);
        }
    }
    if (in_place) draw_badge(box);
}

void ItemPainter::draw_pill(const BlockItem& item, const QRectF& box) {
    const QColor colour = backend_colour(item.tensor);
    const bool port = item.kind == ItemKind::in_port || item.kind == ItemKind::out_port;
    const double radius = port ? 4 : box.height() / 2;
    painter_.setPen(
        QPen(mix(colour, colours_.block, port ? 0.5 : 0.35), 1.1, port ? Qt::DotLine : Qt::SolidLine));
    painter_.setBrush(port ? colours_.block
                           : colours_.tinted(colour, item.kind == ItemKind::stub ? 0.06 : 0.12));
    painter_.drawRoundedRect(box, radius, radius);
    draw_rings(item, box, radius);
    if (detail_ != Detail::full) return;

    painter_.setFont(small_);
    painter_.setPen(item.kind == ItemKind::leaf ? colours_.text : colours_.muted);
    QString name = tensor_label(content_.schedule(), item.tensor);
    if (item.kind == ItemKind::in_port) name.prepend(QStringLiteral("↓ "));
    if (item.kind == ItemKind::out_port) name.append(QStringLiteral(" ↓"));
    const QRectF inside = box.adjusted(9, 1, -9, -1);
    painter_.drawText(inside, static_cast<int>(Qt::AlignCenter),
                      QFontMetricsF(painter_.font()).elidedText(name, Qt::ElideLeft, inside.width()));
}

void ItemPainter::draw_arrow(const QPainterPath& path, const QColor& colour) {
    if (path.elementCount() < 2) return;
    const QPointF tip = path.elementAt(path.elementCount() - 1);
    const QPointF before = path.elementAt(path.elementCount() - 2);
    const double angle = std::atan2(tip.y() - before.y(), tip.x() - before.x());
    const auto at = [&](double turn, double length) {
        return tip - QPointF(std::cos(angle + turn) * length, std::sin(angle + turn) * length);
    };
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(colour);
    painter_.drawPolygon(QPolygonF({tip, at(0.42, 7), at(-0.42, 7)}));
}

void ItemPainter::draw_edges(std::size_t block_index, const QRectF& seen) {
    const Block& block = content_.outline->blocks[block_index];
    const LayoutPaths& paths = *content_.paths[block_index];
    painter_.setBrush(Qt::NoBrush);
    QPen pen(colours_.edge, detail_ == Detail::full ? 1.2 : 1.6);
    painter_.setPen(pen);
    painter_.drawPath(paths.all);
    for (std::size_t e = 0; e < block.edges.size(); ++e) {
        const BlockEdge& edge = block.edges[e];
        const BlockItem& from = block.items[static_cast<std::size_t>(edge.from)];
        const BlockItem& to = block.items[static_cast<std::size_t>(edge.to)];
        const bool from_leaf = from.kind == ItemKind::leaf || from.kind == ItemKind::stub;
        const bool near_selected =
            state_.selected.valid() && (from.tensor == state_.selected || to.tensor == state_.selected);
        const bool copy = edge.copied && (from_leaf || from.kind == ItemKind::in_port);
        QColor colour = colours_.edge;
        if (copy || near_selected) {
            colour = near_selected ? colours_.accent : colours_.copy;
            painter_.setBrush(Qt::NoBrush);
            painter_.setPen(QPen(colour, std::max(2.2, 1.4 / zoom_), copy ? Qt::DashLine : Qt::SolidLine));
            painter_.drawPath(paths.each[e]);
        }
        if (detail_ != Detail::full) continue;
        if (seen.adjusted(-10, -10, 10, 10).contains(paths.each[e].currentPosition())) {
            draw_arrow(paths.each[e], colour);
        }
        if (copy && from_leaf) {
            painter_.setFont(small_);
            painter_.setPen(colours_.copy);
            painter_.drawText(paths.each[e].pointAtPercent(0.5) + QPointF(5, 3), bytes_text(edge.bytes));
        }
    }
}

}  // namespace splitscope::ui
