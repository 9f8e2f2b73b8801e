// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QGraphicsItem>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ui/canvas/canvas_content.hpp"

namespace splitscope::ui {

inline QRectF to_qt(const Rect& r) {
    return {r.x, r.y, r.width, r.height};
}

/// Screen pixels per scene unit, when all is far away: pens are widest there.
inline constexpr double kMinZoom = 0.004;

/// The frames of all splits with their titles: one graphics item, as there can be thousands.
class FramesItem : public QGraphicsItem {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::FramesItem)
 public:
    FramesItem(const CanvasContent& content, const CanvasState& state);
    /// "Split 1 · GPU0 · 78 nodes · 7 copies, 4.02 KiB"
    static QString title(const CanvasContent& content, std::size_t frame);
    QRectF boundingRect() const override { return bounds_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
    void paint_frame(QPainter& painter, std::size_t frame, const QRectF& seen, double zoom) const;

    const CanvasContent& content_;
    const CanvasState& state_;
    QRectF bounds_;
};

/// All blocks with everything in them: one graphics item, so that a large graph stays quick.
class BlocksItem : public QGraphicsItem {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::BlocksItem)
 public:
    BlocksItem(const CanvasContent& content, const CanvasState& state);
    /// "Layer 3"
    static QString title_of(const Block& block);
    /// "3", where that does not fit; the same as title_of() for what is no layer.
    static QString short_title_of(const Block& block);
    /// The titles of layers are all long, all short or all left out at a zoom.
    enum class Titles : std::uint8_t { none, brief, full };
    Titles layer_titles(double zoom) const;
    QRectF boundingRect() const override { return bounds_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
    /// What is the same for all blocks of one frame of the screen.
    struct Brush;
    void paint_block(Brush& brush, std::size_t block) const;
    void paint_flat(Brush& brush, std::size_t block, const QRectF& box) const;
    void paint_edges(Brush& brush, std::size_t block) const;
    void paint_title(const Brush& brush, std::size_t block, const QRectF& box) const;
    void paint_collapsed(Brush& brush, std::size_t block, const QRectF& box) const;
    void paint_shares(Brush& brush, std::size_t block, const QRectF& area) const;

    const CanvasContent& content_;
    const CanvasState& state_;
    QRectF bounds_;
    double narrowest_layer_ = 0;  ///< of the layers drawn with a title; 0 = there is none
    QString longest_title_;       ///< of a layer
    QString longest_short_title_;
};

/// All edges between blocks; copies are red and carry their bytes.
class CrossEdgesItem : public QGraphicsItem {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::CrossEdgesItem)
 public:
    CrossEdgesItem(const CanvasContent& content, const CanvasState& state);
    QRectF boundingRect() const override { return bounds_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;
    /// What the labels of copies cover at a zoom; nothing where they are too far away to be drawn.
    QRectF label_bounds(double zoom) const;

 private:
    /// The bytes of one copy, or of several that arrive at one place.
    struct Label {
        std::size_t edge;  ///< the first of them
        QString text;
        double width;  ///< for letters of one pixel
    };
    std::vector<Label> labels_of_copies() const;
    /// Where the labels lie at a zoom, whatever of them is seen.
    const std::vector<QRectF>& label_places(double zoom) const;
    bool on_path(const CrossEdge& edge) const;
    void paint_lines(QPainter& painter, const QRectF& seen, double zoom, bool copies) const;
    void paint_labels(QPainter& painter, const QRectF& seen, double zoom) const;

    const CanvasContent& content_;
    const CanvasState& state_;
    std::vector<Label> labels_;
    mutable double placed_pixels_ = 0;  ///< size of the letters that label_places_ is for
    mutable std::vector<QRectF> label_places_;
    QRectF bounds_;
};

}  // namespace splitscope::ui
