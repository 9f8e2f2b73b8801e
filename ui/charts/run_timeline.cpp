// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/run_timeline.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

constexpr int kLane = 20;
constexpr int kLabel = 60;

double microseconds(std::chrono::nanoseconds t) {
    return static_cast<double>(t.count()) / 1000.0;
}

}  // namespace

RunTimeline::RunTimeline(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setMouseTracking(true);
    setAccessibleName(tr("Timeline of the last token"));
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void RunTimeline::set_execution(std::shared_ptr<const Schedule> schedule,
                                std::shared_ptr<const Execution> execution) {
    schedule_ = std::move(schedule);
    execution_ = std::move(execution);
    updateGeometry();
    update();
}

QSize RunTimeline::sizeHint() const {
    const int lanes = schedule_ ? static_cast<int>(schedule_->machine->backends.size()) : 0;
    return {280, lanes == 0 ? 0 : lanes * kLane + 22};
}

QRectF RunTimeline::box_of(const ExecutionEvent& event) const {
    const double total = std::max(1.0, microseconds(execution_->duration));
    const double width = this->width() - kLabel - 12.0;
    const double left = kLabel + microseconds(event.start) / total * width;
    const double right = kLabel + microseconds(event.end) / total * width;
    const double lane = std::max(0, event.backend.value) * kLane + 2.0;
    const bool copy = event.kind == ExecutionEventKind::copy || event.kind == ExecutionEventKind::expert_copy;
    return {left, lane + (copy ? 3 : 0), std::max(1.5, right - left), kLane - 4.0 - (copy ? 6 : 0)};
}

const ExecutionEvent* RunTimeline::event_at(QPointF place) const {
    if (!execution_) return nullptr;
    const ExecutionEvent* found = nullptr;
    for (const ExecutionEvent& event : execution_->events) {
        if (box_of(event).adjusted(-2, -2, 2, 2).contains(place)) found = &event;
    }
    return found;
}

void RunTimeline::paintEvent(QPaintEvent*) {
    if (!execution_ || !schedule_) return;
    QPainter painter(this);
    const Colours& colours = theme_.colours();
    const std::size_t lanes = schedule_->machine->backends.size();
    QFont small = font();
    small.setPointSizeF(std::max(6.5, small.pointSizeF() - 1));
    painter.setFont(small);
    for (std::size_t b = 0; b < lanes; ++b) {
        const int y = static_cast<int>(b) * kLane;
        painter.fillRect(QRect(kLabel, y + 2, width() - kLabel - 12, kLane - 4), colours.field);
        painter.setPen(colours.muted);
        painter.drawText(QRect(0, y, kLabel - 6, kLane), Qt::AlignRight | Qt::AlignVCenter,
                         backend_label(*schedule_->machine, BackendId(b)));
    }
    for (const ExecutionEvent& event : execution_->events) {
        const bool copy =
            event.kind == ExecutionEventKind::copy || event.kind == ExecutionEventKind::expert_copy;
        QColor colour = copy ? colours.copy : colours.backend(event.backend, lanes);
        if (event.kind == ExecutionEventKind::wait) colour = colours.faint;
        painter.fillRect(box_of(event), colour);
    }
    painter.setPen(colours.muted);
    painter.drawText(
        QRect(kLabel, static_cast<int>(lanes) * kLane + 2, width() - kLabel - 12, 18),
        Qt::AlignLeft | Qt::AlignVCenter,
        tr("last token: %1 µs, copies in red").arg(microseconds(execution_->duration), 0, 'f', 0));
}

void RunTimeline::mouseMoveEvent(QMouseEvent* event) {
    const ExecutionEvent* found = event_at(event->position());
    if (!found) {
        QToolTip::hideText();
        return;
    }
    QString what;
    switch (found->kind) {
        case ExecutionEventKind::compute:
            what = tr("split %1 computes").arg(found->split.value);
            break;
        case ExecutionEventKind::wait:
            what = tr("split %1 waits").arg(found->split.value);
            break;
        default:
            what = tr("%1 copied for split %2, %3")
                       .arg(tensor_label(*schedule_, found->tensor))
                       .arg(found->split.value)
                       .arg(bytes_text(found->bytes));
    }
    QToolTip::showText(event->globalPosition().toPoint(),
                       tr("%1: %2 µs").arg(what).arg(microseconds(found->end - found->start), 0, 'f', 1),
                       this);
}

void RunTimeline::mousePressEvent(QMouseEvent* event) {
    if (const ExecutionEvent* found = event_at(event->position())) emit split_clicked(found->split);
}

}  // namespace splitscope::ui
