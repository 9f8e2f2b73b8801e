// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_items.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "ui/canvas/item_painter.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

constexpr double kNodesZoom = 0.045;     ///< below this a block is one fill
constexpr double kSmoothZoom = 0.3;      ///< below this edges between blocks are drawn without smoothing
constexpr double kMinEdgeReach = 24;     ///< pixels on screen
constexpr double kMinTitleWidth = 40;    ///< pixels of a block on screen that can hold a title
constexpr double kTitleShare = 0.98;     ///< of a block's width that its title may take
constexpr double kTitleHeight = 0.72;    ///< of a frame's title in its strip
constexpr double kPlainTitleZoom = 0.3;  ///< from here on a block's title has a line of its own
constexpr double kMinTextPixels = 5;     ///< smaller text cannot be read
constexpr double kReadablePixels = 9;
constexpr double kLabelZoom = 0.17;  ///< below this labels of copies are left to the frame's title
constexpr double kEdgeZoom = 0.1;    ///< below this edges inside blocks are under a pixel
constexpr double kThin = 1e-3;       ///< less than anything drawn
constexpr double kMinLabelPixels = 11.5;
constexpr double kMaxLabelPixels = 44;
constexpr double kInsideRoom = 80;  ///< around a block, for the labels of copies inside
constexpr double kTitleReach = 26;  ///< pixels on screen, of a title below its block
constexpr double kItemRoom = 8;     ///< around an item, for its border

double zoom_of(const QPainter& painter) {
    return QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter.worldTransform());
}

/// Antialiasing is slow here and makes no visible difference.
void fill_seen(QPainter& painter, const QRectF& area, const QColor& colour) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(area, colour);
    painter.setRenderHint(QPainter::Antialiasing, true);
}

/// The visible sides of a rectangle.
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

/// Draws an axis-parallel line as rectangles, which is much faster than a pen.
void draw_far(QPainter& painter, const QPolygonF& line, double width, const QColor& colour) {
    const double half = width / 2;
    for (qsizetype i = 0; i + 1 < line.size(); ++i) {
        const QPointF& a = line[i];
        const QPointF& b = line[i + 1];
        const QRectF part(QPointF(std::min(a.x(), b.x()), std::min(a.y(), b.y())),
                          QPointF(std::max(a.x(), b.x()), std::max(a.y(), b.y())));
        if (std::min(part.width(), part.height()) > 1) {
            painter.drawLine(a, b);
        } else {
            painter.fillRect(part.adjusted(-half, -half, half, half), colour);
        }
    }
}

/// Pens grow as the zoom decreases, so that they stay visible.
double frame_pen(double zoom, bool current) {
    return std::max(current ? 4.0 : 2.0, (current ? 2.6 : 1.4) / zoom);
}
double edge_pen(double zoom) {
    return std::max(3.0, 1.8 / zoom);
}

/// How far a block's drawing extends beyond its box.
double block_room(double zoom) {
    return std::max({kInsideRoom, mark_reach(zoom), kTitleReach / zoom});
}

double label_pixels(double zoom) {
    return std::clamp(11.0 / zoom, kMinLabelPixels, kMaxLabelPixels);
}

QFont pixel_font(const QPainter& painter, double pixels) {
    QFont font = painter.font();
    font.setPixelSize(static_cast<int>(std::max(1.0, pixels)));
    font.setWeight(QFont::DemiBold);
    return font;
}

/// Handles boxes of zero width, as of straight edges.
bool runs_through(const QRectF& area, const QRectF& box) {
    return box.left() < area.right() && area.left() < box.right() + kThin && box.top() < area.bottom() &&
           area.top() < box.bottom() + kThin;
}

QRectF around(const std::vector<Rect>& boxes, double room) {
    QRectF all;
    for (const Rect& box : boxes) all |= to_qt(box).adjusted(-room, -room, room, room);
    return all;
}

}  // namespace

FramesItem::FramesItem(const CanvasContent& content, const CanvasState& state)
    : content_(content), state_(state), bounds_(around(content.picture.frames, frame_pen(kMinZoom, true))) {
    setFlag(QGraphicsItem::ItemUsesExtendedStyleOption);
    setZValue(0);
    if (!content.is_overview) return;
    for (std::size_t f = 0; f < content.picture.frames.size(); ++f) {
        const QStringList all = titles(content, f);
        for (qsizetype i = 0; i < all.size(); ++i) {
            const QString& title = all[all.size() - 1 - i];
            if (i == longest_titles_.size()) longest_titles_ += QString();
            if (title.size() > longest_titles_[i].size()) longest_titles_[i] = title;
        }
    }
}

QString FramesItem::title(const CanvasContent& content, std::size_t number) {
    return titles(content, number).front();
}

/// From the full title to only the number: small boxes show the longest that fits.
QStringList FramesItem::titles(const CanvasContent& content, std::size_t number) {
    const Frame& frame = content.outline->frames[number];
    const QString nodes = nodes_text(frame.end - frame.start - frame.views, frame.views);
    if (!frame.split.valid()) return {tr("Not split · %1").arg(nodes), tr("Not split")};
    const QString split = QString::number(frame.split.value);
    const QString backend = content.device(frame.backend);
    QString text = tr("Split %1 · %2 · %3").arg(split, backend, nodes);
    QStringList all{text, tr("Split %1 · %2").arg(split, backend),
                    QStringLiteral("%1 · %2").arg(split, backend), split};
    if (frame.inputs > 0) {
        const QString bytes = bytes_text(frame.copied_bytes);
        text +=
            QStringLiteral(" · ") + (frame.inputs == 1 ? tr("1 copy, %1").arg(bytes)
                                                       : tr("%1 copies, %2").arg(frame.inputs).arg(bytes));
        all.prepend(text);
    }
    return all;
}

void FramesItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    const double zoom = zoom_of(*painter);
    const QRectF& seen = option->exposedRect;
    const double room = frame_pen(zoom, true);
    const QRectF near = seen.adjusted(-room, -room, room, room);
    for (std::size_t f = 0; f < content_.picture.frames.size(); ++f) {
        const QRectF box = to_qt(content_.picture.frames[f]);
        if (!near.intersects(box)) continue;
        // Clip to the visible part: frames can be a hundred thousand pixels wide.
        fill_seen(*painter, box & seen, filling(f));
        draw_border(*painter, box, seen, frame_pen(zoom, is_current(f)), colour_of(f));
    }
}

QColor FramesItem::colour_of(std::size_t frame) const {
    return state_.colours->backend(content_.outline->frames[frame].backend,
                                   content_.analysis->machine->backends.size());
}

QColor FramesItem::filling(std::size_t frame) const {
    return mix(state_.colours->canvas, colour_of(frame), is_current(frame) ? 0.13 : 0.07);
}

bool FramesItem::is_current(std::size_t frame) const {
    const SplitId split = content_.outline->frames[frame].split;
    return split.valid() && split == state_.split;
}

void FramesItem::paint_titles(QPainter& painter, const QRectF& seen, double zoom) const {
    for (std::size_t f = 0; f < content_.picture.frames.size(); ++f)
        if (seen.intersects(to_qt(content_.picture.frames[f]))) paint_title(painter, f, seen, zoom);
}

void FramesItem::paint_title(QPainter& painter, std::size_t number, const QRectF& seen, double zoom) const {
    const QRectF box = to_qt(content_.picture.frames[number]);
    // The title keeps a readable size on screen while it fits its strip.
    const double wanted = std::max(17.0, 13.0 / zoom);
    // Far away, it also takes the room of the edges below it.
    const double beside = content_.picture.title * kTitleHeight;
    const bool beside_edges = state_.large_titles || wanted <= beside || beside * zoom >= kReadablePixels;
    const double height = beside_edges ? content_.picture.title : content_.picture.header;
    const QRectF strip(box.left(), box.top(), box.width(), height);
    if (!strip.intersects(seen)) return;
    const double largest = std::max(17.0, height * kTitleHeight);
    double pixels = std::min(wanted, largest);
    if (!state_.large_titles && pixels * zoom < kMinTextPixels) return;
    const QStringList all = titles(content_, number);
    if (state_.large_titles) {
        const QFontMetricsF metrics(pixel_font(painter, largest));
        pixels = std::clamp(largest * (box.width() - 40) / metrics.horizontalAdvance(all.front()), pixels,
                            largest);
    }
    painter.setFont(pixel_font(painter, pixels));
    const QRectF line(box.left() + 26, box.top() + height * 0.5 - pixels * 0.7, box.width() - 40,
                      pixels * 1.4);
    painter.setPen(mix(state_.colours->text, colour_of(number), 0.35));
    const QFontMetricsF metrics(painter.font());
    if (content_.is_overview) {
        const auto shortest = all.size() - 1;
        const QString text = all[std::max<qsizetype>(0, shortest - overview_title(metrics, line.width()))];
        if (text != all.back()) {
            painter.drawText(line, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), text);
            return;
        }
        // A number takes the whole box.
        const double wide = metrics.horizontalAdvance(longest_titles_.front());
        const double room = box.width() * 0.94;
        if (wide > room) painter.setFont(pixel_font(painter, pixels * room / wide));
        painter.drawText(QRectF(box.left(), line.top(), box.width(), line.height()),
                         static_cast<int>(Qt::AlignCenter), text);
        return;
    }
    const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= line.width(); };
    const auto found = std::ranges::find_if(all, fits);
    const QString text =
        metrics.elidedText(found == all.end() ? all.back() : *found, Qt::ElideRight, line.width());
    const double width = metrics.horizontalAdvance(text);
    const double border = frame_pen(zoom, true);
    painter.fillRect(QRectF(line.left(), line.top(), width, line.height()) &
                         box.adjusted(border, border, -border, -border),
                     filling(number));
    painter.drawText(line, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), text);
}

/// Counted from the shortest.
qsizetype FramesItem::overview_title(const QFontMetricsF& metrics, double width) const {
    qsizetype chosen = 0;
    for (qsizetype i = 1; i < longest_titles_.size(); ++i) {
        if (metrics.horizontalAdvance(longest_titles_[i]) <= width) chosen = i;
    }
    return chosen;
}

namespace {

double title_pixels(double zoom) {
    return std::max(15.0, 12.0 / zoom);
}

QPointF plain_title_at(const QRectF& box) {
    return box.topLeft() + QPointF(14, 9);
}

bool is_layer(const Block& block) {
    return (block.part == BlockPart::layer || block.part == BlockPart::split) && block.layer >= 0;
}

}  // namespace

struct BlocksItem::Brush {
    QPainter& painter;
    double zoom;
    QRectF seen;
    ItemPainter items;
    QFont title_font;
    QFontMetricsF title_metrics;
    Titles layer_titles;
    std::vector<QColor> shares;  ///< per backend, the first for none
    std::vector<int> counts;     ///< scratch, alike
};

FrameTitlesItem::FrameTitlesItem(const FramesItem& frames) : frames_(frames) {
    setFlag(QGraphicsItem::ItemUsesExtendedStyleOption);
    setZValue(3);
}

void FrameTitlesItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    frames_.paint_titles(*painter, option->exposedRect, zoom_of(*painter));
}

BlocksItem::BlocksItem(const CanvasContent& content, const CanvasState& state)
    : content_(content), state_(state), bounds_(around(content.picture.blocks, block_room(kMinZoom))) {
    setFlag(QGraphicsItem::ItemUsesExtendedStyleOption);
    setZValue(1);
    // Of a layer in several pieces, the widest counts: otherwise the few nodes that a split cuts off would
    // hide all titles.
    std::map<std::int32_t, double> widest;
    for (std::size_t b = 0; b < content.outline->blocks.size(); ++b) {
        const Block& block = content.outline->blocks[b];
        if (!is_layer(block)) continue;
        double& width = widest[block.layer];
        width = std::max(width, content.picture.blocks[b].width);
        const QString title = title_of(block);
        if (title.size() <= longest_title_.size()) continue;
        longest_title_ = title;
        longest_short_title_ = short_title_of(block);
    }
    for (const auto& [layer, width] : widest)
        narrowest_layer_ = narrowest_layer_ > 0 ? std::min(narrowest_layer_, width) : width;
}

QString BlocksItem::short_title_of(const Block& block) {
    if (!is_layer(block)) return title_of(block);
    if (block.last_layer <= block.layer) return QString::number(block.layer);
    return QStringLiteral("%1–%2").arg(block.layer).arg(block.last_layer);
}

BlocksItem::Titles BlocksItem::layer_titles(double zoom) const {
    if (fits(longest_title_, narrowest_layer_, zoom)) return Titles::full;
    return fits(longest_short_title_, narrowest_layer_, zoom) ? Titles::brief : Titles::none;
}

bool BlocksItem::fits(const QString& title, double width, double zoom) {
    QFont font;
    font.setPixelSize(static_cast<int>(title_pixels(zoom)));
    font.setWeight(QFont::DemiBold);
    return QFontMetricsF(font).horizontalAdvance(title) + title_pixels(zoom) <= width * kTitleShare;
}

/// Empty if there is no room for it.
QString BlocksItem::shown_title(std::size_t number, double zoom, Titles layers) const {
    const Block& block = content_.outline->blocks[number];
    if (!is_layer(block)) {
        return content_.picture.blocks[number].width * zoom < kMinTitleWidth ? QString() : title_of(block);
    }
    if (layers == Titles::none) return {};
    const QString title = layers == Titles::brief ? short_title_of(block) : title_of(block);
    const double width = content_.picture.blocks[number].width;
    return width >= narrowest_layer_ || fits(title, width, zoom) ? title : QString();
}

std::function<QRectF(std::size_t block)> BlocksItem::title_lines(double zoom) const {
    QFont font;
    font.setPixelSize(static_cast<int>(title_pixels(zoom)));
    font.setWeight(QFont::DemiBold);
    return [this, zoom, layers = layer_titles(zoom), metrics = QFontMetricsF(font)](std::size_t number) {
        if (zoom < kPlainTitleZoom || content_.collapsed[number]) return QRectF();
        const QString title = shown_title(number, zoom, layers);
        if (title.isEmpty()) return QRectF();
        return QRectF(plain_title_at(to_qt(content_.picture.blocks[number])),
                      QSizeF(metrics.horizontalAdvance(title), metrics.height()));
    };
}

QString BlocksItem::title_of(const Block& block) {
    switch (block.part) {
        case BlockPart::input:
            return tr("Input");
        case BlockPart::output:
            return tr("Output");
        case BlockPart::layer:
        case BlockPart::split:
            if (block.layer < 0) break;
            if (block.last_layer <= block.layer) return tr("Layer %1").arg(block.layer);
            return tr("Layers %1–%2").arg(block.layer).arg(block.last_layer);
        case BlockPart::run:
            break;
    }
    return tr("Nodes %1–%2").arg(block.start).arg(block.end - 1);
}

void BlocksItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    const double zoom = zoom_of(*painter);
    const QFont title_font = pixel_font(*painter, title_pixels(zoom));
    Brush brush{*painter,
                zoom,
                option->exposedRect,
                ItemPainter(*painter, content_, state_, zoom),
                title_font,
                QFontMetricsF(title_font),
                layer_titles(zoom),
                {},
                {}};
    const std::size_t backends = content_.analysis->machine->backends.size();
    for (std::size_t s = 0; s <= backends; ++s) {
        const QColor colour = state_.colours->backend(s == 0 ? BackendId() : BackendId(s - 1), backends);
        brush.shares.push_back(state_.colours->tinted(colour, 0.55));
    }
    const double room = block_room(zoom);
    const QRectF near = brush.seen.adjusted(-room, -room, room, room);
    for (std::size_t b = 0; b < content_.picture.blocks.size(); ++b) {
        if (near.intersects(to_qt(content_.picture.blocks[b]))) paint_block(brush, b);
    }
}

void BlocksItem::paint_block(Brush& brush, std::size_t number) const {
    const QRectF box = to_qt(content_.picture.blocks[number]);
    // At small zoom, the nodes' colours cover it.
    if (brush.zoom >= kNodesZoom || content_.collapsed[number])
        fill_seen(brush.painter, box & brush.seen, state_.colours->block);
    if (content_.collapsed[number]) {
        paint_collapsed(brush, number, box);
        return;
    }
    if (detail_at(brush.zoom) == Detail::flat) {
        if (brush.zoom >= kEdgeZoom) paint_edges(brush, number);
        paint_flat(brush, number, box);
        paint_title(brush, number, box);
        return;
    }
    const Block& block = content_.outline->blocks[number];
    paint_edges(brush, number);
    const QRectF near = brush.seen.adjusted(-kItemRoom, -kItemRoom, kItemRoom, kItemRoom);
    const double reach = mark_reach(brush.zoom);
    const QRectF near_marks = brush.seen.adjusted(-reach, -reach, reach, reach);
    for (std::size_t i = 0; i < block.items.size(); ++i) {
        const ItemRef ref{static_cast<std::int32_t>(number), static_cast<std::int32_t>(i)};
        const QRectF place = to_qt(content_.picture.box_of(*content_.outline, ref));
        if (near.intersects(place) || (near_marks.intersects(place) && brush.items.is_marked(block.items[i])))
            brush.items.draw_item(block.items[i], place);
    }
    paint_title(brush, number, box);
}

void BlocksItem::paint_flat(Brush& brush, std::size_t number, const QRectF& box) const {
    const Block& block = content_.outline->blocks[number];
    brush.painter.setRenderHint(QPainter::Antialiasing, false);
    const bool nodes = brush.zoom >= kNodesZoom;
    if (!nodes) paint_shares(brush, number, box);
    for (std::size_t i = 0; i < block.items.size(); ++i) {
        if (!nodes && !brush.items.is_marked(block.items[i])) continue;
        const ItemRef ref{static_cast<std::int32_t>(number), static_cast<std::int32_t>(i)};
        const QRectF place = to_qt(content_.picture.box_of(*content_.outline, ref));
        brush.items.draw_flat(block.items[i], place);
        if (nodes) brush.painter.fillRect(place, brush.items.flat_colour(block.items[i]));
    }
    brush.painter.setRenderHint(QPainter::Antialiasing, true);
}

/// One fill per backend with a height proportional to its nodes; or the colour of the largest figure.
void BlocksItem::paint_shares(Brush& brush, std::size_t number, const QRectF& area) const {
    if (state_.heat) {
        // The maximum, because an average would hide it.
        float most = 0;
        for (const BlockItem& item : content_.outline->blocks[number].items) {
            if (item.kind == ItemKind::node) most = std::max(most, state_.heat_of(item.tensor));
        }
        brush.painter.fillRect(area, state_.colours->heat(most));
        return;
    }
    brush.counts.assign(brush.shares.size(), 0);
    int total = 0;
    for (const BlockItem& item : content_.outline->blocks[number].items) {
        if (item.kind != ItemKind::node) continue;
        const int backend = state_.backend_of(item.tensor).value;
        ++brush.counts[static_cast<std::size_t>(backend) + 1];
        ++total;
    }
    double y = area.top();
    if (total == 0) brush.painter.fillRect(area, state_.colours->block);
    for (std::size_t s = 0; s < brush.counts.size() && total > 0; ++s) {
        if (brush.counts[s] == 0) continue;
        const double height = area.height() * brush.counts[s] / total;
        brush.painter.fillRect(QRectF(area.left(), y, area.width(), height), brush.shares[s]);
        y += height;
    }
}

/// A collapsed layer; marks of its contents are shown at the border.
void BlocksItem::paint_collapsed(Brush& brush, std::size_t number, const QRectF& box) const {
    QPainter& painter = brush.painter;
    const Colours& colours = *state_.colours;
    const Block& block = content_.outline->blocks[number];
    painter.setRenderHint(QPainter::Antialiasing, false);
    paint_shares(brush, number, QRectF(box.left(), box.top(), 8, box.height()));
    painter.setRenderHint(QPainter::Antialiasing, true);
    std::size_t nodes = 0;
    std::size_t views = 0;
    bool marked = false;
    bool found = false;
    bool on_path = state_.path.empty();
    for (const BlockItem& item : block.items) {
        const bool own = item.kind == ItemKind::node || item.kind == ItemKind::view;
        nodes += item.kind == ItemKind::node ? 1 : 0;
        views += item.kind == ItemKind::view ? 1 : 0;
        marked = marked || (own && brush.items.is_marked(item));
        found = found || (own && state_.matches.contains(item.tensor.value));
        on_path = on_path || (own && state_.path.contains(item.tensor.value));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(marked ? QPen(found ? colours.warning : colours.accent, std::max(2.4, 2.0 / brush.zoom))
                          : QPen(colours.border, std::max(1.2, 1.0 / brush.zoom)));
    painter.drawRoundedRect(box, 7, 7);
    if (box.width() * brush.zoom < kMinTitleWidth) return;
    painter.setFont(pixel_font(painter, std::clamp(13.0 / brush.zoom, 15.0, 30.0)));
    painter.setPen(on_path ? colours.text : colours.faint);
    const QRectF inside = box.adjusted(20, 6, -12, -6);
    QString title = QStringLiteral("▸ %1").arg(title_of(block));
    if (QFontMetricsF(painter.font()).horizontalAdvance(title) > inside.width())
        title = QStringLiteral("▸ %1").arg(short_title_of(block));
    painter.drawText(QRectF(inside.left(), inside.top(), inside.width(), inside.height() / 2),
                     static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
                     QFontMetricsF(painter.font()).elidedText(title, Qt::ElideRight, inside.width()));
    painter.setPen(colours.muted);
    QString counts = nodes_text(nodes, views);
    if (nodes > 0 && QFontMetricsF(painter.font()).horizontalAdvance(counts) > inside.width())
        counts = nodes_text(nodes, 0);
    painter.drawText(QRectF(inside.left(), inside.center().y(), inside.width(), inside.height() / 2),
                     static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), counts);
}

void BlocksItem::paint_title(const Brush& brush, std::size_t number, const QRectF& box) const {
    const QString title = shown_title(number, brush.zoom, brush.layer_titles);
    if (title.isEmpty()) return;
    QPainter& painter = brush.painter;
    const Colours& colours = *state_.colours;
    const double pixels = title_pixels(brush.zoom);
    const QFontMetricsF& metrics = brush.title_metrics;
    painter.setFont(brush.title_font);
    if (brush.zoom >= kPlainTitleZoom) {
        painter.setPen(colours.muted);
        painter.drawText(plain_title_at(box) + QPointF(0, metrics.ascent()), title);
        return;
    }
    const double text_width = metrics.horizontalAdvance(title);
    const QRectF pill = pill_of(number, text_width, pixels);
    if (pill.isEmpty()) return;
    QColor back = colours.raised;
    back.setAlphaF(0.88F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(back);
    painter.drawRoundedRect(pill, pixels * 0.45, pixels * 0.45);
    painter.setPen(colours.text);
    painter.drawText(QPointF(pill.center().x() - text_width / 2,
                             pill.center().y() + (metrics.ascent() - metrics.descent()) / 2),
                     title);
}

QRectF BlocksItem::title_pill(std::size_t number, double zoom) const {
    const QString title = shown_title(number, zoom, layer_titles(zoom));
    if (title.isEmpty() || zoom >= kPlainTitleZoom || content_.collapsed[number]) return {};
    QFont font;
    font.setPixelSize(static_cast<int>(title_pixels(zoom)));
    font.setWeight(QFont::DemiBold);
    return pill_of(number, QFontMetricsF(font).horizontalAdvance(title), title_pixels(zoom));
}

/// Empty if there is no room.
QRectF BlocksItem::pill_of(std::size_t number, double text_width, double pixels) const {
    const QRectF box = to_qt(content_.picture.blocks[number]);
    const double width = text_width + pixels;
    if (width > box.width() * kTitleShare) return {};
    return clear_of_nodes(
        number, QRectF(box.center().x() - width / 2, box.top() + pixels * 0.35, width, pixels * 1.5));
}

/// The middle of the block's upper edge or a corner; for small groups also the space in the frame below or
/// above the block: the first that covers no node. Titles of whole layers form rows.
QRectF BlocksItem::clear_of_nodes(std::size_t number, const QRectF& middle) const {
    constexpr std::size_t kMaxItems = 400;
    const Block& block = content_.outline->blocks[number];
    if (block.items.size() > kMaxItems) return middle;
    const QRectF box = to_qt(content_.picture.blocks[number]);
    const double aside = middle.top() - box.top();
    double highest = box.bottom();
    std::vector<QRectF> nodes;
    for (std::size_t i = 0; i < block.items.size(); ++i) {
        const ItemRef ref{static_cast<std::int32_t>(number), static_cast<std::int32_t>(i)};
        nodes.push_back(to_qt(content_.picture.box_of(*content_.outline, ref)));
        highest = std::min(highest, nodes.back().top());
    }
    const auto covers = [](const QRectF& place) {
        return [&place](const QRectF& other) { return place.intersects(other); };
    };
    const QRectF left(QPointF(box.left() + aside, middle.top()), middle.size());
    const QRectF right(QPointF(box.right() - aside - middle.width(), middle.top()), middle.size());
    for (const QRectF& place : {middle, left, right})
        if (box.contains(place) && std::ranges::none_of(nodes, covers(place))) return place;
    if (is_layer(block) && box.width() >= narrowest_layer_) return middle;
    const Frame& frame = content_.outline->frames[block.frame];
    const QRectF room = to_qt(content_.picture.frames[block.frame]).adjusted(0, content_.picture.title, 0, 0);
    const QRectF below(QPointF(middle.left(), box.bottom() + aside), middle.size());
    const QRectF above(QPointF(middle.left(), highest - aside - middle.height()), middle.size());
    for (const QRectF& place : {below, above}) {
        if (!room.contains(place)) continue;
        bool free = true;
        for (std::size_t b = frame.first_block; b < frame.end_block && free; ++b)
            free = b == number || !place.intersects(to_qt(content_.picture.blocks[b]));
        if (free) return place;
    }
    return middle;
}

void BlocksItem::paint_edges(Brush& brush, std::size_t number) const {
    const Point origin = content_.picture.inner_origin(number);
    brush.painter.save();
    brush.painter.translate(origin.x, origin.y);
    brush.items.draw_edges(number);
    brush.painter.restore();
}

CrossEdgesItem::CrossEdgesItem(const CanvasContent& content, const CanvasState& state,
                               const BlocksItem& blocks)
    : content_(content), state_(state), blocks_(blocks) {
    setFlag(QGraphicsItem::ItemUsesExtendedStyleOption);
    setZValue(2);
    labels_ = labels_of_copies();
    const double pen = edge_pen(kMinZoom);
    for (const QRectF& box : content.cross_boxes) bounds_ |= box.adjusted(-pen, -pen, pen, pen);
    // The largest letters give the highest stacks, the smallest are closest to the edges; large titles push
    // labels aside.
    bounds_ |= label_bounds(kLabelZoom) | label_bounds(kPlainTitleZoom) | label_bounds(1);
}

std::vector<CrossEdgesItem::Arrival> CrossEdgesItem::arrivals() const {
    std::vector<Arrival> all;
    std::map<std::pair<double, double>, std::size_t> by_place;
    const auto& edges = content_.outline->cross_edges;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (edges[e].bytes == 0) continue;
        const QPointF end = content_.cross_paths[e].currentPosition();
        const auto [found, added] = by_place.try_emplace(std::pair(end.x(), end.y()), all.size());
        if (added) all.push_back({end, edges[e].to_block, 0, 0});
        Arrival& arrival = all[found->second];
        ++arrival.copies;
        arrival.bytes += edges[e].bytes;
    }
    add_hidden_copies(all);
    return all;
}

/// Copies of leafs are shown inside blocks; those of collapsed blocks count at the first arrival of the
/// split.
void CrossEdgesItem::add_hidden_copies(std::vector<Arrival>& all) const {
    const Outline& outline = *content_.outline;
    for (std::size_t f = 0; f < outline.frames.size(); ++f) {
        const Frame& frame = outline.frames[f];
        Arrival hidden;
        for (std::size_t b = frame.first_block; b < frame.end_block; ++b) {
            if (!content_.collapsed[b]) continue;
            const Block& block = outline.blocks[b];
            for (const BlockEdge& edge : block.edges) {
                const bool of_port =
                    block.items[static_cast<std::size_t>(edge.from)].kind == ItemKind::in_port;
                if (edge.bytes == 0 || of_port) continue;
                ++hidden.copies;
                hidden.bytes += edge.bytes;
            }
        }
        if (hidden.copies == 0) continue;
        const auto first = std::ranges::find(
            all, f, [&](const Arrival& arrival) { return outline.blocks[arrival.block].frame; });
        if (first != all.end()) {
            first->copies += hidden.copies;
            first->bytes += hidden.bytes;
        } else {
            const Rect& box = content_.picture.frames[f];
            all.push_back({{box.x + box.width / 4, box.y}, frame.first_block, hidden.copies, hidden.bytes});
        }
    }
}

/// Copied inputs of the graph have no edge in an overview, and count.
std::vector<CrossEdgesItem::Arrival> CrossEdgesItem::arrivals_of_splits() const {
    std::vector<Arrival> all;
    std::vector<QPointF> ends;
    for (const Rect& frame : content_.picture.frames) ends.emplace_back(frame.x + frame.width / 4, frame.y);
    const auto& edges = content_.outline->cross_edges;
    for (std::size_t e = edges.size(); e-- > 0;) {
        if (edges[e].copied)
            ends[content_.outline->blocks[edges[e].to_block].frame] =
                content_.cross_paths[e].currentPosition();
    }
    for (std::size_t f = 0; f < content_.outline->frames.size(); ++f) {
        const Frame& frame = content_.outline->frames[f];
        if (frame.inputs > 0) all.push_back({ends[f], frame.first_block, frame.inputs, frame.copied_bytes});
    }
    return all;
}

std::vector<CrossEdgesItem::Label> CrossEdgesItem::labels_of_copies() const {
    QFont font;
    font.setPixelSize(static_cast<int>(kMaxLabelPixels));
    font.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(font);
    // Many copies have equal sizes.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<QString, double>> texts;
    std::vector<Label> labels;
    for (const Arrival& arrival : content_.is_overview ? arrivals_of_splits() : arrivals()) {
        auto& [text, width] = texts[{arrival.copies, arrival.bytes}];
        if (text.isEmpty()) {
            text = arrival.copies == 1
                       ? bytes_text(arrival.bytes)
                       : tr("%1 copies, %2").arg(count_text(arrival.copies), bytes_text(arrival.bytes));
            width = metrics.horizontalAdvance(text) / kMaxLabelPixels;
        }
        labels.push_back({arrival.end, arrival.block, text, width});
    }
    return labels;
}

const std::vector<QRectF>& CrossEdgesItem::label_places(double zoom) const {
    if (zoom == placed_zoom_) return label_places_;
    placed_zoom_ = zoom;
    const double pixels = label_pixels(zoom);
    label_places_.clear();
    const auto line_of = blocks_.title_lines(zoom);
    QRectF last;
    for (const Label& label : labels_) {
        // At the end of the edge: ports are side by side, and so are labels.
        const QPointF at(label.end.x(), label.end.y() - 5 - pixels * 0.75);
        const QSizeF size((label.width + 1) * pixels, pixels * 1.5);
        QRectF pill(at.x() - size.width() / 2, at.y() - size.height() / 2, size.width(), size.height());
        // Beside the titles of the block and of the frame, not on them.
        const QRectF line = line_of(label.block);
        if (pill.intersects(line)) pill.moveLeft(line.right() + pixels * 0.4);
        const Rect& frame = content_.picture.frames[content_.outline->blocks[label.block].frame];
        const QRectF strip(frame.x, frame.y, frame.width, content_.picture.header);
        if (pill.intersects(strip)) pill.moveBottom(frame.y - pixels * 0.15);
        // Nor on the title of the frame to the left.
        pill.moveLeft(std::max(pill.left(), frame.x));
        // At small zoom, labels of neighbouring ports would overlap and are stacked.
        if (pill.intersects(last)) pill.moveBottom(last.top() - pixels * 0.15);
        last = pill;
        label_places_.push_back(pill);
    }
    return label_places_;
}

QRectF CrossEdgesItem::label_bounds(double zoom) const {
    QRectF all;
    if (zoom < kLabelZoom) return all;
    const double pen = label_pixels(zoom) * 0.1;
    for (const QRectF& place : label_places(zoom)) all |= place.adjusted(-pen, -pen, pen, pen);
    return all;
}

/// An edge is on the path if a reader in its target block is.
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
    painter->setBrush(Qt::NoBrush);
    painter->setRenderHint(QPainter::Antialiasing, zoom >= kSmoothZoom);
    paint_lines(*painter, option->exposedRect, zoom, false);
    paint_lines(*painter, option->exposedRect, zoom, true);
    painter->setRenderHint(QPainter::Antialiasing, true);
    if (zoom >= kLabelZoom) paint_labels(*painter, option->exposedRect, zoom);
}

void CrossEdgesItem::paint_lines(QPainter& painter, const QRectF& seen, double zoom, bool copies) const {
    const Colours& colours = *state_.colours;
    const auto& edges = content_.outline->cross_edges;
    const bool smooth = zoom >= kSmoothZoom;
    const double room = edge_pen(zoom);
    const QRectF near = seen.adjusted(-room, -room, room, room);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const QRectF& box = content_.cross_boxes[e];
        if (edges[e].copied != copies || !runs_through(near, box)) continue;
        const bool selected = (state_.selected.valid() && edges[e].tensor == state_.selected) ||
                              (!state_.path.empty() && on_path(edges[e]));
        // At small zoom, edges that are not copies are not drawn.
        const double reach = std::max(box.width(), box.height()) * zoom;
        if (!copies && !selected && reach < kMinEdgeReach) continue;
        const QColor colour = selected ? colours.accent : (copies ? colours.copy : colours.edge);
        const double width = copies || selected ? edge_pen(zoom) : (smooth ? 1.2 : 0);
        painter.setPen(QPen(colour, width));
        if (smooth) {
            painter.drawPath(content_.cross_paths[e]);
        } else {
            draw_far(painter, content_.cross_lines[e], std::max(width, 1 / zoom), colour);
        }
    }
}

void CrossEdgesItem::paint_labels(QPainter& painter, const QRectF& seen, double zoom) const {
    const Colours& colours = *state_.colours;
    const double pixels = label_pixels(zoom);
    const double pen = pixels * 0.1;
    const QRectF near = seen.adjusted(-pen, -pen, pen, pen);
    painter.setFont(pixel_font(painter, pixels));
    const std::vector<QRectF>& places = label_places(zoom);
    for (std::size_t i = 0; i < labels_.size(); ++i) {
        const QRectF& pill = places[i];
        if (!near.intersects(pill)) continue;
        painter.setPen(QPen(colours.copy, pixels * 0.09));
        painter.setBrush(colours.raised);
        painter.drawRoundedRect(pill, pixels * 0.5, pixels * 0.5);
        painter.setPen(colours.copy);
        painter.drawText(pill, static_cast<int>(Qt::AlignCenter), labels_[i].text);
    }
}

}  // namespace splitscope::ui
