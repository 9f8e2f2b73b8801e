// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/memory_bars.hpp"

#include <QPainter>
#include <algorithm>
#include <array>

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

std::array<Part, 3> parts_of(const Summary::BackendShare& share) {
    return {{{share.weights_bytes, 0.9, Qt::SolidPattern},
             {share.cache_bytes, 0.45, Qt::SolidPattern},
             {share.compute_bytes, 0.9, Qt::BDiagPattern}}};
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

QSize MemoryBars::sizeHint() const {
    return {280, 26 + kRow * static_cast<int>(summary_ ? summary_->backends.size() : 1)};
}

void MemoryBars::paintEvent(QPaintEvent*) {
    if (!summary_) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours& colours = theme_.colours();
    std::uint64_t most = 1;
    for (const auto& share : summary_->backends) {
        most = std::max(most, share.weights_bytes + share.cache_bytes + share.compute_bytes);
    }
    const double scale = (width() - 24.0) / static_cast<double>(most);
    int y = 2;
    for (const auto& share : summary_->backends) {
        const QColor colour = colours.backend(share.backend, summary_->backends.size());
        painter.setPen(colours.text);
        painter.drawText(QRect(12, y, width() - 24, 18), Qt::AlignLeft | Qt::AlignVCenter,
                         backend_label(*analysis_->machine, share.backend));
        painter.setPen(colours.muted);
        painter.drawText(QRect(12, y, width() - 24, 18), Qt::AlignRight | Qt::AlignVCenter,
                         bytes_text(share.weights_bytes + share.cache_bytes + share.compute_bytes));
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
        y += kRow;
    }
    // Legend, in neutral tones: the same for each backend.
    const std::array<std::pair<QString, Part>, 3> legend{{{tr("weights"), {0, 0.9, Qt::SolidPattern}},
                                                          {tr("cache"), {0, 0.45, Qt::SolidPattern}},
                                                          {tr("compute"), {0, 0.9, Qt::BDiagPattern}}}};
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
