// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QGraphicsItem>
#include <cstddef>

#include "ui/canvas/canvas_content.hpp"

namespace splitscope::ui {

/// The frames of all splits with their titles: one graphics item, as there can be thousands.
class FramesItem : public QGraphicsItem {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::FramesItem)
 public:
    FramesItem(const CanvasContent& content, const CanvasState& state);
    QRectF boundingRect() const override { return bounds_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
    QString title(std::size_t frame) const;
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
    QRectF boundingRect() const override { return bounds_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;
    static QString title(const Block& block);

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
};

/// All edges between blocks; copies are red and carry their bytes.
class CrossEdgesItem : public QGraphicsItem {
 public:
    CrossEdgesItem(const CanvasContent& content, const CanvasState& state);
    QRectF boundingRect() const override { return bounds_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
    bool on_path(const CrossEdge& edge) const;
    void paint_lines(QPainter& painter, const QRectF& seen, double zoom, bool copies) const;
    void paint_labels(QPainter& painter, const QRectF& seen, double zoom) const;

    const CanvasContent& content_;
    const CanvasState& state_;
    QRectF bounds_;
};

}  // namespace splitscope::ui
