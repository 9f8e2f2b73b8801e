// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QRectF>
#include <cstdint>
#include <functional>

#include "ui/canvas/canvas_content.hpp"

namespace splitscope::ui {

/// How much is drawn, by the size on screen.
enum class Detail {
    flat,   ///< fills only
    boxes,  ///< boxes with one big line
    full,   ///< all text
};

/// `zoom`: screen pixels per scene unit.
Detail detail_at(double zoom);

/// How far the marks of an item (selected, found, where a run stands) reach beyond its box.
double mark_reach(double zoom);

/// Draws the items of one block. Kept apart from the graphics items so that it has no state of its own.
class ItemPainter {
 public:
    ItemPainter(QPainter& painter, const CanvasContent& content, const CanvasState& state, double zoom);

    void draw_item(const BlockItem& item, const QRectF& box);
    /// In the coordinates of the block's layout.
    void draw_edges(std::size_t block);
    /// Selected, found or just decided: shown at every zoom.
    bool is_marked(const BlockItem& item) const;
    /// Fill of an item's box at the flat level.
    QColor flat_colour(const BlockItem& item) const;
    void draw_flat(const BlockItem& item, const QRectF& box);

 private:
    /// One of the sizes that text has.
    struct Text {
        Text(const QPainter& painter, double pixels, bool bold);
        QFont font;
        QFontMetricsF metrics;
        double drop;  ///< from the middle of a line down to its base
    };

    PaintCache::Label label_of(const BlockItem& item, std::uint32_t look,
                               const std::function<PaintCache::Label()>& make) const;
    void draw_line(QPainter& painter, const Text& text, double x, const QRectF& box,
                   const QString& line) const;
    void draw_filled(const BlockItem& item, const QRectF& box);
    void draw_node_text(QPainter& painter, const BlockItem& item, const QRectF& box) const;
    void draw_pill_text(QPainter& painter, const BlockItem& item, const QRectF& box) const;
    void draw_box(const BlockItem& item, const QRectF& box);
    void paint_box(QPainter& painter, const BlockItem& item, BackendId backend, const QRectF& box) const;
    /// What of an item's look its box shows, for pictures that are kept.
    std::uint32_t look_of(const BlockItem& item, BackendId backend) const;
    void paint_edges(QPainter& painter, const LayoutPaths& paths) const;
    void draw_node(const BlockItem& item, const QRectF& box);
    void draw_pill(const BlockItem& item, const QRectF& box);
    void draw_rings(const BlockItem& item, const QRectF& box, double radius);
    void draw_run_marks(const BlockItem& item, const QRectF& box);
    void draw_badge(QPainter& painter, const QRectF& box) const;
    void draw_arrow(QPainter& painter, const QPainterPath& path, const QColor& colour) const;
    QColor backend_colour(TensorId tensor) const;

    QPainter& painter_;
    const CanvasContent& content_;
    const CanvasState& state_;
    const Colours& colours_;
    Text big_, bold_, plain_, small_;
    double zoom_;
    Detail detail_;
};

}  // namespace splitscope::ui
