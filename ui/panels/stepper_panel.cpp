// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/stepper_panel.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/reports/evidence_text.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

constexpr int kTickMs = 60;
constexpr std::size_t kTicksOfPlay = 250;  ///< a whole play takes about 15 s at most

}  // namespace

StepperPanel::StepperPanel(Document& document, const Theme& theme, QWidget* parent)
    : QWidget(parent), document_(document) {
    scrubber_ = new PassScrubber(theme);
    buttons_ = new QWidget;
    auto* button_row = new QHBoxLayout(buttons_);
    button_row->setContentsMargins(0, 0, 0, 0);
    button_row->setSpacing(1);
    position_ = new QLabel;
    position_->setProperty("role", "muted");
    position_->setMinimumWidth(190);
    decision_ = new QLabel;
    decision_->setTextFormat(Qt::RichText);
    decision_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

    auto* top = new QHBoxLayout;
    top->setSpacing(10);
    top->addWidget(buttons_);
    top->addWidget(scrubber_, 1);
    auto* bottom = new QHBoxLayout;
    bottom->setSpacing(12);
    bottom->addWidget(position_);
    bottom->addWidget(decision_, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(10, 6, 10, 6);
    all->setSpacing(2);
    all->addLayout(top);
    all->addLayout(bottom);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);

    timer_.setInterval(kTickMs);
    connect(&timer_, &QTimer::timeout, this, [this] {
        document_.step_decision(static_cast<int>(step_));
        if (document_.selection().decision() >= document_.decision_count()) stop_playing();
    });
    connect(scrubber_, &PassScrubber::sought, this, [this](std::size_t position) {
        stop_playing();
        document_.seek(position);
    });
    connect(&document, &Document::analysis_changed, this, &StepperPanel::show_schedule);
    connect(&document, &Document::state_changed, this, &StepperPanel::show_position);
    show_schedule();
}

void StepperPanel::set_actions(const std::vector<QAction*>& actions) {
    for (QAction* action : actions) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setIconSize(QSize(18, 18));
        button->setFocusPolicy(Qt::TabFocus);
        buttons_->layout()->addWidget(button);
    }
}

void StepperPanel::toggle_play() {
    if (playing()) {
        stop_playing();
        return;
    }
    const std::size_t count = document_.decision_count();
    if (count == 0) return;
    if (document_.selection().decision() >= count) document_.seek(0);
    step_ = std::max<std::size_t>(1, count / kTicksOfPlay);
    timer_.start();
    emit playing_changed(true);
}

void StepperPanel::stop_playing() {
    if (!timer_.isActive()) return;
    timer_.stop();
    emit playing_changed(false);
}

void StepperPanel::show_schedule() {
    stop_playing();
    scrubber_->set_schedule(document_.analysis() ? document_.analysis()->schedule : nullptr);
    show_position();
}

void StepperPanel::show_position() {
    if (!document_.analysis()) {
        position_->setText(tr("No decisions"));
        decision_->clear();
        return;
    }
    const Schedule& schedule = *document_.analysis()->schedule;
    const std::size_t position = document_.selection().decision();
    scrubber_->set_position(position);
    position_->setText(
        tr("Decision %1 of %2").arg(count_text(position), count_text(schedule.decisions.size())));
    if (position == 0 || position > schedule.decisions.size()) {
        decision_->setText(tr("Nothing decided yet: the graph as its builder made it."));
        return;
    }
    const Decision& d = schedule.decisions[position - 1];
    decision_->setText(tr("Pass %1 · <b>%2</b>: %3 → <b>%4</b> · %5 %6")
                           .arg(to_text(name_of(d.pass)), tensor_label(schedule, d.tensor).toHtmlEscaped(),
                                backend_label(*schedule.machine, d.from),
                                backend_label(*schedule.machine, d.to), to_text(label_of(d.cause)),
                                to_text(explain(d.cause)).toHtmlEscaped()));
}

}  // namespace splitscope::ui
