// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "ui/models/flame.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// Layers above their nodes; the width is the time. A click on a layer enlarges it, a second one zooms
/// out; a click on a node selects it.
class FlameChart : public QWidget {
    Q_OBJECT
 public:
    explicit FlameChart(const Theme& theme, QWidget* parent = nullptr);

    void set_boxes(std::vector<FlameBox> boxes, std::size_t backends);
    const std::vector<FlameBox>& boxes() const { return boxes_; }
    void set_selected(TensorId node);
    /// Enlarges a box; 0 shows everything.
    void zoom_to(std::size_t box);
    std::size_t zoomed() const { return zoomed_; }
    /// Rectangle of a box; empty if it is out of view.
    QRectF rect_of(std::size_t box) const;
    std::optional<std::size_t> box_at(QPointF place) const;
    QString tip_of(std::size_t box) const;

    QSize sizeHint() const override { return {400, 100}; }
    QSize minimumSizeHint() const override { return {120, 60}; }

 signals:
    void node_clicked(TensorId node);

 protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

 private:
    double row_height() const;

    const Theme& theme_;
    std::vector<FlameBox> boxes_;
    std::size_t backends_ = 1;
    std::size_t zoomed_ = 0;
    TensorId selected_;
};

}  // namespace splitscope::ui
