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

/// Level of detail, by size on screen.
enum class Detail {
    flat,   ///< fills only
    boxes,  ///< boxes with one large line of text
    full,   ///< all text
};

/// `zoom`: screen pixels per scene unit.
Detail detail_at(double zoom);

/// How far the marks of an item (selection, search hit, paused run) extend beyond its box.
double mark_reach(double zoom);

/// Draws the items of one block. Stateless, and therefore separate from the graphics items.
class ItemPainter {
 public:
    ItemPainter(QPainter& painter, const CanvasContent& content, const CanvasState& state, double zoom);

    void draw_item(const BlockItem& item, const QRectF& box);
    /// In coordinates of the block's layout.
    void draw_edges(std::size_t block);
    /// Selected, search hit or just decided: visible at every zoom.
    bool is_marked(const BlockItem& item) const;
    /// Fill colour at the flat level of detail.
    QColor flat_colour(const BlockItem& item) const;
    void draw_flat(const BlockItem& item, const QRectF& box);

 private:
    /// Metrics of one text size.
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
    /// A key for an item's appearance, for cached pictures.
    std::uint32_t appearance_of(const BlockItem& item, BackendId backend) const;
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
