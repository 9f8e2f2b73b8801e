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
    SeriesPoints points;                             ///< of the whole, no finer than a screen
    std::shared_ptr<const SeriesPoints> all_points;  ///< for looking closer; null: `points` are all
};

/// A chart of lines over one x axis with a cursor: our own interface, so that the library behind it can be
/// replaced. The y axis counts bytes. The wheel or + and − zoom, dragging or Shift with the arrows moves, 0
/// or a double click shows the whole again.
class LineChart : public QWidget {
    Q_OBJECT
 public:
    using QWidget::QWidget;

    /// Replaces everything; at most some thousand points each (see reduce_to_columns). The part in view stays
    /// where the lines still reach as far.
    virtual void set_series(std::vector<LineSeries> series, const QString& x_title) = 0;
    /// A vertical line; none hides it.
    virtual void set_cursor(std::optional<double> x) = 0;
    /// A point worth noticing, with a label.
    virtual void set_mark(std::optional<std::pair<double, double>> point, const QString& label) = 0;
    /// The part of the x axis in view.
    virtual std::pair<double, double> range() const = 0;
    /// Zooms about a place that stays where it is; a factor above 1 shows less.
    virtual void zoom_at(double x, double factor) = 0;
    virtual void show_whole() = 0;
    /// What is told of a place under the pointer.
    virtual QString tip_at(double x) const = 0;

 signals:
    void clicked(double x);
};

/// Drawn by Qt Charts.
std::unique_ptr<LineChart> make_line_chart(const Theme& theme);

}  // namespace splitscope::ui
