// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>
#include <memory>
#include <optional>

#include "engine/execution/tensor_values.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// A histogram of values with bins of equal width and a logarithmic scale, on which rare values are visible
/// beside frequent ones.
class Histogram : public QWidget {
    Q_OBJECT
 public:
    explicit Histogram(const Theme& theme, QWidget* parent = nullptr);
    /// Null: empty.
    void set_statistics(std::shared_ptr<const TensorStatistics> statistics);
    void set_logarithmic(bool logarithmic);
    /// Height of a bin relative to the highest.
    double share_of(std::size_t bin) const;
    QSize sizeHint() const override { return {240, 110}; }
    QSize minimumSizeHint() const override { return {120, 60}; }

 protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

 private:
    QRectF plot() const;

    const Theme& theme_;
    std::shared_ptr<const TensorStatistics> statistics_;
    bool logarithmic_ = false;
};

/// A heat map of a slice: blue for negative and orange for positive values, which colour-blind readers can
/// distinguish; if all values have one sign, they use the full scale. Cells without a finite value are
/// crossed out.
class HeatMapView : public QWidget {
    Q_OBJECT
 public:
    explicit HeatMapView(const Theme& theme, QWidget* parent = nullptr);
    /// `rows` × `columns`: size of the slice that the map represents.
    void set_map(std::shared_ptr<const TensorStatistics> statistics, std::int64_t rows, std::int64_t columns);
    /// The range of the colour scale; empty: derived from the values.
    void set_range(std::optional<float> low, std::optional<float> high);
    float low() const { return low_; }
    float high() const { return high_; }
    /// The colour of a finite value.
    QColor colour_of(float value) const;
    QSize sizeHint() const override { return {240, 140}; }
    QSize minimumSizeHint() const override { return {120, 70}; }

 signals:
    /// First row and column of the clicked cell.
    void clicked(std::int64_t row, std::int64_t column);

 protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

 private:
    QRectF plot() const;
    /// Row and column of the cell at a position, (-1, -1) outside.
    QPoint cell_at(QPointF place) const;
    void find_range();
    void draw_image();

    const Theme& theme_;
    std::shared_ptr<const TensorStatistics> statistics_;
    std::int64_t rows_ = 0;
    std::int64_t columns_ = 0;
    std::optional<float> wanted_low_;
    std::optional<float> wanted_high_;
    float low_ = 0;
    float high_ = 0;
    QImage image_;
};

}  // namespace splitscope::ui
