// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/flame_chart.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace splitscope::ui {
namespace {

constexpr int kFlameMargin = 8;
constexpr double kHighestRow = 34;
constexpr double kNarrowest = 1.0;  ///< narrower boxes are drawn with their neighbours
constexpr double kTextFrom = 24.0;

}  // namespace

FlameChart::FlameChart(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setAccessibleName(tr("Flame view"));
    setAccessibleDescription(tr("Layers above their nodes; the width is the time"));
    setToolTip(tr("Click a layer to enlarge it, a node to select it."));
    setFocusPolicy(Qt::StrongFocus);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void FlameChart::set_boxes(std::vector<FlameBox> boxes, std::size_t backends) {
    boxes_ = std::move(boxes);
    backends_ = std::max<std::size_t>(backends, 1);
    zoomed_ = 0;
    update();
}

void FlameChart::set_selected(TensorId node) {
    selected_ = node;
    update();
}

void FlameChart::zoom_to(std::size_t box) {
    if (box >= boxes_.size()) return;
    zoomed_ = box;
    update();
}

double FlameChart::row_height() const {
    return std::min(kHighestRow, (height() - 2.0 * kFlameMargin) / int{FlameBox::kLevels});
}

QRectF FlameChart::rect_of(std::size_t box) const {
    const FlameBox& shown = boxes_[zoomed_];
    const FlameBox& b = boxes_[box];
    if (shown.duration.count() == 0 || b.start + b.duration <= shown.start ||
        b.start >= shown.start + shown.duration)
        return {};
    const double scale = (width() - 2.0 * kFlameMargin) / static_cast<double>(shown.duration.count());
    const auto x = [&](std::chrono::nanoseconds at) {
        const auto inside = std::clamp(at - shown.start, std::chrono::nanoseconds(0), shown.duration);
        return kFlameMargin + static_cast<double>(inside.count()) * scale;
    };
    const double left = x(b.start);
    return {left, kFlameMargin + int{b.level} * row_height(), x(b.start + b.duration) - left, row_height()};
}

std::optional<std::size_t> FlameChart::box_at(QPointF place) const {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
        if (rect_of(i).contains(place)) return i;
    }
    return std::nullopt;
}

QString FlameChart::tip_of(std::size_t box) const {
    const FlameBox& b = boxes_[box];
    const double share = 100.0 * static_cast<double>(b.duration.count()) /
                         static_cast<double>(boxes_.front().duration.count());
    return tr("%1: %2, %3 %").arg(b.name, time_text(b.duration)).arg(share, 0, 'f', 1);
}

void FlameChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Colours& c = theme_.colours();
    painter.fillRect(rect(), c.panel);
    double drawn_to = 0;
    int level = -1;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
        const FlameBox& box = boxes_[i];
        QRectF place = rect_of(i);
        if (box.level != level) drawn_to = 0;
        level = box.level;
        if (place.isEmpty() || place.right() < drawn_to + kNarrowest) continue;
        place.setLeft(std::max(place.left(), drawn_to));
        drawn_to = place.right();
        const QColor own = box.backend.valid() ? theme_.backend(box.backend, backends_) : c.faint;
        const bool marked = selected_.valid() && box.level == FlameBox::kNode && box.node == selected_;
        painter.fillRect(place.adjusted(0, 0, place.width() > 3 ? -1 : 0, -1),
                         mix(c.panel, own,
                             marked                         ? 0.85
                             : box.level == FlameBox::kNode ? 0.35
                                                            : 0.5));
        if (marked) {
            painter.setPen(QPen(c.accent, 1.5));
            painter.drawRect(place.adjusted(1, 1, -2, -2));
        }
        if (place.width() < kTextFrom) continue;
        painter.setPen(c.text);
        const QRectF text = place.adjusted(5, 0, -4, 0);
        const QString label = place.width() > 3 * kTextFrom
                                  ? QStringLiteral("%1  %2").arg(box.name, time_text(box.duration))
                                  : box.name;
        painter.drawText(
            text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
            painter.fontMetrics().elidedText(label, Qt::ElideRight, static_cast<int>(text.width())));
    }
}

void FlameChart::mousePressEvent(QMouseEvent* event) {
    const auto box = box_at(event->position());
    if (!box) return;
    const FlameBox& hit = boxes_[*box];
    if (hit.level == FlameBox::kNode) {
        if (hit.node.valid()) emit node_clicked(hit.node);
        return;
    }
    // A second click on the box that fills the view zooms out.
    zoom_to(*box == zoomed_ ? 0 : *box);
}

void FlameChart::keyPressEvent(QKeyEvent* event) {
    const bool on = event->key() == Qt::Key_Right;
    if (!on && event->key() != Qt::Key_Left && event->key() != Qt::Key_Up) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (event->key() == Qt::Key_Up) {
        zoom_to(0);
        return;
    }
    std::vector<std::size_t> layers;
    for (std::size_t i = 0; i < boxes_.size(); ++i)
        if (boxes_[i].level == FlameBox::kLayer) layers.push_back(i);
    if (layers.empty()) return;
    const auto now = std::ranges::find(layers, zoomed_);
    if (now == layers.end()) {
        zoom_to(on ? layers.front() : layers.back());
    } else if (on && now + 1 != layers.end()) {
        zoom_to(*(now + 1));
    } else if (!on && now != layers.begin()) {
        zoom_to(*(now - 1));
    }
}

bool FlameChart::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = dynamic_cast<QHelpEvent*>(event);
        const auto box = box_at(help->pos());
        if (box) {
            QToolTip::showText(help->globalPos(), tip_of(*box).toHtmlEscaped(), this, rect_of(*box).toRect());
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QWidget::event(event);
}

}  // namespace splitscope::ui
