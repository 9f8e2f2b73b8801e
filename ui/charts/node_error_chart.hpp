// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "ui/models/value_comparison.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// Error of each node in execution order on a logarithmic scale, with the tolerances and the first node above
/// its own. The wheel zooms, dragging pans, arrow keys step through nodes.
class NodeErrorChart : public QWidget {
    Q_OBJECT
 public:
    explicit NodeErrorChart(const Theme& theme, QWidget* parent = nullptr);

    /// Null: empty.
    void set_comparison(std::shared_ptr<const ValueComparison> comparison);
    void set_current(std::optional<std::size_t> node);
    std::optional<std::size_t> current() const { return current_; }
    /// The visible nodes: the first one and the count.
    std::pair<double, double> visible() const { return {first_, shown_}; }
    void zoom(double factor, double at_share);
    /// The node at a position; none outside the plot.
    std::optional<std::size_t> node_at(QPointF place) const;
    /// The position of a node.
    QPointF place_of(std::size_t node) const;

    QSize sizeHint() const override { return {420, 180}; }
    QSize minimumSizeHint() const override { return {180, 90}; }

 signals:
    void node_chosen(std::size_t node);

 protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

 private:
    struct Column;
    QRectF plot() const;
    double height_of(double error) const;
    void show_part(double first, double shown);
    void choose(std::ptrdiff_t node);
    void paint_scale(QPainter& painter) const;
    void paint_nodes(QPainter& painter) const;
    void paint_marks(QPainter& painter) const;

    const Theme& theme_;
    std::shared_ptr<const ValueComparison> comparison_;
    std::optional<std::size_t> current_;
    double first_ = 0;
    double shown_ = 1;
    std::optional<QPointF> pressed_;
    double first_when_pressed_ = 0;
    bool panning_ = false;
};

}  // namespace splitscope::ui
