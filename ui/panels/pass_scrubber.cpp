// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/pass_scrubber.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "engine/scheduler/explain.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/plain_text.hpp"

namespace splitscope::ui {
namespace {

constexpr double kSide = 8;
constexpr double kGap = 3;
constexpr double kMin = 40;
constexpr double kBesideTitle = 2;

QString pass_title(Pass pass) {
    return pass == Pass::user ? PassScrubber::tr("user") : to_text(name_of(pass));
}

QFont title_font(QFont font) {
    font.setWeight(QFont::DemiBold);
    return font;
}

}  // namespace

PassScrubber::PassScrubber(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Passes"));
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void PassScrubber::set_schedule(std::shared_ptr<const Schedule> schedule) {
    schedule_ = std::move(schedule);
    segments_.clear();
    std::size_t first = 0;
    if (schedule_) {
        for (const Schedule::PassEnd& pass : schedule_->passes) {
            // Without manual assignments, the first pass has no predecessor to show.
            if (pass.pass != Pass::user || pass.decisions_end > first) {
                segments_.push_back({pass.pass, first, pass.decisions_end, 0, 0});
            }
            first = pass.decisions_end;
        }
    }
    place_segments();
    update();
}

void PassScrubber::set_compact(bool compact) {
    height_ = compact ? kCompact : kWithNumbers;
    updateGeometry();
    update();
}

void PassScrubber::set_position(std::size_t position) {
    position_ = position;
    update();
}

void PassScrubber::place_segments() {
    if (segments_.empty()) return;
    const double room = std::max(0.0, width() - 2 * kSide - kGap * static_cast<double>(segments_.size() - 1));
    const QFontMetricsF metrics(title_font(font()));
    // Square roots keep small passes visible beside large ones.
    double total = 0;
    double titles = 0;
    double larger = 0;
    for (Segment& s : segments_) {
        total += std::sqrt(static_cast<double>(s.end - s.first) + 1);
        s.width = metrics.horizontalAdvance(pass_title(s.pass)) + 2 * kBesideTitle;
        titles += s.width;
        larger += std::max(0.0, kMin - s.width);
    }
    // Room goes to the titles first, then to equal widths, then to the numbers of decisions.
    const double for_titles = titles > 0 ? std::min(1.0, room / titles) : 0;
    const double for_larger = larger > 0 ? std::clamp((room - titles) / larger, 0.0, 1.0) : 0;
    const double share = std::max(0.0, room - titles - larger);
    double x = kSide;
    for (Segment& s : segments_) {
        const double title = s.width;
        s.left = x;
        s.width = title * for_titles + std::max(0.0, kMin - title) * for_larger +
                  share * std::sqrt(static_cast<double>(s.end - s.first) + 1) / total;
        x += s.width + kGap;
    }
}

double PassScrubber::x_of(std::size_t position) const {
    if (segments_.empty()) return kSide;
    if (position >= segments_.back().end) return segments_.back().left + segments_.back().width;
    for (const Segment& s : segments_) {
        if (position > s.end) continue;
        const std::size_t count = s.end - s.first;
        if (position <= s.first || count == 0) return position <= s.first ? s.left : s.left + s.width;
        return s.left + s.width * static_cast<double>(position - s.first) / static_cast<double>(count);
    }
    return segments_.back().left + segments_.back().width;
}

std::size_t PassScrubber::position_at(double x) const {
    for (const Segment& s : segments_) {
        if (x > s.left + s.width + kGap && &s != &segments_.back()) continue;
        const double share = std::clamp((x - s.left) / std::max(1.0, s.width), 0.0, 1.0);
        return s.first + static_cast<std::size_t>(std::lround(share * static_cast<double>(s.end - s.first)));
    }
    return 0;
}

/// Where the title of a segment is centred: beside the position, which would strike it through.
QRectF PassScrubber::title_box(const QRectF& box, double title_width) const {
    constexpr double kBeside = 4;
    const double x = x_of(position_);
    if (std::abs(x - box.center().x()) > title_width / 2 + kBeside) return box;
    QRectF larger = box;
    if (x > box.center().x()) {
        larger.setRight(x - kBeside);
    } else {
        larger.setLeft(x + kBeside);
    }
    return larger.width() >= title_width ? larger : box;
}

void PassScrubber::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours& colours = theme_.colours();
    if (segments_.empty()) {
        painter.setPen(colours.faint);
        painter.drawText(rect(), Qt::AlignCenter, tr("No passes yet"));
        return;
    }
    const double top = 5;
    const double height = 26;
    const QFont bold = title_font(font());
    QFont small = font();
    small.setPointSizeF(std::max(6.5, small.pointSizeF() - 1.5));
    for (const Segment& s : segments_) {
        const QRectF box(s.left, top, s.width, height);
        const bool done = position_ >= s.end;
        const bool within = position_ > s.first && position_ < s.end;
        painter.setPen(QPen(colours.border, 1));
        painter.setBrush(done ? mix(colours.panel, colours.accent, 0.30) : colours.field);
        painter.drawRoundedRect(box, 4, 4);
        if (within) {
            QRectF part = box;
            part.setRight(x_of(position_));
            painter.setPen(Qt::NoPen);
            painter.setBrush(mix(colours.panel, colours.accent, 0.45));
            painter.drawRoundedRect(part, 4, 4);
        }
        painter.setFont(bold);
        painter.setPen(done || within ? colours.text : colours.muted);
        const QString title = pass_title(s.pass);
        painter.drawText(title_box(box, painter.fontMetrics().horizontalAdvance(title)), Qt::AlignCenter,
                         title);
        if (height_ == kCompact) continue;
        painter.setFont(small);
        painter.setPen(colours.muted);
        painter.drawText(QRectF(s.left - 4, top + height + 2, s.width + 8, 16), Qt::AlignCenter,
                         count_text(s.end - s.first));
    }
    const double x = x_of(position_);
    painter.setPen(QPen(colours.accent, 2.4, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(x, top - 2), QPointF(x, top + height + 2));
    painter.setBrush(colours.accent);
    painter.drawEllipse(QPointF(x, top - 1), 3.6, 3.6);
}

void PassScrubber::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place_segments();
}

void PassScrubber::mousePressEvent(QMouseEvent* event) {
    if (!segments_.empty() && event->button() == Qt::LeftButton)
        emit sought(position_at(event->position().x()));
}

void PassScrubber::mouseMoveEvent(QMouseEvent* event) {
    if (!segments_.empty() && event->buttons().testFlag(Qt::LeftButton)) {
        emit sought(position_at(event->position().x()));
    }
}

bool PassScrubber::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && schedule_) {
        const auto* help = static_cast<QHelpEvent*>(event);
        for (const Segment& s : segments_) {
            if (help->pos().x() < s.left || help->pos().x() > s.left + s.width) continue;
            const auto purpose = message_text(pass_purpose(s.pass, schedule_->generation));
            PlainText::show_rich_tip(help->globalPos(),
                                     tr("<b>Pass %1</b> · %2 decisions<br>%3")
                                         .arg(pass_title(s.pass).toHtmlEscaped(), count_text(s.end - s.first),
                                              purpose.toHtmlEscaped()),
                                     *this);
            return true;
        }
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

}  // namespace splitscope::ui
