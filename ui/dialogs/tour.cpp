// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/tour.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>
#include <algorithm>

namespace splitscope::ui {
namespace {

constexpr int kCardWidth = 340;
constexpr int kGap = 14;
constexpr double kDim = 0.55;
constexpr int kFrame = 2;  ///< around the highlighted part

bool is_escape(const QEvent& event) {
    return (event.type() == QEvent::ShortcutOverride || event.type() == QEvent::KeyPress) &&
           static_cast<const QKeyEvent&>(event).key() == Qt::Key_Escape;
}

}  // namespace

Tour::Tour(QWidget& window, const Theme& theme, std::vector<TourStop> stops)
    : QWidget(&window), window_(window), theme_(theme), stops_(std::move(stops)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Tour"));
    card_ = new QFrame(this);
    card_->setProperty("role", "floating");
    card_->setFixedWidth(kCardWidth);
    title_ = new QLabel;
    title_->setProperty("role", "title");
    text_ = new QLabel;
    text_->setWordWrap(true);
    number_ = new QLabel;
    number_->setProperty("role", "muted");
    next_ = new QPushButton;
    next_->setProperty("primary", true);
    skip_ = new QPushButton(tr("Skip"));
    auto* row = new QHBoxLayout;
    row->addWidget(number_, 1);
    row->addWidget(skip_);
    row->addWidget(next_);
    auto* column = new QVBoxLayout(card_);
    column->setContentsMargins(16, 14, 16, 14);
    column->addWidget(title_);
    column->addWidget(text_);
    column->addLayout(row);
    connect(skip_, &QPushButton::clicked, this, &Tour::leave);
    connect(next_, &QPushButton::clicked, this, [this] {
        if (at_ + 1 >= stops_.size()) {
            leave();
        } else {
            ++at_;
            show_stop();
        }
    });
    window.installEventFilter(this);
    for (const TourStop& stop : stops_) stop.target->installEventFilter(this);
    setGeometry(window.rect());
    show();
    raise();
    next_->setFocus();
    show_stop();
}

void Tour::leave() {
    emit ended();
    close();
}

void Tour::show_stop() {
    const TourStop& stop = stops_[at_];
    if (stop.prepare) stop.prepare();
    title_->setText(stop.title);
    text_->setText(stop.text);
    number_->setText(tr("%1 of %2").arg(at_ + 1).arg(stops_.size()));
    next_->setText(at_ + 1 < stops_.size() ? tr("Next") : tr("Done"));
    place();
    raise();
}

QRect Tour::lit() const {
    const QWidget* target = stops_[at_].target;
    if (!target->isVisible()) return {};
    return QRect(target->mapTo(&window_, QPoint(0, 0)), target->size()).intersected(rect());
}

/// Beside the highlighted part if there is room, else over its centre.
void Tour::place() {
    card_->adjustSize();
    const QRect light = lit();
    const QSize size(kCardWidth, card_->sizeHint().height());
    const QRect room = rect().adjusted(kGap, kGap, -kGap, -kGap);
    QPoint at = rect().center() - QPoint(size.width() / 2, size.height() / 2);
    if (light.isValid()) {
        const int left = std::clamp(light.left(), room.left(), room.right() - size.width());
        const int top = std::clamp(light.top(), room.top(), room.bottom() - size.height());
        if (light.bottom() + kGap + size.height() < room.bottom()) {
            at = {left, light.bottom() + kGap};
        } else if (light.top() - kGap - size.height() > room.top()) {
            at = {left, light.top() - kGap - size.height()};
        } else if (light.left() - kGap - size.width() > room.left()) {
            at = {light.left() - kGap - size.width(), top};
        } else if (light.right() + kGap + size.width() < room.right()) {
            at = {light.right() + kGap, top};
        } else {
            at = light.center() - QPoint(size.width() / 2, size.height() / 2);
        }
    }
    card_->setGeometry(QRect(at, size));
    // Mouse events reach the highlighted part.
    setMask(QRegion(rect()).subtracted(light).united(card_->geometry()));
    update();
}

void Tour::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor dim(Qt::black);
    dim.setAlphaF(static_cast<float>(kDim));
    QPainterPath path;
    path.addRect(rect());
    const QRect light = lit();
    painter.fillPath(path, dim);
    if (!light.isValid()) return;
    // Outside, because the highlighted part is not covered.
    painter.setPen(QPen(theme_.colours().accent, kFrame));
    painter.drawRoundedRect(QRectF(light).adjusted(-1, -1, 1, 1), 6, 6);
}

/// Esc ends the tour; without one it cancels jobs.
bool Tour::leave_on_escape(QEvent& event) {
    if (!is_escape(event)) return false;
    event.accept();
    if (event.type() == QEvent::KeyPress) leave();
    return true;
}

bool Tour::event(QEvent* event) {
    return leave_on_escape(*event) || QWidget::event(event);
}

void Tour::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Right || event->key() == Qt::Key_Return) {
        next_->click();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void Tour::mousePressEvent(QMouseEvent* event) {
    if (!card_->geometry().contains(event->position().toPoint())) leave();
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    // The highlighted part may have the focus, and leaves the key to its window.
    if (watched == &window_ && leave_on_escape(*event)) return true;
    const bool resized = event->type() == QEvent::Resize;
    if (watched == &window_ && resized) setGeometry(window_.rect());
    // An answer to a click may move the highlighted part.
    const bool of_target = watched == stops_[at_].target && (resized || event->type() == QEvent::Move);
    if (of_target || (watched == &window_ && resized)) place();
    return QWidget::eventFilter(watched, event);
}

}  // namespace splitscope::ui
