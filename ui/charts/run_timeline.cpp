// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/run_timeline.hpp"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

constexpr int kLabel = 92;
constexpr int kRuler = 18;
constexpr int kRight = 10;
constexpr double kMinLane = 40;
constexpr double kMaxLane = 74;
/// Minimum visible duration, in µs.
constexpr double kShortest = 0.2;

double microseconds(std::chrono::nanoseconds t) {
    return static_cast<double>(t.count()) / 1000.0;
}

std::chrono::nanoseconds nanoseconds_of(double time) {
    return std::chrono::nanoseconds(static_cast<std::int64_t>(time * 1000.0));
}

QFont small_font(const QWidget& widget) {
    QFont font = widget.font();
    font.setPointSizeF(std::max(6.5, font.pointSizeF() - 1));
    return font;
}

}  // namespace

RunTimeline::RunTimeline(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void RunTimeline::set_run(TimedRun run) {
    run_ = std::move(run);
    bars_.clear();
    duration_ = 0;
    node_ = {};
    split_ = {};
    if (run_) {
        bars_.resize(run_.analysis->schedule->machine->backends.size() * kRows);
        duration_ = microseconds(run_.execution->duration);
        add_events();
    }
    fit();
    updateGeometry();
}

void RunTimeline::add_events() {
    const std::vector<TensorId> nodes = nodes_in_order(*run_.analysis->schedule);
    for (const ExecutionEvent& event : run_.execution->events) {
        if (!event.backend.valid() || event.backend.index() >= lanes()) continue;
        Bar bar;
        bar.start = microseconds(event.start);
        bar.end = microseconds(event.end);
        bar.kind = event.kind;
        bar.split = event.split;
        bar.bytes = event.bytes;
        duration_ = std::max(duration_, bar.end);
        if (event.kind != ExecutionEventKind::compute) {
            bar.tensor = event.tensor;
            bars(event.backend.index(), kCopies).push_back(bar);
            continue;
        }
        if (event.last_node < nodes.size()) bar.tensor = nodes[event.last_node];
        bar.nodes = event.last_node - event.first_node + 1;
        bars(event.backend.index(), kNodes).push_back(bar);
        Bars& splits = bars(event.backend.index(), kSplits);
        if (splits.empty() || splits.back().split != event.split) {
            splits.push_back(bar);
        } else {
            splits.back().end = bar.end;
            splits.back().nodes += bar.nodes;
        }
    }
}

void RunTimeline::set_selected(TensorId node, SplitId split) {
    node_ = node;
    split_ = split;
    update();
}

void RunTimeline::fit() {
    first_ = 0;
    last_ = std::max(duration_, kShortest);
    update();
}

void RunTimeline::show_times(double first, double last) {
    const double whole = std::max(duration_, kShortest);
    const double length = std::clamp(last - first, kShortest, whole);
    first_ = std::clamp(first, 0.0, whole - length);
    last_ = first_ + length;
    update();
}

void RunTimeline::zoom_by(double factor) {
    const double middle = (first_ + last_) / 2;
    const double half = (last_ - first_) / 2 / factor;
    show_times(middle - half, middle + half);
}

QSize RunTimeline::sizeHint() const {
    return {400, static_cast<int>(static_cast<double>(lanes()) * 60) + kRuler};
}

QSize RunTimeline::minimumSizeHint() const {
    return {200, static_cast<int>(static_cast<double>(lanes()) * kMinLane) + kRuler};
}

double RunTimeline::lane_height() const {
    if (lanes() == 0) return kMinLane;
    return std::clamp((height() - kRuler) / static_cast<double>(lanes()), kMinLane, kMaxLane);
}

QRectF RunTimeline::row_rect(std::size_t lane, Row row) const {
    const double height = lane_height() - 8;
    const double top = kRuler + static_cast<double>(lane) * lane_height() + 4;
    const double width = this->width() - kLabel - kRight;
    switch (row) {
        case kSplits:
            return {double(kLabel), top, width, height * 0.3};
        case kNodes:
            return {double(kLabel), top + height * 0.33, width, height * 0.42};
        default:
            return {double(kLabel), top + height * 0.78, width, height * 0.22};
    }
}

double RunTimeline::x_of(double time) const {
    return kLabel + (time - first_) / (last_ - first_) * (width() - kLabel - kRight);
}

double RunTimeline::time_at(double x) const {
    return first_ + (x - kLabel) / std::max(1.0, double(width() - kLabel - kRight)) * (last_ - first_);
}

bool RunTimeline::is_selected(const Bar& bar, Row row) const {
    if (row == kSplits) return split_.valid() && bar.split == split_;
    return node_.valid() && bar.tensor == node_;
}

void RunTimeline::paint_row(QPainter& painter, std::size_t lane, Row row) const {
    const Colours& colours = theme_.colours();
    const QRectF area = row_rect(lane, row);
    const Bars& all = bars(lane, row);
    const QColor colour = colours.backend(BackendId(lane), lanes());
    const auto begin =
        std::partition_point(all.begin(), all.end(), [this](const Bar& b) { return b.end < first_; });
    double painted_to = area.left() - 1;
    const QFontMetricsF metrics(painter.font());
    const Bar* selected = nullptr;
    for (auto bar = begin; bar != all.end() && bar->start <= last_; ++bar) {
        if (is_selected(*bar, row)) selected = &*bar;
        const double left = std::max(area.left(), x_of(bar->start));
        double right = std::min(area.right(), x_of(bar->end));
        // Bars narrower than a pixel are drawn once per pixel.
        if (right <= painted_to) continue;
        right = std::max(right, left + 1.2);
        const QRectF box(left, area.top(), right - left, area.height());
        painted_to = std::floor(right);
        const bool odd = ((bar - all.begin()) & 1) != 0;
        if (row == kCopies) {
            const bool wait = bar->kind == ExecutionEventKind::wait;
            painter.fillRect(box, wait ? colours.faint : colours.copy);
            continue;
        }
        const double strength = row == kSplits ? (odd ? 0.95 : 0.75) : (odd ? 0.62 : 0.42);
        const QColor fill = mix(colours.field, colour, strength);
        painter.fillRect(box, fill);
        if (box.width() < 26) continue;
        const Schedule& schedule = *run_.analysis->schedule;
        const QString text = row == kSplits    ? tr("split %1").arg(bar->split.value)
                             : bar->nodes == 1 ? op_label(schedule.tensor(bar->tensor))
                                               : tr("%1 nodes").arg(bar->nodes);
        painter.setPen(fill.lightness() > 140 ? QColor(0x10, 0x13, 0x19) : QColor(0xf4, 0xf6, 0xfa));
        painter.drawText(box.adjusted(4, 0, -3, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideRight, box.width() - 7));
    }
    if (selected) {
        const double left = std::max(area.left(), x_of(selected->start));
        const double right = std::max(left + 3, std::min(area.right(), x_of(selected->end)));
        painter.setPen(QPen(colours.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(left - 1, area.top() - 1, right - left + 2, area.height() + 2));
    }
}

void RunTimeline::paint_ruler(QPainter& painter) const {
    const Colours& colours = theme_.colours();
    const double length = last_ - first_;
    double step = std::pow(10.0, std::floor(std::log10(length / 4)));
    if (length / step > 10) step *= 2.5;
    if (length / step > 10) step *= 2;
    const double first_tick = std::ceil(first_ / step);
    const int ticks = static_cast<int>(std::floor(last_ / step) - first_tick) + 1;
    for (int i = 0; i < ticks; ++i) {
        const double time = (first_tick + i) * step;
        const double x = x_of(time);
        painter.setPen(mix(colours.panel, colours.border, 0.7));
        painter.drawLine(QPointF(x, kRuler - 4),
                         QPointF(x, kRuler + static_cast<double>(lanes()) * lane_height()));
        painter.setPen(colours.muted);
        const QString text = time == 0 ? QStringLiteral("0") : time_text(nanoseconds_of(time));
        if (x + 60 < width()) painter.drawText(QPointF(x + 3, kRuler - 6), text);
    }
}

void RunTimeline::paintEvent(QPaintEvent*) {
    if (!run_) return;
    QPainter painter(this);
    const Colours& colours = theme_.colours();
    painter.setFont(small_font(*this));
    for (std::size_t lane = 0; lane < lanes(); ++lane) {
        for (const Row row : {kSplits, kNodes, kCopies}) painter.fillRect(row_rect(lane, row), colours.field);
    }
    paint_ruler(painter);
    for (std::size_t lane = 0; lane < lanes(); ++lane) {
        for (const Row row : {kSplits, kNodes, kCopies}) paint_row(painter, lane, row);
        const double top = kRuler + static_cast<double>(lane) * lane_height();
        const QRectF label(18, top + 2, kLabel - 24, lane_height() * 0.5);
        painter.fillRect(QRectF(6, label.center().y() - 4, 8, 8), colours.backend(BackendId(lane), lanes()));
        painter.setPen(colours.text);
        painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(device_label(*run_.analysis, BackendId(lane)),
                                                          Qt::ElideRight, static_cast<int>(label.width())));
        painter.setPen(colours.muted);
        const QRectF copies = row_rect(lane, kCopies);
        painter.drawText(QRectF(18, copies.top() - 4, kLabel - 24, copies.height() + 8),
                         Qt::AlignLeft | Qt::AlignVCenter, tr("copies in"));
    }
    if (hasFocus()) {
        painter.setPen(QPen(colours.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

RunTimeline::Hit RunTimeline::hit(QPointF place) const {
    for (std::size_t lane = 0; lane < lanes(); ++lane) {
        for (const Row row : {kSplits, kNodes, kCopies}) {
            if (!row_rect(lane, row).contains(place)) continue;
            const Bars& all = bars(lane, row);
            // Two pixels of tolerance for short bars.
            const double slack = (last_ - first_) / std::max(1, width()) * 2;
            const double time = time_at(place.x());
            const auto found = std::partition_point(all.begin(), all.end(),
                                                    [&](const Bar& bar) { return bar.end < time - slack; });
            Hit nearest;
            double least = slack;
            for (auto bar = found; bar != all.end() && bar->start <= time + slack; ++bar) {
                const double away = std::max({bar->start - time, time - bar->end, 0.0});
                if (away > least || (nearest.bar && away == least)) continue;
                least = away;
                nearest = {&*bar, lane, row};
            }
            return nearest;
        }
    }
    return {};
}

QPoint RunTimeline::place_of(TensorId node) const {
    for (std::size_t lane = 0; lane < lanes(); ++lane) {
        for (const Bar& bar : bars(lane, kNodes)) {
            if (bar.tensor != node) continue;
            return {static_cast<int>(x_of((bar.start + bar.end) / 2)),
                    static_cast<int>(row_rect(lane, kNodes).center().y())};
        }
    }
    return {};
}

QString RunTimeline::tool_tip(const Hit& hit) const {
    const Bar& bar = *hit.bar;
    const Schedule& schedule = *run_.analysis->schedule;
    const QString time = time_text(nanoseconds_of(bar.end - bar.start));
    const QString when = tr("%1 after the start · %2 % of the run")
                             .arg(time_text(nanoseconds_of(bar.start)))
                             .arg(100 * (bar.end - bar.start) / std::max(duration_, kShortest), 0, 'f', 1);
    const QString backend = device_label(*run_.analysis, BackendId(hit.lane));
    if (hit.row == kSplits) {
        return tr("split %1 on %2: %3, %4 nodes\n%5")
            .arg(bar.split.value)
            .arg(backend, time)
            .arg(bar.nodes)
            .arg(when);
    }
    if (bar.kind == ExecutionEventKind::wait)
        return tr("split %1 waits: %2\n%3").arg(bar.split.value).arg(time, when);
    if (hit.row == kCopies) {
        const double seconds = (bar.end - bar.start) / 1e6;
        const QString rate = seconds > 0 ? tr("%1/s").arg(bytes_text(static_cast<std::uint64_t>(
                                               static_cast<double>(bar.bytes) / seconds)))
                                         : QString();
        return tr("%1 copied to %2 for split %3\n%4 in %5 · %6\n%7")
            .arg(tensor_label(schedule, bar.tensor), backend)
            .arg(bar.split.value)
            .arg(bytes_text(bar.bytes), time, rate, when);
    }
    if (bar.nodes != 1)
        return tr("%1 nodes of split %2, up to %3: %4\n%5")
            .arg(bar.nodes)
            .arg(bar.split.value)
            .arg(tensor_label(schedule, bar.tensor), time, when);
    const Tensor& node = schedule.tensor(bar.tensor);
    return tr("%1: %2\n%3 · %4 · split %5 on %6\n%7")
        .arg(tensor_label(schedule, bar.tensor), time, op_label(node), shape_label(node))
        .arg(bar.split.value)
        .arg(backend, when);
}

bool RunTimeline::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !run_) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Hit found = hit(help->pos());
    if (found.bar) {
        QToolTip::showText(help->globalPos(), tool_tip(found), this);
    } else {
        QToolTip::hideText();
    }
    return true;
}

void RunTimeline::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    pressed_ = true;
    dragged_ = false;
    pressed_at_ = event->position();
    pressed_first_ = first_;
}

void RunTimeline::mouseMoveEvent(QMouseEvent* event) {
    if (!pressed_) return;
    const QPointF moved = event->position() - pressed_at_;
    if (!dragged_ && moved.manhattanLength() < QApplication::startDragDistance()) return;
    dragged_ = true;
    setCursor(Qt::ClosedHandCursor);
    const double length = last_ - first_;
    const double shift = moved.x() / std::max(1.0, double(width() - kLabel - kRight)) * length;
    show_times(pressed_first_ - shift, pressed_first_ - shift + length);
}

void RunTimeline::mouseReleaseEvent(QMouseEvent* event) {
    unsetCursor();
    if (!std::exchange(pressed_, false) || dragged_) return;
    const Hit found = hit(event->position());
    if (!found.bar) return;
    if (found.row == kSplits || !found.bar->tensor.valid()) {
        emit split_clicked(found.bar->split);
    } else {
        emit node_clicked(found.bar->tensor);
    }
}

void RunTimeline::mouseDoubleClickEvent(QMouseEvent* event) {
    const Hit found = hit(event->position());
    if (!found.bar) {
        fit();
        return;
    }
    const double margin = (found.bar->end - found.bar->start) * 0.1;
    show_times(found.bar->start - margin, found.bar->end + margin);
}

void RunTimeline::wheelEvent(QWheelEvent* event) {
    if (!run_) return;
    const QPoint angle = event->angleDelta();
    const double length = last_ - first_;
    if (event->modifiers().testFlag(Qt::ShiftModifier) || std::abs(angle.x()) > std::abs(angle.y())) {
        const double shift = -(angle.x() + angle.y()) / 1200.0 * length;
        show_times(first_ + shift, last_ + shift);
    } else {
        // Keep the time under the cursor.
        const double at = time_at(event->position().x());
        const double wanted =
            std::clamp(length * std::pow(0.998, angle.y()), kShortest, std::max(duration_, kShortest));
        const double share = (at - first_) / length;
        show_times(at - share * wanted, at - share * wanted + wanted);
    }
    event->accept();
}

void RunTimeline::walk(int step) {
    struct Place {
        double start;
        TensorId node;
    };
    std::vector<Place> order;
    for (std::size_t lane = 0; lane < lanes(); ++lane) {
        for (const Bar& bar : bars(lane, kNodes)) order.push_back({bar.start, bar.tensor});
    }
    if (order.empty()) return;
    std::ranges::sort(order, {}, &Place::start);
    const auto now = std::ranges::find(order, node_, &Place::node);
    const auto count = static_cast<std::ptrdiff_t>(order.size());
    const std::ptrdiff_t at = now == order.end() ? (step > 0 ? -1 : count) : now - order.begin();
    const auto next = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + step, 0, count - 1));
    const double length = last_ - first_;
    if (order[next].start < first_ || order[next].start > last_)
        show_times(order[next].start - length / 2, order[next].start + length / 2);
    emit node_clicked(order[next].node);
}

void RunTimeline::keyPressEvent(QKeyEvent* event) {
    const double shift = (last_ - first_) / 10;
    const bool pan = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
        case Qt::Key_Left:
            pan ? show_times(first_ - shift, last_ - shift) : walk(-1);
            break;
        case Qt::Key_Right:
            pan ? show_times(first_ + shift, last_ + shift) : walk(+1);
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoom_by(1.5);
            break;
        case Qt::Key_Minus:
            zoom_by(1 / 1.5);
            break;
        case Qt::Key_0:
        case Qt::Key_Home:
            fit();
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace splitscope::ui
