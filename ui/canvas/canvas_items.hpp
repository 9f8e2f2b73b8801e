// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>
#include <cstddef>

#include "ui/canvas/canvas_content.hpp"

namespace splitscope::ui {

/// A split's frame with its title.
class FrameItem : public QGraphicsItem {
 public:
    FrameItem(const CanvasContent& content, const CanvasState& state, std::size_t frame);
    QRectF boundingRect() const override { return bounds_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
    QString title() const;

    const CanvasContent& content_;
    const CanvasState& state_;
    std::size_t frame_;
    QRectF box_;
    QRectF bounds_;
};

/// A block with everything in it: one graphics item for many nodes, so that a large graph stays quick.
class BlockGraphicsItem : public QGraphicsItem {
 public:
    BlockGraphicsItem(const CanvasContent& content, const CanvasState& state, std::size_t block);
    QRectF boundingRect() const override { return box_.adjusted(-10, -10, 10, 10); }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
    void paint_flat(QPainter& painter, double zoom) const;
    void paint_edges(QPainter& painter, double zoom) const;
    void paint_title(QPainter& painter, double zoom) const;
    void paint_collapsed(QPainter& painter, double zoom) const;
    void paint_shares(QPainter& painter, const QRectF& area) const;

    const CanvasContent& content_;
    const CanvasState& state_;
    std::size_t block_;
    QRectF box_;
};

/// All edges between blocks; copies are red and carry their bytes.
class CrossEdgesItem : public QGraphicsItem {
 public:
    CrossEdgesItem(const CanvasContent& content, const CanvasState& state);
    QRectF boundingRect() const override { return bounds_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
    bool on_path(const CrossEdge& edge) const;

    const CanvasContent& content_;
    const CanvasState& state_;
    QRectF bounds_;
    std::vector<QRectF> boxes_;  ///< per cross edge
};

}  // namespace splitscope::ui
