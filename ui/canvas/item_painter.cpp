// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/item_painter.hpp"

#include <algorithm>
#include <cmath>

#include "engine/tensor/shape.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

constexpr double kFullZoom = 0.58;
constexpr double kBoxZoom = 0.2;
constexpr double kNodeRadius = 7;
constexpr double kPortRadius = 4;
constexpr double kTextZoom = 0.34;
constexpr double kDimmed = 0.28;   ///< opacity of items off the path
constexpr float kHeatLevels = 31;  ///< number of distinguishable colours
constexpr double kRingRoom = 8;    ///< beyond an item, for its rings and its mark far away

QFont font_of(const QPainter& painter, double pixels, bool bold) {
    QFont font = painter.font();
    font.setPixelSize(static_cast<int>(std::max(1.0, pixels)));
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

double pen_of_rings(double zoom) {
    return std::max(2.4, 2.0 / zoom);
}
double size_of_marks(double zoom) {
    return std::max(9.0, 7.0 / zoom);
}

bool is_node(ItemKind kind) {
    return kind == ItemKind::node || kind == ItemKind::view;
}

}  // namespace

ItemPainter::Text::Text(const QPainter& painter, double pixels, bool bold)
    : font(font_of(painter, pixels, bold)), metrics(font), drop((metrics.ascent() - metrics.descent()) / 2) {}

Detail detail_at(double zoom) {
    if (zoom >= kFullZoom) return Detail::full;
    return zoom >= kBoxZoom ? Detail::boxes : Detail::flat;
}

double mark_reach(double zoom) {
    return std::max(kRingRoom + pen_of_rings(zoom), 2.3 * size_of_marks(zoom));
}

ItemPainter::ItemPainter(QPainter& painter, const CanvasContent& content, const CanvasState& state,
                         double zoom)
    : painter_(painter),
      content_(content),
      state_(state),
      colours_(*state.colours),
      big_(painter, 18, true),
      bold_(painter, 12.5, true),
      plain_(painter, 12.5, false),
      small_(painter, 10.5, false),
      zoom_(zoom),
      detail_(detail_at(zoom)) {}

bool ItemPainter::is_marked(const BlockItem& item) const {
    return item.tensor == state_.selected || item.tensor == state_.just_decided ||
           item.tensor == state_.run_at || item.tensor == state_.failed ||
           (!state_.breakpoints.empty() && state_.breakpoints.contains(item.tensor.value)) ||
           (!state_.matches.empty() && state_.matches.contains(item.tensor.value));
}

QColor ItemPainter::backend_colour(TensorId tensor) const {
    return colours_.backend(state_.backend_of(tensor), content_.analysis->machine->backends.size());
}

QColor ItemPainter::flat_colour(const BlockItem& item) const {
    const float heat = is_node(item.kind) ? state_.heat_of(item.tensor) : -1.0F;
    if (heat >= 0)
        return state_.is_dimmed(item.tensor) ? mix(colours_.block, colours_.heat(heat), 0.2)
                                             : colours_.heat(heat);
    const double strength = is_node(item.kind) ? (item.kind == ItemKind::view ? 0.35 : 0.7) : 0.25;
    return colours_.tinted(backend_colour(item.tensor), state_.is_dimmed(item.tensor) ? 0.1 : strength);
}

void ItemPainter::draw_flat(const BlockItem& item, const QRectF& box) {
    const bool found = !state_.matches.empty() && state_.matches.contains(item.tensor.value);
    if (!is_marked(item)) return;
    QColor colour = found || item.tensor == state_.run_at ? colours_.warning : colours_.accent;
    if (item.tensor == state_.failed || state_.breakpoints.contains(item.tensor.value))
        colour = colours_.error;
    painter_.fillRect(box.adjusted(-8, -8, 8, 8), colour);
}

void ItemPainter::draw_item(const BlockItem& item, const QRectF& box) {
    const bool dimmed = state_.is_dimmed(item.tensor);
    if (dimmed) painter_.setOpacity(kDimmed);
    if (is_node(item.kind)) {
        draw_node(item, box);
    } else {
        draw_pill(item, box);
    }
    if (dimmed) painter_.setOpacity(1);
}

void ItemPainter::draw_rings(const BlockItem& item, const QRectF& box, double radius) {
    painter_.setBrush(Qt::NoBrush);
    const double width = pen_of_rings(zoom_);
    const auto ring = [&](const QColor& colour, double out) {
        painter_.setPen(QPen(colour, width));
        painter_.drawRoundedRect(box.adjusted(-out, -out, out, out), radius + out, radius + out);
    };
    if (state_.matches.contains(item.tensor.value)) ring(colours_.warning, 3);
    if (item.tensor == state_.just_decided && is_node(item.kind)) ring(colours_.success, 4);
    if (item.tensor == state_.selected) ring(colours_.accent, 3);
    if (is_node(item.kind)) draw_run_marks(item, box);
}

/// An arrow where the run is paused, a cross where it failed, a dot for a breakpoint: distinguishable without
/// colour.
void ItemPainter::draw_run_marks(const BlockItem& item, const QRectF& box) {
    const double size = size_of_marks(zoom_);
    if (state_.breakpoints.contains(item.tensor.value)) {
        painter_.setPen(QPen(colours_.block, size / 6));
        painter_.setBrush(colours_.error);
        painter_.drawEllipse(box.topLeft(), size * 0.7, size * 0.7);
    }
    const QPointF left(box.left() - size * 0.6, box.center().y());
    if (item.tensor == state_.run_at) {
        painter_.setPen(QPen(colours_.warning, pen_of_rings(zoom_)));
        painter_.setBrush(Qt::NoBrush);
        painter_.drawRoundedRect(box.adjusted(-5, -5, 5, 5), kNodeRadius + 5, kNodeRadius + 5);
        painter_.setPen(QPen(colours_.block, size / 8));
        painter_.setBrush(colours_.warning);
        painter_.drawPolygon(QPolygonF{left + QPointF(-size * 1.6, -size), left + QPointF(size * 0.4, 0),
                                       left + QPointF(-size * 1.6, size)});
    }
    if (item.tensor == state_.failed) {
        painter_.setPen(QPen(colours_.error, pen_of_rings(zoom_)));
        painter_.setBrush(Qt::NoBrush);
        painter_.drawRoundedRect(box.adjusted(-5, -5, 5, 5), kNodeRadius + 5, kNodeRadius + 5);
        const QPointF middle = left - QPointF(size, 0);
        painter_.drawLine(middle + QPointF(-size * 0.7, -size * 0.7),
                          middle + QPointF(size * 0.7, size * 0.7));
        painter_.drawLine(middle + QPointF(-size * 0.7, size * 0.7),
                          middle + QPointF(size * 0.7, -size * 0.7));
    }
}

void ItemPainter::draw_badge(QPainter& painter, const QRectF& box) const {
    const QRectF badge(box.right() - 20, box.top() + 5, 15, 15);
    painter.setPen(QPen(colours_.muted, 1.6));
    painter.setBrush(Qt::NoBrush);
    painter.drawArc(badge.adjusted(2, 2, -2, -2), 40 * 16, 290 * 16);
    const QPointF tip(badge.right() - 3, badge.top() + 5);
    painter.drawLine(tip, tip + QPointF(-4.5, -0.5));
    painter.drawLine(tip, tip + QPointF(0.8, -4.5));
}

std::uint32_t ItemPainter::appearance_of(const BlockItem& item, BackendId backend) const {
    const float heat = state_.heat_of(item.tensor);
    const auto level = heat < 0 ? 0U : 1U + static_cast<std::uint32_t>(std::lround(heat * kHeatLevels));
    return (level << 20U) + (static_cast<std::uint32_t>(backend.value + 1) << 8U) +
           static_cast<std::uint32_t>(item.kind);
}

void ItemPainter::paint_box(QPainter& painter, const BlockItem& item, BackendId backend,
                            const QRectF& box) const {
    const ItemKind kind = item.kind;
    const float heat = state_.heat_of(item.tensor);
    const auto fill = [&](const QColor& of_backend) {
        return heat < 0 ? of_backend : colours_.heat(std::round(heat * kHeatLevels) / kHeatLevels);
    };
    const QColor colour = colours_.backend(backend, content_.analysis->machine->backends.size());
    const bool assigned = backend.valid();
    switch (kind) {
        case ItemKind::node:
            painter.setPen(
                QPen(mix(colour, colours_.block, 0.15), 1.3, assigned ? Qt::SolidLine : Qt::DashLine));
            painter.setBrush(fill(colours_.tinted(colour, assigned ? colours_.tint : 0.08)));
            painter.drawRoundedRect(box, kNodeRadius, kNodeRadius);
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            painter.drawRoundedRect(QRectF(box.left() + 3, box.top() + 5, 4, box.height() - 10), 2, 2);
            break;
        case ItemKind::view: {
            painter.setPen(
                QPen(mix(colour, colours_.block, 0.45), 1.3, assigned ? Qt::SolidLine : Qt::DashLine));
            painter.setBrush(fill(colours_.tinted(colour, assigned ? colours_.tint * 0.45 : 0.08)));
            painter.drawRoundedRect(box, kNodeRadius, kNodeRadius);
            QColor hatch = colour;
            hatch.setAlphaF(0.35F);
            painter.setPen(Qt::NoPen);
            painter.setBrush(QBrush(hatch, Qt::BDiagPattern));
            painter.drawRoundedRect(box, kNodeRadius, kNodeRadius);
            break;
        }
        case ItemKind::split:
            break;  // drawn by FramesItem
        case ItemKind::leaf:
        case ItemKind::stub:
            painter.setPen(QPen(mix(colour, colours_.block, 0.35), 1.1));
            painter.setBrush(colours_.tinted(colour, kind == ItemKind::stub ? 0.06 : 0.12));
            painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
            break;
        case ItemKind::in_port:
        case ItemKind::out_port:
            painter.setPen(QPen(mix(colour, colours_.block, 0.5), 1.1, Qt::DotLine));
            painter.setBrush(colours_.block);
            painter.drawRoundedRect(box, kPortRadius, kPortRadius);
            break;
    }
}

void ItemPainter::draw_box(const BlockItem& item, const QRectF& box) {
    const BackendId backend = state_.backend_of(item.tensor);
    if (!state_.cache) {
        paint_box(painter_, item, backend, box);
        return;
    }
    state_.cache->draw(painter_, {nullptr, appearance_of(item, backend)}, box, [&](QPainter& painter) {
        paint_box(painter, item, backend, QRectF(QPointF(0, 0), box.size()));
    });
}

void ItemPainter::paint_edges(QPainter& painter, const LayoutPaths& paths) const {
    const bool flat = detail_ == Detail::flat;
    painter.setRenderHint(QPainter::Antialiasing, !flat);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colours_.edge, flat ? 0 : (detail_ == Detail::full ? 1.2 : 1.6)));
    painter.drawPath(paths.all);
    painter.setRenderHint(QPainter::Antialiasing, true);
    if (detail_ != Detail::full) return;
    for (const QPainterPath& path : paths.each) draw_arrow(painter, path, colours_.edge);
}

PaintCache::Label ItemPainter::label_of(const BlockItem& item, std::uint32_t look,
                                        const std::function<PaintCache::Label()>& make) const {
    if (!state_.cache) return make();
    const std::uint32_t kind = (static_cast<std::uint32_t>(item.kind) << 4U) + look;
    return state_.cache->label({item.tensor.value, kind}, make);
}

/// Vertically centred; much cheaper than alignment by the painter.
void ItemPainter::draw_line(QPainter& painter, const Text& text, double x, const QRectF& box,
                            const QString& line) const {
    painter.setFont(text.font);
    painter.drawText(QPointF(x, box.center().y() + text.drop), line);
}

/// Box and text; cached as one pixmap once the zoom is stable.
void ItemPainter::draw_filled(const BlockItem& item, const QRectF& box) {
    const bool node = is_node(item.kind);
    const auto draw_text = [&](QPainter& painter, const QRectF& place) {
        if (node) {
            draw_node_text(painter, item, place);
        } else {
            draw_pill_text(painter, item, place);
        }
    };
    if (!state_.cache || !state_.cache->settled() || detail_ == Detail::flat) {
        draw_box(item, box);
        draw_text(painter_, box);
        return;
    }
    const BackendId backend = state_.backend_of(item.tensor);
    state_.cache->draw(painter_, {&content_.schedule().tensor(item.tensor), appearance_of(item, backend)},
                       box, [&](QPainter& painter) {
                           const QRectF place(QPointF(0, 0), box.size());
                           paint_box(painter, item, backend, place);
                           draw_text(painter, place);
                       });
}

void ItemPainter::draw_node(const BlockItem& item, const QRectF& box) {
    draw_filled(item, box);
    draw_rings(item, box, kNodeRadius);
}

void ItemPainter::draw_node_text(QPainter& painter, const BlockItem& item, const QRectF& box) const {
    const bool view = item.kind == ItemKind::view;
    const QRectF inside = box.adjusted(13, 3, -8, -3);
    painter.setPen(colours_.text);
    if (detail_ != Detail::full) {
        if (zoom_ < kTextZoom) return;
        const PaintCache::Label label = label_of(item, 1, [&] {
            PaintCache::Label made;
            made.first = big_.metrics.elidedText(tensor_label(content_.schedule(), item.tensor),
                                                 Qt::ElideRight, inside.width());
            return made;
        });
        draw_line(painter, big_, inside.left(), inside, label.first);
        return;
    }
    const bool in_place = content_.in_place[item.tensor.index()];
    const Text& title = view ? plain_ : bold_;
    const PaintCache::Label label = label_of(item, in_place ? 2 : 3, [&] {
        const Tensor& tensor = content_.schedule().tensor(item.tensor);
        PaintCache::Label made;
        made.first = title.metrics.elidedText(tensor_label(content_.schedule(), item.tensor), Qt::ElideMiddle,
                                              inside.width() - (in_place ? 16 : 0));
        const QString op = op_label(tensor);
        made.second = small_.metrics.elidedText(op, Qt::ElideRight, inside.width());
        made.third = to_text(format_shape(tensor.ne));
        made.third_width = small_.metrics.horizontalAdvance(made.third);
        if (made.third_width >= inside.width() - small_.metrics.horizontalAdvance(op) - 10)
            made.third.clear();
        return made;
    });
    if (view) {
        draw_line(painter, title, inside.left(), inside, label.first);
    } else {
        const double half = inside.height() / 2;
        draw_line(painter, title, inside.left(),
                  QRectF(inside.left(), inside.top() + 1, inside.width(), half), label.first);
        const QRectF bottom(inside.left(), inside.center().y() + 1, inside.width(), half - 2);
        painter.setPen(colours_.muted);
        draw_line(painter, small_, inside.left(), bottom, label.second);
        if (!label.third.isEmpty())
            draw_line(painter, small_, inside.right() - label.third_width, bottom, label.third);
    }
    if (in_place) draw_badge(painter, box);
}

void ItemPainter::draw_pill(const BlockItem& item, const QRectF& box) {
    const bool port = item.kind == ItemKind::in_port || item.kind == ItemKind::out_port;
    draw_filled(item, box);
    draw_rings(item, box, port ? kPortRadius : box.height() / 2);
}

void ItemPainter::draw_pill_text(QPainter& painter, const BlockItem& item, const QRectF& box) const {
    if (detail_ != Detail::full) return;
    painter.setPen(item.kind == ItemKind::leaf ? colours_.text : colours_.muted);
    const QRectF inside = box.adjusted(9, 1, -9, -1);
    const PaintCache::Label label = label_of(item, 4, [&] {
        QString name = tensor_label(content_.schedule(), item.tensor);
        if (item.kind == ItemKind::in_port) name.prepend(QStringLiteral("↓ "));
        if (item.kind == ItemKind::out_port) name.append(QStringLiteral(" ↓"));
        PaintCache::Label made;
        made.third = small_.metrics.elidedText(name, Qt::ElideLeft, inside.width());
        made.third_width = small_.metrics.horizontalAdvance(made.third);
        return made;
    });
    draw_line(painter, small_, inside.center().x() - label.third_width / 2, inside, label.third);
}

void ItemPainter::draw_arrow(QPainter& painter, const QPainterPath& path, const QColor& colour) const {
    if (path.elementCount() < 2) return;
    const QPointF tip = path.elementAt(path.elementCount() - 1);
    const QPointF before = path.elementAt(path.elementCount() - 2);
    const double angle = std::atan2(tip.y() - before.y(), tip.x() - before.x());
    const auto at = [&](double turn, double length) {
        return tip - QPointF(std::cos(angle + turn) * length, std::sin(angle + turn) * length);
    };
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({tip, at(0.42, 7), at(-0.42, 7)}));
}

void ItemPainter::draw_edges(std::size_t block_index) {
    const Block& block = content_.outline->blocks[block_index];
    const LayoutPaths& paths = *content_.paths[block_index];
    const Size size = content_.picture.layouts[block_index]->size;
    if (state_.cache) {
        state_.cache->draw(painter_, {&paths, 0}, QRectF(0, 0, size.width, size.height),
                           [&](QPainter& painter) { paint_edges(painter, paths); });
    } else {
        paint_edges(painter_, paths);
    }
    if (detail_ == Detail::flat) return;
    for (std::size_t e = 0; e < block.edges.size(); ++e) {
        const BlockEdge& edge = block.edges[e];
        const BlockItem& from = block.items[static_cast<std::size_t>(edge.from)];
        const BlockItem& to = block.items[static_cast<std::size_t>(edge.to)];
        const bool touches =
            state_.selected.valid() && (from.tensor == state_.selected || to.tensor == state_.selected);
        const bool selected = state_.path.empty() ? touches
                                                  : state_.path.contains(from.tensor.value) &&
                                                        state_.path.contains(to.tensor.value);
        if (!edge.copied && !selected) continue;
        const QColor colour = selected ? colours_.accent : colours_.copy;
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(colour, std::max(2.2, 1.4 / zoom_), edge.copied ? Qt::DashLine : Qt::SolidLine));
        painter_.drawPath(paths.each[e]);
        if (detail_ != Detail::full) continue;
        draw_arrow(painter_, paths.each[e], colour);
        // Copies from other blocks are labelled with their size at the target.
        if (edge.bytes > 0 && from.kind != ItemKind::in_port) {
            painter_.setFont(small_.font);
            painter_.setPen(colours_.copy);
            painter_.drawText(paths.each[e].pointAtPercent(0.5) + QPointF(5, 3), bytes_text(edge.bytes));
        }
    }
}

}  // namespace splitscope::ui
