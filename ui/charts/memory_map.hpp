// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>
#include <memory>
#include <optional>

#include "engine/memory/usage_timeline.hpp"
#include "engine/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// Offset in a buffer over the nodes: one box per placed tensor. Custom-painted and cached in a pixmap.
class MemoryMap : public QWidget {
    Q_OBJECT
 public:
    explicit MemoryMap(const Theme& theme, QWidget* parent = nullptr);

    /// `timeline` must stay alive until the next call; null clears.
    void set_timeline(std::shared_ptr<const Analysis> analysis, const BufferTimeline* timeline, QColor colour,
                      std::size_t node_count);
    void set_selected(TensorId tensor);
    /// A line at a node of the schedule graph; empty hides it.
    void set_cursor(std::optional<double> node);

 signals:
    void tensor_clicked(splitscope::TensorId tensor);

 protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

 private:
    QRectF plot() const;
    QRectF box_of(const MemoryBlock& block) const;
    const MemoryBlock* block_at(QPointF place) const;
    void draw_picture();

    const Theme& theme_;
    std::shared_ptr<const Analysis> analysis_;
    const BufferTimeline* timeline_ = nullptr;
    QColor colour_;
    double node_count_ = 1;
    TensorId selected_;
    std::optional<double> cursor_;
    QPixmap picture_;
};

}  // namespace splitscope::ui
