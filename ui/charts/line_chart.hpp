// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "ui/charts/series.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

struct LineSeries {
    QString name;
    QColor colour;
    SeriesPoints points;
};

/// A chart of lines over one x axis with a cursor: our own interface, so that the library behind it can be
/// replaced. The y axis counts bytes.
class LineChart : public QWidget {
    Q_OBJECT
 public:
    using QWidget::QWidget;

    /// Replaces everything; at most some thousand points each (see reduce_to_columns).
    virtual void set_series(std::vector<LineSeries> series, const QString& x_title) = 0;
    /// A vertical line; none hides it.
    virtual void set_cursor(std::optional<double> x) = 0;
    /// A point worth noticing, with a label.
    virtual void set_mark(std::optional<std::pair<double, double>> point, const QString& label) = 0;

 signals:
    void clicked(double x);
};

/// Drawn by Qt Charts.
std::unique_ptr<LineChart> make_line_chart(const Theme& theme);

}  // namespace splitscope::ui
