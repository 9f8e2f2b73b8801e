// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/value_charts.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

constexpr int kScale = 15;  ///< height of the line with the numbers

QString number(double value) {
    return QString::number(value, 'g', 4);
}

QFont axis_font(const QWidget& widget) {
    QFont font = widget.font();
    font.setPointSizeF(std::max(6.5, font.pointSizeF() - 1.5));
    return font;
}

/// From -1 (blue) over 0 to +1 (orange), colours of Okabe and Ito.
QColor diverging(double share, const Colours& colours) {
    const QColor zero = colours.dark ? QColor(0x22, 0x26, 0x2e) : QColor(0xf4, 0xf4, 0xf2);
    const QColor below = colours.dark ? QColor(0x56, 0xb4, 0xe9) : QColor(0x00, 0x72, 0xb2);
    const QColor above = colours.dark ? QColor(0xf0, 0xa0, 0x30) : QColor(0xd5, 0x5e, 0x00);
    // The square root makes small values visible beside large ones.
    return mix(zero, share < 0 ? below : above, std::sqrt(std::min(1.0, std::abs(share))));
}

}  // namespace

Histogram::Histogram(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setAccessibleName(tr("Histogram"));
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Histogram::set_statistics(std::shared_ptr<const TensorStatistics> statistics) {
    statistics_ = std::move(statistics);
    update();
}

void Histogram::set_logarithmic(bool logarithmic) {
    logarithmic_ = logarithmic;
    update();
}

double Histogram::share_of(std::size_t bin) const {
    const auto most = static_cast<double>(*std::ranges::max_element(statistics_->bins));
    const auto count = static_cast<double>(statistics_->bins[bin]);
    return logarithmic_ ? std::log1p(count) / std::log1p(most) : count / most;
}

QRectF Histogram::plot() const {
    return QRectF(rect()).adjusted(4, 4, -4, -kScale);
}

void Histogram::paintEvent(QPaintEvent*) {
    if (!statistics_ || statistics_->finite() == 0) return;
    QPainter painter(this);
    const Colours& colours = theme_.colours();
    const QRectF area = plot();
    painter.fillRect(area, colours.field);
    const auto& bins = statistics_->bins;
    const double width = area.width() / static_cast<double>(bins.size());
    for (std::size_t b = 0; b < bins.size(); ++b) {
        if (bins[b] == 0) continue;
        // Non-empty bins are always visible.
        const double height = std::max(1.5, share_of(b) * area.height());
        painter.fillRect(QRectF(area.left() + static_cast<double>(b) * width, area.bottom() - height,
                                std::max(1.0, width - 0.6), height),
                         colours.accent);
    }
    painter.setFont(axis_font(*this));
    painter.setPen(colours.muted);
    const QRectF line(area.left(), area.bottom(), area.width(), kScale);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, number(statistics_->min));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, number(statistics_->max));
}

bool Histogram::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !statistics_ || statistics_->finite() == 0)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QRectF area = plot();
    const double share = (help->pos().x() - area.left()) / area.width();
    if (share < 0 || share >= 1) return true;
    const auto& bins = statistics_->bins;
    const auto bin = static_cast<std::size_t>(share * static_cast<double>(bins.size()));
    const double step = (static_cast<double>(statistics_->max) - statistics_->min) / kHistogramBins;
    QToolTip::showText(
        help->globalPos(),
        tr("%1 values from %2 to %3")
            .arg(count_text(bins[bin]), number(statistics_->min + step * static_cast<double>(bin)),
                 number(statistics_->min + step * static_cast<double>(bin + 1))),
        this);
    return true;
}

HeatMapView::HeatMapView(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setAccessibleName(tr("Heat map of the slice"));
    connect(&theme, &Theme::changed, this, [this] {
        draw_image();
        update();
    });
}

void HeatMapView::set_map(std::shared_ptr<const TensorStatistics> statistics, std::int64_t rows,
                          std::int64_t columns) {
    statistics_ = std::move(statistics);
    rows_ = rows;
    columns_ = columns;
    draw_image();
    update();
}

void HeatMapView::set_range(std::optional<float> low, std::optional<float> high) {
    wanted_low_ = low;
    wanted_high_ = high;
    draw_image();
    update();
}

/// With both signs, the range is symmetric, so that equal distances look equal.
void HeatMapView::find_range() {
    low_ = std::numeric_limits<float>::infinity();
    high_ = -low_;
    for (const float value : statistics_->map) {
        if (std::isnan(value)) continue;
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
    }
    if (low_ > high_) low_ = high_ = 0;
    if (low_ < 0 && high_ > 0) {
        high_ = std::max(high_, -low_);
        low_ = -high_;
    }
    low_ = wanted_low_.value_or(low_);
    high_ = wanted_high_.value_or(high_);
}

QColor HeatMapView::colour_of(float value) const {
    const Colours& colours = theme_.colours();
    const auto share = [](float part, float whole) {
        return whole > 0 ? std::clamp(part / whole, 0.0F, 1.0F) : 0.0F;
    };
    if (low_ >= 0) return diverging(share(value - low_, high_ - low_), colours);
    if (high_ <= 0) return diverging(-share(high_ - value, high_ - low_), colours);
    return diverging(value < 0 ? -share(-value, -low_) : share(value, high_), colours);
}

void HeatMapView::draw_image() {
    image_ = QImage();
    if (!statistics_ || statistics_->map.empty()) return;
    find_range();
    const int width = static_cast<int>(statistics_->map_columns);
    const int height = static_cast<int>(statistics_->map_rows);
    image_ = QImage(width, height, QImage::Format_RGB32);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const float value =
                statistics_->map[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                 static_cast<std::size_t>(x)];
            image_.setPixelColor(x, y, std::isnan(value) ? theme_.colours().error : colour_of(value));
        }
    }
}

QRectF HeatMapView::plot() const {
    return QRectF(rect()).adjusted(4, 4, -4, -kScale);
}

void HeatMapView::paintEvent(QPaintEvent*) {
    if (image_.isNull()) return;
    QPainter painter(this);
    const Colours& colours = theme_.colours();
    const QRectF area = plot();
    painter.drawImage(area, image_);
    const double cell_width = area.width() / image_.width();
    const double cell_height = area.height() / image_.height();
    painter.setPen(colours.text);
    for (int y = 0; y < image_.height() && cell_width > 2 && cell_height > 2; ++y) {
        for (int x = 0; x < image_.width(); ++x) {
            if (!std::isnan(statistics_->map[static_cast<std::size_t>(y * image_.width() + x)])) continue;
            const QRectF cell(area.left() + x * cell_width, area.top() + y * cell_height, cell_width,
                              cell_height);
            painter.drawLine(cell.topLeft(), cell.bottomRight());
            painter.drawLine(cell.topRight(), cell.bottomLeft());
        }
    }
    painter.setPen(QPen(colours.border, 1));
    painter.drawRect(area);
    painter.setFont(axis_font(*this));
    painter.setPen(colours.muted);
    const QRectF line(area.left(), area.bottom(), area.width(), kScale);
    const QRectF ramp(line.center().x() - 45, line.top() + 5, 90, 6);
    for (int i = 0; i < 45; ++i)
        painter.fillRect(QRectF(ramp.left() + i * 2, ramp.top(), 2, ramp.height()),
                         colour_of(low_ + (high_ - low_) * static_cast<float>(i) / 44));
    painter.drawText(QRectF(line.left(), line.top(), ramp.left() - line.left() - 5, kScale),
                     Qt::AlignRight | Qt::AlignVCenter, number(low_));
    painter.drawText(QRectF(ramp.right() + 5, line.top(), line.right() - ramp.right() - 5, kScale),
                     Qt::AlignLeft | Qt::AlignVCenter, number(high_));
}

QPoint HeatMapView::cell_at(QPointF place) const {
    const QRectF area = plot();
    if (image_.isNull() || !area.contains(place)) return {-1, -1};
    const auto at = [](double share, int count) {
        return std::min(static_cast<int>(share * count), count - 1);
    };
    return {at((place.x() - area.left()) / area.width(), image_.width()),
            at((place.y() - area.top()) / area.height(), image_.height())};
}

void HeatMapView::mousePressEvent(QMouseEvent* event) {
    const QPoint cell = cell_at(event->position());
    if (cell.x() < 0) return;
    // The first row that falls into the cell: row · map_rows / rows = cell, rounded down.
    const auto first = [](std::int64_t map, std::int64_t size, std::int64_t cells) {
        return (map * size + cells - 1) / cells;
    };
    emit clicked(first(cell.y(), rows_, image_.height()), first(cell.x(), columns_, image_.width()));
}

bool HeatMapView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QPoint cell = cell_at(help->pos());
    if (cell.x() < 0) return true;
    const float value =
        statistics_->map[static_cast<std::size_t>(cell.y()) * static_cast<std::size_t>(image_.width()) +
                         static_cast<std::size_t>(cell.x())];
    const bool one = rows_ == image_.height() && columns_ == image_.width();
    const QString where = tr("row %1, column %2")
                              .arg(cell.y() * rows_ / image_.height())
                              .arg(cell.x() * columns_ / image_.width());
    QToolTip::showText(help->globalPos(),
                       (one ? QStringLiteral("%1: %2") : tr("from %1: mean %2"))
                           .arg(where, std::isnan(value) ? tr("no finite value") : number(value)),
                       this);
    return true;
}

}  // namespace splitscope::ui
