// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/node_error_chart.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

constexpr double kLeft = 54;
constexpr double kBelow = 18;
constexpr double kHeading = 16;
/// Decades of the scale. Errors beyond are drawn at its ends; equal values have a separate line at the
/// bottom.
constexpr double kLowest = -14;
constexpr double kHighest = 2;
constexpr double kMinNodes = 8;
constexpr double kZoomStep = 1.25;

}  // namespace

/// The contents of one pixel column.
struct NodeErrorChart::Column {
    double most = -1;  ///< largest error within its tolerance, as a height
    double least = 2;
    double beyond = -1;  ///< largest error beyond it
    double tolerance = -1;
    bool refused = false;
};

NodeErrorChart::NodeErrorChart(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setAccessibleName(tr("Error of each node"));
    setFocusPolicy(Qt::StrongFocus);
    setToolTip(QString());
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void NodeErrorChart::set_comparison(std::shared_ptr<const ValueComparison> comparison) {
    comparison_ = std::move(comparison);
    current_.reset();
    first_ = 0;
    shown_ = comparison_ ? std::max<double>(1, static_cast<double>(comparison_->nodes.size())) : 1;
    update();
}

void NodeErrorChart::set_current(std::optional<std::size_t> node) {
    if (current_ == node) return;
    current_ = node;
    if (node) {
        const auto at = static_cast<double>(*node);
        if (at < first_ || at >= first_ + shown_) show_part(at - shown_ / 2, shown_);
    }
    update();
}

QRectF NodeErrorChart::plot() const {
    return QRectF(rect()).adjusted(kLeft, kHeading, -10, -kBelow);
}

/// 0 at the bottom, for no difference, to 1.
double NodeErrorChart::height_of(double error) const {
    if (error == 0) return 0;
    if (!std::isfinite(error)) return 1;
    const double share = (std::log10(error) - kLowest) / (kHighest - kLowest);
    return std::clamp(0.05 + 0.95 * share, 0.05, 1.0);
}

QPointF NodeErrorChart::place_of(std::size_t node) const {
    const QRectF area = plot();
    const double x = area.left() + (static_cast<double>(node) + 0.5 - first_) / shown_ * area.width();
    const double error = comparison_ && node < comparison_->nodes.size() ? comparison_->nodes[node].nmse : 0;
    return {x, area.bottom() - height_of(error) * area.height()};
}

std::optional<std::size_t> NodeErrorChart::node_at(QPointF place) const {
    const QRectF area = plot();
    if (!comparison_ || comparison_->nodes.empty() || place.x() < area.left() || place.x() > area.right())
        return std::nullopt;
    const double at = first_ + (place.x() - area.left()) / area.width() * shown_;
    const auto last = static_cast<double>(comparison_->nodes.size()) - 1;
    const auto middle = static_cast<std::size_t>(std::clamp(std::floor(at), 0.0, last));
    // Select the worst of the nodes under one pixel.
    const auto reach = static_cast<std::size_t>(shown_ / area.width() * 2);
    std::size_t best = middle;
    const std::size_t end = std::min(middle + reach, comparison_->nodes.size() - 1);
    for (std::size_t n = middle - std::min(middle, reach); n <= end; ++n) {
        if (height_of(comparison_->nodes[n].nmse) > height_of(comparison_->nodes[best].nmse)) best = n;
    }
    return best;
}

void NodeErrorChart::show_part(double first, double shown) {
    if (!comparison_) return;
    const auto count = std::max<double>(1, static_cast<double>(comparison_->nodes.size()));
    shown_ = std::clamp(shown, std::min(kMinNodes, count), count);
    first_ = std::clamp(first, 0.0, count - shown_);
    update();
}

void NodeErrorChart::zoom(double factor, double at_share) {
    const double at = first_ + shown_ * at_share;
    const double shown = shown_ / factor;
    show_part(at - shown * at_share, shown);
}

void NodeErrorChart::paintEvent(QPaintEvent*) {
    if (!comparison_ || comparison_->nodes.empty()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont font = this->font();
    font.setPointSizeF(std::max(6.5, font.pointSizeF() - 1.5));
    painter.setFont(font);
    paint_scale(painter);
    paint_nodes(painter);
    paint_marks(painter);
}

void NodeErrorChart::paint_scale(QPainter& painter) const {
    const Colours& colours = theme_.colours();
    const QRectF area = plot();
    painter.fillRect(area, colours.field);
    const auto line = [&](double height, const QString& text) {
        const double y = area.bottom() - height * area.height();
        painter.setPen(QPen(colours.border, 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(colours.muted);
        // Axis title at the top.
        if (y - 8 >= kHeading)
            painter.drawText(QRectF(0, y - 8, kLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter, text);
    };
    line(0, tr("same"));
    const int step = area.height() < 150 ? 4 : 2;
    for (int decade = static_cast<int>(kLowest) + step; decade <= static_cast<int>(kHighest); decade += step)
        line(height_of(std::pow(10.0, decade)), QStringLiteral("1e%1").arg(decade));
    painter.setPen(colours.muted);
    painter.drawText(QRectF(0, 0, kLeft - 6, kHeading), Qt::AlignRight | Qt::AlignVCenter, tr("NMSE"));
}

void NodeErrorChart::paint_nodes(QPainter& painter) const {
    const Colours& colours = theme_.colours();
    const QRectF area = plot();
    painter.save();
    painter.setClipRect(area.adjusted(0, -4, 0, 4));
    std::vector<Column> columns(static_cast<std::size_t>(std::max(1.0, area.width())));
    const auto& nodes = comparison_->nodes;
    const auto begin = static_cast<std::size_t>(first_);
    const std::size_t end = std::min(nodes.size(), static_cast<std::size_t>(std::ceil(first_ + shown_)));
    for (std::size_t n = begin; n < end; ++n) {
        const double share = (static_cast<double>(n) + 0.5 - first_) / shown_;
        if (share < 0 || share >= 1) continue;
        Column& column = columns[static_cast<std::size_t>(share * static_cast<double>(columns.size()))];
        if (nodes[n].refused) {
            column.refused = true;
            continue;
        }
        const double height = height_of(nodes[n].nmse);
        column.tolerance = std::max(column.tolerance, height_of(nodes[n].tolerance));
        if (nodes[n].exceeds()) {
            column.beyond = std::max(column.beyond, height);
        } else {
            column.most = std::max(column.most, height);
            column.least = std::min(column.least, height);
        }
    }
    const auto y_of = [&](double height) { return area.bottom() - height * area.height(); };
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const Column& column = columns[c];
        const double x = area.left() + static_cast<double>(c) + 0.5;
        if (column.refused) {
            painter.setPen(QPen(colours.faint, 1, Qt::DotLine));
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        }
        if (column.tolerance >= 0) {
            painter.setPen(QPen(colours.warning, 1.5));
            painter.drawLine(QPointF(x - 1.5, y_of(column.tolerance)),
                             QPointF(x + 1.5, y_of(column.tolerance)));
        }
        painter.setPen(Qt::NoPen);
        if (column.most >= 0) {
            painter.setBrush(colours.accent);
            painter.drawRect(QRectF(x - 1, y_of(column.most) - 1.5, 2.5,
                                    std::max(3.0, (column.most - column.least) * area.height())));
        }
        if (column.beyond >= 0) {
            // A diamond, distinguishable without colour.
            const QPointF at(x, y_of(column.beyond));
            painter.setBrush(colours.error);
            painter.drawPolygon(QPolygonF(
                {at + QPointF(0, -4.5), at + QPointF(4.5, 0), at + QPointF(0, 4.5), at + QPointF(-4.5, 0)}));
        }
    }
    painter.restore();
}

void NodeErrorChart::paint_marks(QPainter& painter) const {
    const Colours& colours = theme_.colours();
    const QRectF area = plot();
    const auto x_of = [&](std::size_t node) { return place_of(node).x(); };
    const std::vector<ValueComparison::Step>& steps = comparison_->steps;
    for (std::size_t s = 0; s < steps.size(); ++s) {
        const auto border = [&](std::size_t node) {
            return area.left() + (static_cast<double>(node) - first_) / shown_ * area.width();
        };
        const double x = border(steps[s].begin);
        if (x < area.left() - 1 || x > area.right() || steps[s].title.isEmpty()) continue;
        painter.setPen(QPen(colours.muted, 1));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        // Up to the next step.
        const double end =
            s + 1 < steps.size() ? std::min(border(steps[s + 1].begin), area.right()) : area.right();
        const QRectF room(x + 3, area.bottom() + 1, std::max(0.0, end - x - 6), kBelow - 2);
        painter.drawText(
            room, Qt::AlignLeft | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(steps[s].title, Qt::ElideRight, static_cast<int>(room.width())));
    }
    if (const auto& first = comparison_->first_exceeding) {
        const double x = x_of(*first);
        if (x >= area.left() && x <= area.right()) {
            const QString text = painter.fontMetrics().elidedText(
                tr("first: %1").arg(to_text(comparison_->nodes[*first].tensor.name)), Qt::ElideRight,
                static_cast<int>(area.width()) - 4);
            painter.setPen(QPen(colours.error, 1, Qt::DashLine));
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
            const double width = painter.fontMetrics().horizontalAdvance(text) + 4.0;
            const double left =
                std::clamp(x - width / 2, area.left(), std::max(area.left(), area.right() - width));
            painter.drawText(QRectF(left, 0, width, kHeading), Qt::AlignCenter, text);
        }
    }
    if (current_ && x_of(*current_) >= area.left() && x_of(*current_) <= area.right()) {
        painter.setPen(QPen(colours.text, 1.5));
        painter.drawLine(QPointF(x_of(*current_), area.top()), QPointF(x_of(*current_), area.bottom()));
    }
    if (hasFocus()) {
        painter.setPen(QPen(colours.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area);
    }
}

void NodeErrorChart::choose(std::ptrdiff_t node) {
    if (!comparison_ || comparison_->nodes.empty()) return;
    const auto last = static_cast<std::ptrdiff_t>(comparison_->nodes.size()) - 1;
    const auto chosen = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(node, 0, last));
    set_current(chosen);
    emit node_chosen(chosen);
}

void NodeErrorChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    pressed_ = event->position();
    first_when_pressed_ = first_;
    panning_ = false;
}

void NodeErrorChart::mouseMoveEvent(QMouseEvent* event) {
    if (!pressed_) return;
    const double moved = event->position().x() - pressed_->x();
    if (std::abs(moved) > 4) panning_ = true;
    if (panning_) show_part(first_when_pressed_ - moved / plot().width() * shown_, shown_);
}

void NodeErrorChart::mouseReleaseEvent(QMouseEvent* event) {
    if (pressed_ && !panning_) {
        if (const auto node = node_at(event->position())) choose(static_cast<std::ptrdiff_t>(*node));
    }
    pressed_.reset();
}

void NodeErrorChart::mouseDoubleClickEvent(QMouseEvent*) {
    if (comparison_) show_part(0, static_cast<double>(comparison_->nodes.size()));
}

void NodeErrorChart::wheelEvent(QWheelEvent* event) {
    const QRectF area = plot();
    const double share = std::clamp((event->position().x() - area.left()) / area.width(), 0.0, 1.0);
    zoom(event->angleDelta().y() > 0 ? kZoomStep : 1 / kZoomStep, share);
    event->accept();
}

void NodeErrorChart::keyPressEvent(QKeyEvent* event) {
    const auto now = static_cast<std::ptrdiff_t>(current_.value_or(0));
    switch (event->key()) {
        case Qt::Key_Left:
            choose(now - 1);
            break;
        case Qt::Key_Right:
            choose(current_ ? now + 1 : 0);
            break;
        case Qt::Key_Home:
            choose(0);
            break;
        case Qt::Key_End:
            if (comparison_) choose(static_cast<std::ptrdiff_t>(comparison_->nodes.size()) - 1);
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoom(kZoomStep, 0.5);
            break;
        case Qt::Key_Minus:
            zoom(1 / kZoomStep, 0.5);
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

bool NodeErrorChart::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto at = node_at(help->pos());
    if (!at) {
        QToolTip::hideText();
        return true;
    }
    const NodeError& node = comparison_->nodes[*at];
    QToolTip::showText(
        help->globalPos(),
        node.refused
            ? tr("%1 (%2)\nnot run on %3").arg(to_text(node.tensor.name), node.op, comparison_->tested)
            : tr("%1 (%2)\nNMSE %3, tolerance %4\nlargest difference %5, %6 of %7 values differ")
                  .arg(to_text(node.tensor.name), node.op)
                  .arg(node.nmse, 0, 'g', 3)
                  .arg(node.tolerance, 0, 'g', 3)
                  .arg(node.largest, 0, 'g', 3)
                  .arg(count_text(static_cast<std::uint64_t>(node.differing)),
                       count_text(static_cast<std::uint64_t>(node.count))),
        this);
    return true;
}

}  // namespace splitscope::ui
