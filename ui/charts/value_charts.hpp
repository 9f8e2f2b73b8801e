// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>
#include <memory>

#include "engine/execution/tensor_values.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// How often values occur, in bins of equal width.
class Histogram : public QWidget {
    Q_OBJECT
 public:
    explicit Histogram(const Theme& theme, QWidget* parent = nullptr);
    /// Null: empty.
    void set_statistics(std::shared_ptr<const TensorStatistics> statistics);
    QSize sizeHint() const override { return {240, 110}; }
    QSize minimumSizeHint() const override { return {120, 60}; }

 protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

 private:
    QRectF plot() const;

    const Theme& theme_;
    std::shared_ptr<const TensorStatistics> statistics_;
};

/// A slice as colours: blue below zero, orange above, light at zero, so that it can be read by colour-blind
/// eyes; cells without a finite value are crossed out.
class HeatMapView : public QWidget {
    Q_OBJECT
 public:
    explicit HeatMapView(const Theme& theme, QWidget* parent = nullptr);
    /// `rows` × `columns`: the size of the slice that the map stands for.
    void set_map(std::shared_ptr<const TensorStatistics> statistics, std::int64_t rows, std::int64_t columns);
    QSize sizeHint() const override { return {240, 140}; }
    QSize minimumSizeHint() const override { return {120, 70}; }

 signals:
    /// The first row and column of the cell that was clicked.
    void clicked(std::int64_t row, std::int64_t column);

 protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

 private:
    QRectF plot() const;
    /// Row and column of the map at a place, (-1, -1) outside.
    QPoint cell_at(QPointF place) const;
    void draw_image();

    const Theme& theme_;
    std::shared_ptr<const TensorStatistics> statistics_;
    std::int64_t rows_ = 0;
    std::int64_t columns_ = 0;
    float reach_ = 0;  ///< the largest distance from zero
    QImage image_;
};

}  // namespace splitscope::ui
