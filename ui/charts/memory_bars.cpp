// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/memory_bars.hpp"

#include <QPainter>
#include <algorithm>
#include <array>

#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

constexpr int kRow = 34;
constexpr int kBar = 12;

struct Part {
    std::uint64_t bytes;
    double strength;  ///< of the backend's colour
    Qt::BrushStyle pattern;
};

std::uint64_t used_by(const Summary::BackendShare& share) {
    return share.total_bytes();
}

std::array<Part, 4> parts_of(const Summary::BackendShare& share) {
    return {{{share.weights_bytes, 0.9, Qt::SolidPattern},
             {share.cache_bytes, 0.45, Qt::SolidPattern},
             {share.compute_bytes, 0.9, Qt::BDiagPattern},
             {share.results_bytes, 0.9, Qt::Dense4Pattern}}};
}

}  // namespace

MemoryBars::MemoryBars(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setAccessibleName(tr("Memory per backend"));
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void MemoryBars::set_summary(std::shared_ptr<const Analysis> analysis,
                             std::shared_ptr<const Summary> summary) {
    analysis_ = std::move(analysis);
    summary_ = std::move(summary);
    updateGeometry();
    update();
}

/// "2 GiB of 24 GiB", and the excess.
QString MemoryBars::used_text(std::uint64_t used, std::uint64_t capacity) {
    if (capacity == 0) return bytes_text(used);
    if (used > capacity) {
        return tr("%1 of %2 · %3 short")
            .arg(bytes_text(used), bytes_text(capacity), bytes_text(used - capacity));
    }
    return tr("%1 of %2").arg(bytes_text(used), bytes_text(capacity));
}

QSize MemoryBars::sizeHint() const {
    return {280, 26 + kRow * static_cast<int>(summary_ ? summary_->backends.size() : 1)};
}

void MemoryBars::paintEvent(QPaintEvent*) {
    if (!summary_) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours& colours = theme_.colours();
    std::uint64_t most = 1;
    for (const auto& share : summary_->backends) most = std::max(most, used_by(share));
    int y = 2;
    for (const auto& share : summary_->backends) {
        const QColor colour = colours.backend(share.backend, summary_->backends.size());
        painter.setPen(colours.text);
        painter.drawText(QRect(12, y, width() - 24, 18), Qt::AlignLeft | Qt::AlignVCenter,
                         device_label(*analysis_, share.backend));
        const std::uint64_t used = used_by(share);
        const std::uint64_t capacity = share.memory_bytes;
        const bool over = capacity > 0 && used > capacity;
        painter.setPen(over ? colours.error : colours.muted);
        painter.drawText(QRect(12, y, width() - 24, 18), Qt::AlignRight | Qt::AlignVCenter,
                         used_text(used, capacity));
        // Devices with known memory have their own scale, the others share one.
        const double scale =
            (width() - 24.0) / static_cast<double>(capacity > 0 ? std::max(capacity, used) : most);
        QRectF bar(12, y + 18, width() - 24.0, kBar);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours.field);
        painter.drawRect(bar);
        double x = bar.left();
        for (const Part& part : parts_of(share)) {
            const double width = static_cast<double>(part.bytes) * scale;
            const QRectF piece(x, bar.top(), width, kBar);
            painter.setBrush(
                mix(colours.panel, colour, part.pattern == Qt::SolidPattern ? part.strength : 0.25));
            painter.drawRect(piece);
            if (part.pattern != Qt::SolidPattern) {
                painter.setBrush(QBrush(colour, part.pattern));
                painter.drawRect(piece);
            }
            x += width;
        }
        if (over) {
            const QRectF beyond(bar.left() + static_cast<double>(capacity) * scale, bar.top() - 2,
                                static_cast<double>(used - capacity) * scale, kBar + 4);
            painter.setPen(QPen(colours.error, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(beyond);
        }
        y += kRow;
    }
    // The legend uses neutral tones, valid for all backends.
    const std::array<std::pair<QString, Part>, 4> legend{{{tr("weights"), {0, 0.9, Qt::SolidPattern}},
                                                          {tr("cache"), {0, 0.45, Qt::SolidPattern}},
                                                          {tr("compute"), {0, 0.9, Qt::BDiagPattern}},
                                                          {tr("output"), {0, 0.9, Qt::Dense4Pattern}}}};
    int x = 12;
    for (const auto& [name, part] : legend) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(QBrush(mix(colours.panel, colours.muted, part.strength), part.pattern));
        painter.drawRect(QRectF(x, y + 6, 11, 9));
        painter.setPen(colours.muted);
        painter.drawText(QRect(x + 16, y, 80, 20), Qt::AlignLeft | Qt::AlignVCenter, name);
        x += 24 + painter.fontMetrics().horizontalAdvance(name) + 10;
    }
}

}  // namespace splitscope::ui
