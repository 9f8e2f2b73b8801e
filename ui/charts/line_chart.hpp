// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ui/charts/series.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

struct LineSeries {
    QString name;
    QColor colour;
    SeriesPoints points;                             ///< reduced to screen resolution
    std::shared_ptr<const SeriesPoints> all_points;  ///< for zooming in; null: `points` are complete
};

/// Lines over a common x axis with a cursor; y values are bytes. A separate interface, so that the chart
/// library can be replaced. Wheel, + and − zoom, dragging or Shift with arrow keys pans, 0 or a double click
/// resets.
class LineChart : public QWidget {
    Q_OBJECT
 public:
    using QWidget::QWidget;

    /// Replaces all lines, with at most a few thousand points each (see reduce_to_columns()). The visible
    /// range is kept if it is still valid.
    virtual void set_series(std::vector<LineSeries> series, const QString& x_title) = 0;
    /// Sets a vertical line; empty hides it.
    virtual void set_cursor(std::optional<double> x) = 0;
    /// Marks a point with a label.
    virtual void set_mark(std::optional<std::pair<double, double>> point, const QString& label) = 0;
    /// The visible range of the x axis.
    virtual std::pair<double, double> range() const = 0;
    /// Zooms around `x`; a factor above 1 zooms in.
    virtual void zoom_at(double x, double factor) = 0;
    virtual void show_whole() = 0;
    /// The tool tip at a position.
    virtual QString tip_at(double x) const = 0;

 signals:
    void clicked(double x);
};

/// An implementation with Qt Charts.
std::unique_ptr<LineChart> make_line_chart(const Theme& theme);

}  // namespace splitscope::ui
