// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>
#include <QKeyEvent>
#include <QLegendMarker>
#include <QLineSeries>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>
#include <QValueAxis>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/charts/line_chart.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

constexpr double kWheelZoom = 1.0015;  ///< per unit of the wheel
constexpr double kWheelPart = 1200;    ///< units of the wheel that move by all that is in view
constexpr double kKeyZoom = 1.5;
constexpr double kKeyPart = 0.25;     ///< of the visible range, per key press
constexpr double kMinShownNodes = 8;  ///< in view

/// Steps by powers of two that divide the axis into three to six parts.
double byte_step(double max) {
    double step = 1;
    while (max / step > 5) step *= 2;
    return step;
}

constexpr int kLowChart = 150;

/// A chart view that paints cursor and mark over the chart, because they move often.
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
    std::function<void(double, double)> on_zoom;  ///< a place of the x axis and a factor
    std::function<void(double)> on_move;          ///< by so much of the x axis
    std::function<void()> on_whole;
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
        if (mark && plot.adjusted(-1, -1, 1, 1).contains(chart()->mapToPosition(*mark))) {
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
        if (event->button() != Qt::LeftButton || !chart()->plotArea().contains(event->pos())) return;
        pressed_ = event->pos();
        dragging_ = false;
    }
    void mouseMoveEvent(QMouseEvent* event) override {
        if (pressed_ && event->buttons().testFlag(Qt::LeftButton)) {
            const int moved = event->pos().x() - pressed_->x();
            if (!dragging_ && std::abs(moved) < QApplication::startDragDistance()) return;
            dragging_ = true;
            QToolTip::hideText();
            viewport()->setCursor(Qt::ClosedHandCursor);
            if (on_move) on_move(x_at(pressed_->x()) - x_at(event->pos().x()));
            pressed_ = event->pos();
            return;
        }
        if (chart()->plotArea().contains(event->pos()) && tip)
            QToolTip::showText(event->globalPosition().toPoint(), tip(x_at(event->pos().x())), this);
    }
    void mouseReleaseEvent(QMouseEvent* event) override {
        const bool click = pressed_.has_value() && !dragging_;
        pressed_.reset();
        viewport()->unsetCursor();
        if (click && on_click) on_click(x_at(event->pos().x()));
    }
    void mouseDoubleClickEvent(QMouseEvent*) override {
        if (on_whole) on_whole();
    }
    void wheelEvent(QWheelEvent* event) override {
        const QPoint angle = event->angleDelta();
        const QRectF plot = chart()->plotArea();
        const double part = x_at(plot.right()) - x_at(plot.left());
        if (event->modifiers().testFlag(Qt::ShiftModifier) || angle.y() == 0) {
            if (on_move) on_move(-part * (angle.x() + angle.y()) / kWheelPart);
        } else if (on_zoom) {
            on_zoom(x_at(event->position().x()), std::pow(kWheelZoom, angle.y()));
        }
        event->accept();
    }
    void keyPressEvent(QKeyEvent* event) override {
        const QRectF plot = chart()->plotArea();
        const double first = x_at(plot.left());
        const double last = x_at(plot.right());
        const double middle = cursor && *cursor > first && *cursor < last ? *cursor : (first + last) / 2;
        const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
        if (event->key() == Qt::Key_Plus || event->key() == Qt::Key_Equal) {
            on_zoom(middle, kKeyZoom);
        } else if (event->key() == Qt::Key_Minus) {
            on_zoom(middle, 1 / kKeyZoom);
        } else if (event->key() == Qt::Key_0) {
            on_whole();
        } else if (shift && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)) {
            on_move((last - first) * (event->key() == Qt::Key_Left ? -kKeyPart : kKeyPart));
        } else {
            QChartView::keyPressEvent(event);
        }
    }

 private:
    double x_at(double place) const { return chart()->mapToValue(QPointF(place, 0)).x(); }

    const Theme& theme_;
    std::optional<QPoint> pressed_;
    bool dragging_ = false;
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
        view_->on_zoom = [this](double x, double factor) { zoom_at(x, factor); };
        view_->on_move = [this](double by) { show_part(first_ + by, last_ + by); };
        view_->on_whole = [this] { show_whole(); };
        view_->tip = [this](double x) { return tip_at(x); };
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(view_);
        connect(&theme, &Theme::changed, this, [this] { change(); });
    }

    void set_series(std::vector<LineSeries> series, const QString& x_title) override {
        series_ = std::move(series);
        x_title_ = x_title;
        // New lines keep the visible range, even if there were none in between.
        if (std::ranges::all_of(series_, [](const LineSeries& one) { return one.points.empty(); })) {
            change();
            return;
        }
        const bool was_whole = first_ <= 0 && last_ >= end_;
        const double part = last_ - first_;
        end_ = 1;
        for (const LineSeries& one : series_) {
            if (!one.points.empty()) end_ = std::max(end_, one.points.back().first);
        }
        if (was_whole || part >= end_) {
            first_ = 0;
            last_ = end_;
        } else {
            last_ = std::min(last_, end_);
            first_ = last_ - part;
        }
        change();
    }
    std::pair<double, double> range() const override { return {first_, last_}; }
    void zoom_at(double x, double factor) override {
        const double least = std::min(kMinShownNodes, end_);
        const double wanted = std::clamp((last_ - first_) / factor, least, end_);
        const double share = (x - first_) / (last_ - first_);
        show_part(x - share * wanted, x + (1 - share) * wanted);
    }
    void show_whole() override { show_part(0, end_); }
    void set_cursor(std::optional<double> x) override {
        view_->cursor = x;
        // A zoomed-in view follows the selection.
        if (x && (*x < first_ || *x > last_) && last_ - first_ < end_) {
            const double half = (last_ - first_) / 2;
            show_part(*x - half, *x + half);
        }
        view_->viewport()->update();
    }
    void set_mark(std::optional<std::pair<double, double>> point, const QString& label) override {
        view_->mark = point ? std::optional(QPointF(point->first, point->second)) : std::nullopt;
        view_->mark_label = label;
        view_->viewport()->update();
    }
    QString tip_at(double x) const override {
        QStringList lines{LineChart::tr("node %1").arg(std::floor(x))};
        for (const LineSeries& series : series_) {
            const SeriesPoints& points = series.all_points ? *series.all_points : series.points;
            const auto after = std::ranges::upper_bound(points, x, {}, &std::pair<double, double>::first);
            const double bytes = after == points.begin() ? 0 : std::prev(after)->second;
            lines += QStringLiteral("%1: %2").arg(series.name, bytes_text(static_cast<std::uint64_t>(bytes)));
        }
        return lines.join(QLatin1Char('\n'));
    }

 protected:
    void showEvent(QShowEvent* event) override {
        LineChart::showEvent(event);
        if (stale_) rebuild();
    }
    void resizeEvent(QResizeEvent* event) override {
        LineChart::resizeEvent(event);
        if (was_low_ != is_low()) change();
    }

 private:
    /// Too low for a legend and an axis title.
    bool is_low() const { return height() < kLowChart; }
    /// Qt Charts recomputes its layout on every change; defer that while hidden.
    void change() {
        stale_ = true;
        if (isVisible()) rebuild();
    }

    void show_part(double first, double last) {
        const double part = std::min(last - first, end_);
        first = std::clamp(first, 0.0, end_ - part);
        if (first == first_ && first + part == last_) return;
        first_ = first;
        last_ = first + part;
        change();
    }

    /// The visible part, reduced to screen resolution.
    SeriesPoints shown_points(const LineSeries& series) const {
        if (!series.all_points || (first_ <= 0 && last_ >= end_)) return series.points;
        return reduce_to_columns(part_between(*series.all_points, first_, last_), kChartColumns);
    }

    void rebuild() {
        stale_ = false;
        was_low_ = is_low();
        chart_->removeAllSeries();
        for (QAbstractAxis* axis : chart_->axes()) {
            chart_->removeAxis(axis);
            axis->deleteLater();
        }
        const Colours& colours = theme_.colours();
        chart_->setBackgroundBrush(colours.panel);
        chart_->legend()->setVisible(series_.size() > 1 && !was_low_);
        chart_->legend()->setAlignment(Qt::AlignTop);
        chart_->legend()->setLabelColor(colours.muted);
        double max_y = 1;
        for (const LineSeries& series : series_) {
            for (const auto& [x, y] : series.points) max_y = std::max(max_y, y);
        }
        auto* x_axis = new QValueAxis;
        x_axis->setRange(first_, last_);
        x_axis->setLabelFormat(QStringLiteral("%d"));
        // Qt Charts interprets all text as markup.
        if (!was_low_) x_axis->setTitleText(x_title_.toHtmlEscaped());
        auto* y_axis = new QCategoryAxis;
        const double step = byte_step(max_y) * (was_low_ ? 2 : 1);
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
            for (const auto& [x, y] : shown_points(series)) points.emplace_back(x, y);
            line->replace(points);
            auto* area = new QAreaSeries(line);
            line->setParent(area);
            area->setName(series.name.toHtmlEscaped());
            area->setPen(QPen(series.colour, 1.6));
            QColor fill = series.colour;
            fill.setAlphaF(0.16F);
            area->setBrush(fill);
            chart_->addSeries(area);
            // The light fill would be invisible on such a small mark.
            for (QLegendMarker* marker : chart_->legend()->markers(area)) marker->setBrush(series.colour);
            area->attachAxis(x_axis);
            area->attachAxis(y_axis);
        }
        view_->viewport()->update();
    }

    const Theme& theme_;
    QChart* chart_;
    CursorChartView* view_;
    std::vector<LineSeries> series_;
    QString x_title_;
    double first_ = 0;  ///< start of the visible range of the x axis
    double last_ = 1;
    double end_ = 1;  ///< of the longest line
    bool stale_ = false;
    bool was_low_ = false;
};

}  // namespace

std::unique_ptr<LineChart> make_line_chart(const Theme& theme) {
    return std::make_unique<QtLineChart>(theme);
}

}  // namespace splitscope::ui
