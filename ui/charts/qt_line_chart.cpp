// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>
#include <QLegendMarker>
#include <QLineSeries>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>
#include <QValueAxis>
#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/charts/line_chart.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

/// Powers of two that cut the axis into three to six parts.
double byte_step(double max) {
    double step = 1;
    while (max / step > 5) step *= 2;
    return step;
}

/// Chart view with the cursor and the mark painted over it: they move often, the series do not.
class CursorChartView : public QChartView {
 public:
    CursorChartView(QChart* chart, const Theme& theme) : QChartView(chart), theme_(theme) {
        setRenderHint(QPainter::Antialiasing);
        setFrameShape(QFrame::NoFrame);
        setBackgroundBrush(Qt::NoBrush);
        viewport()->setMouseTracking(true);
    }

    std::optional<double> cursor;
    std::optional<QPointF> mark;
    QString mark_label;
    std::function<void(double)> on_click;
    std::function<QString(double)> tip;

 protected:
    void drawForeground(QPainter* painter, const QRectF&) override {
        if (chart()->series().isEmpty()) return;
        const QRectF plot = chart()->plotArea();
        const Colours& colours = theme_.colours();
        painter->save();
        if (cursor) {
            const double x = chart()->mapToPosition(QPointF(*cursor, 0)).x();
            if (x >= plot.left() && x <= plot.right()) {
                painter->setPen(QPen(colours.accent, 1.6));
                painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
            }
        }
        if (mark) {
            const QPointF at = chart()->mapToPosition(*mark);
            painter->setPen(QPen(colours.text, 1.4));
            painter->setBrush(colours.panel);
            painter->drawEllipse(at, 4, 4);
            const QFontMetricsF metrics(painter->font());
            const double width = metrics.horizontalAdvance(mark_label);
            double left = at.x() + 9;
            if (left + width > plot.right()) left = at.x() - 9 - width;
            painter->drawText(QPointF(left, std::max(at.y() + 4, plot.top() + metrics.ascent())), mark_label);
        }
        painter->restore();
    }
    void mousePressEvent(QMouseEvent* event) override {
        if (chart()->plotArea().contains(event->pos()) && on_click) {
            on_click(chart()->mapToValue(event->pos()).x());
        }
    }
    void mouseMoveEvent(QMouseEvent* event) override {
        if (chart()->plotArea().contains(event->pos()) && tip) {
            QToolTip::showText(event->globalPosition().toPoint(), tip(chart()->mapToValue(event->pos()).x()),
                               this);
        }
    }

 private:
    const Theme& theme_;
};

class QtLineChart : public LineChart {
 public:
    explicit QtLineChart(const Theme& theme) : theme_(theme) {
        chart_ = new QChart;
        chart_->setMargins(QMargins(2, 2, 2, 2));
        chart_->layout()->setContentsMargins(0, 0, 0, 0);
        chart_->setBackgroundRoundness(0);
        chart_->setAnimationOptions(QChart::NoAnimation);
        view_ = new CursorChartView(chart_, theme);
        view_->setAccessibleName(LineChart::tr("Chart of bytes over the nodes"));
        view_->on_click = [this](double x) { emit clicked(x); };
        view_->tip = [this](double x) { return tip_at(x); };
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(view_);
        connect(&theme, &Theme::changed, this, [this] { change(); });
    }

    void set_series(std::vector<LineSeries> series, const QString& x_title) override {
        series_ = std::move(series);
        x_title_ = x_title;
        change();
    }
    void set_cursor(std::optional<double> x) override {
        view_->cursor = x;
        view_->viewport()->update();
    }
    void set_mark(std::optional<std::pair<double, double>> point, const QString& label) override {
        view_->mark = point ? std::optional(QPointF(point->first, point->second)) : std::nullopt;
        view_->mark_label = label;
        view_->viewport()->update();
    }

 protected:
    void showEvent(QShowEvent* event) override {
        LineChart::showEvent(event);
        if (stale_) rebuild();
    }

 private:
    /// Qt Charts lays everything out again at each change; what nobody looks at is left for later.
    void change() {
        stale_ = true;
        if (isVisible()) rebuild();
    }

    void rebuild() {
        stale_ = false;
        chart_->removeAllSeries();
        for (QAbstractAxis* axis : chart_->axes()) {
            chart_->removeAxis(axis);
            axis->deleteLater();
        }
        const Colours& colours = theme_.colours();
        chart_->setBackgroundBrush(colours.panel);
        chart_->legend()->setVisible(series_.size() > 1);
        chart_->legend()->setAlignment(Qt::AlignTop);
        chart_->legend()->setLabelColor(colours.muted);
        double max_x = 1;
        double max_y = 1;
        for (const LineSeries& series : series_) {
            for (const auto& [x, y] : series.points) {
                max_x = std::max(max_x, x);
                max_y = std::max(max_y, y);
            }
        }
        auto* x_axis = new QValueAxis;
        x_axis->setRange(0, max_x);
        x_axis->setLabelFormat(QStringLiteral("%d"));
        x_axis->setTitleText(x_title_);
        auto* y_axis = new QCategoryAxis;
        const double step = byte_step(max_y);
        y_axis->setRange(0, max_y * 1.06);
        y_axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        for (double y = 0; y <= max_y; y += step)
            y_axis->append(bytes_text(static_cast<std::uint64_t>(y)), y);
        for (QAbstractAxis* axis :
             {static_cast<QAbstractAxis*>(x_axis), static_cast<QAbstractAxis*>(y_axis)}) {
            axis->setLabelsColor(colours.muted);
            axis->setTitleBrush(colours.muted);
            axis->setLinePen(QPen(colours.border, 1));
            axis->setGridLinePen(QPen(mix(colours.panel, colours.border, 0.6), 1));
            QFont small = font();
            small.setPointSizeF(std::max(6.5, small.pointSizeF() - 1.5));
            axis->setLabelsFont(small);
            axis->setTitleFont(small);
        }
        chart_->addAxis(x_axis, Qt::AlignBottom);
        chart_->addAxis(y_axis, Qt::AlignLeft);
        for (const LineSeries& series : series_) {
            auto* line = new QLineSeries;
            QList<QPointF> points;
            points.reserve(static_cast<qsizetype>(series.points.size()));
            for (const auto& [x, y] : series.points) points.emplace_back(x, y);
            line->replace(points);
            auto* area = new QAreaSeries(line);
            line->setParent(area);
            area->setName(series.name);
            area->setPen(QPen(series.colour, 1.6));
            QColor fill = series.colour;
            fill.setAlphaF(0.16F);
            area->setBrush(fill);
            chart_->addSeries(area);
            // The pale filling would not show on so small a mark.
            for (QLegendMarker* marker : chart_->legend()->markers(area)) marker->setBrush(series.colour);
            area->attachAxis(x_axis);
            area->attachAxis(y_axis);
        }
        view_->viewport()->update();
    }

    QString tip_at(double x) const {
        QStringList lines{LineChart::tr("node %1").arg(std::floor(x))};
        for (const LineSeries& series : series_) {
            const auto after =
                std::ranges::upper_bound(series.points, x, {}, &std::pair<double, double>::first);
            if (after == series.points.begin()) continue;
            lines += QStringLiteral("%1: %2").arg(
                series.name, bytes_text(static_cast<std::uint64_t>(std::prev(after)->second)));
        }
        return lines.join(QLatin1Char('\n'));
    }

    const Theme& theme_;
    QChart* chart_;
    CursorChartView* view_;
    std::vector<LineSeries> series_;
    QString x_title_;
    bool stale_ = false;
};

}  // namespace

std::unique_ptr<LineChart> make_line_chart(const Theme& theme) {
    return std::make_unique<QtLineChart>(theme);
}

}  // namespace splitscope::ui
