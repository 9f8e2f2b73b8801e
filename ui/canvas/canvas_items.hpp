// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QGraphicsItem>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ui/canvas/canvas_content.hpp"

namespace splitscope::ui {

inline QRectF to_qt(const Rect& r) {
    return {r.x, r.y, r.width, r.height};
}

/// Screen pixels per scene unit at minimum zoom, at which pens are widest.
inline constexpr double kMinZoom = 0.004;

/// The frames of all splits, as one graphics item, because there can be thousands.
class FramesItem : public QGraphicsItem {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::FramesItem)
 public:
    FramesItem(const CanvasContent& content, const CanvasState& state);
    /// "Split 1 · GPU0 · 78 nodes · 7 copies, 4.02 KiB"
    static QString title(const CanvasContent& content, std::size_t frame);
    static QStringList titles(const CanvasContent& content, std::size_t frame);
    /// The boxes of an overview have equal sizes, and titles of one length.
    qsizetype overview_title(const QFontMetricsF& metrics, double width) const;
    QRectF boundingRect() const override { return bounds_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;
    void paint_titles(QPainter& painter, const QRectF& seen, double zoom) const;

 private:
    QColor colour_of(std::size_t frame) const;
    QColor filling(std::size_t frame) const;
    bool is_current(std::size_t frame) const;
    void paint_title(QPainter& painter, std::size_t frame, const QRectF& seen, double zoom) const;

    const CanvasContent& content_;
    const CanvasState& state_;
    QRectF bounds_;
    QStringList longest_titles_;  ///< of an overview, counted from the shortest
};

/// The titles of the frames, over the edges between blocks, which would strike them through.
class FrameTitlesItem : public QGraphicsItem {
 public:
    explicit FrameTitlesItem(const FramesItem& frames);
    QRectF boundingRect() const override { return frames_.boundingRect(); }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
    const FramesItem& frames_;
};

/// All blocks with their contents, as one graphics item, for fast drawing of large graphs.
class BlocksItem : public QGraphicsItem {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::BlocksItem)
 public:
    BlocksItem(const CanvasContent& content, const CanvasState& state);
    /// "Layer 3"
    static QString title_of(const Block& block);
    /// "3", if title_of() does not fit; equal to title_of() for other blocks.
    static QString short_title_of(const Block& block);
    /// At each zoom, either all layers have full titles, or all have short ones, or none has a title. Small
    /// pieces of a layer, which a split cuts off, have one where it fits.
    enum class Titles : std::uint8_t { none, brief, full };
    Titles layer_titles(double zoom) const;
    /// At that zoom, the line of a block's title above its nodes; empty where it has no line of its own.
    std::function<QRectF(std::size_t block)> title_lines(double zoom) const;
    /// At a zoom without such lines, where a block's title is drawn; empty if it has none.
    QRectF title_pill(std::size_t block, double zoom) const;
    QRectF boundingRect() const override { return bounds_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
    /// Painting parameters common to all blocks of a frame.
    struct Brush;
    void paint_block(Brush& brush, std::size_t block) const;
    void paint_flat(Brush& brush, std::size_t block, const QRectF& box) const;
    void paint_edges(Brush& brush, std::size_t block) const;
    QString shown_title(std::size_t block, double zoom, Titles layers) const;
    static bool fits(const QString& title, double width, double zoom);
    void paint_title(const Brush& brush, std::size_t block, const QRectF& box) const;
    QRectF pill_of(std::size_t block, double text_width, double pixels) const;
    QRectF clear_of_nodes(std::size_t block, const QRectF& middle) const;
    void paint_collapsed(Brush& brush, std::size_t block, const QRectF& box) const;
    void paint_shares(Brush& brush, std::size_t block, const QRectF& area) const;

    const CanvasContent& content_;
    const CanvasState& state_;
    QRectF bounds_;
    double narrowest_layer_ = 0;  ///< of the widest pieces of layers; 0 = there is none
    QString longest_title_;       ///< of any layer
    QString longest_short_title_;
};

/// All edges between blocks; copies are red and labelled with their size.
class CrossEdgesItem : public QGraphicsItem {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::CrossEdgesItem)
 public:
    CrossEdgesItem(const CanvasContent& content, const CanvasState& state, const BlocksItem& blocks);
    QRectF boundingRect() const override { return bounds_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;
    /// Bounds of the copy labels at a zoom; empty if they are too small to be drawn.
    QRectF label_bounds(double zoom) const;

 private:
    /// The label of one copy, or of several that arrive at one place; in an overview, of all copies of a
    /// split.
    struct Label {
        QPointF end;
        std::size_t block;
        QString text;
        double width;  ///< in letters of one pixel
    };
    struct Arrival {
        QPointF end;
        std::size_t block = 0;
        std::uint64_t copies = 0;
        std::uint64_t bytes = 0;
    };
    std::vector<Arrival> arrivals() const;
    void add_hidden_copies(std::vector<Arrival>& all) const;
    std::vector<Arrival> arrivals_of_splits() const;
    std::vector<Label> labels_of_copies() const;
    /// Label rectangles at a zoom, independent of visibility.
    const std::vector<QRectF>& label_places(double zoom) const;
    bool on_path(const CrossEdge& edge) const;
    void paint_lines(QPainter& painter, const QRectF& seen, double zoom, bool copies) const;
    void paint_labels(QPainter& painter, const QRectF& seen, double zoom) const;

    const CanvasContent& content_;
    const CanvasState& state_;
    const BlocksItem& blocks_;
    std::vector<Label> labels_;
    mutable double placed_zoom_ = 0;  ///< for which label_places_ is valid
    mutable std::vector<QRectF> label_places_;
    QRectF bounds_;
};

}  // namespace splitscope::ui
