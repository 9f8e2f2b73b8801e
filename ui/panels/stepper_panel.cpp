// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/stepper_panel.hpp"

#include <QAction>
#include <QEvent>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "engine/scheduler/explain.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/labels.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/panel_parts.hpp"

namespace splitscope::ui {
namespace {

constexpr int kTickMs = 60;
/// Of the position, so that the decision beside it does not move with the number of digits.
constexpr int kPositionWidth = 190;
constexpr int kLeastOfName = 6;  ///< characters of an elided name
constexpr int kRounding = 4;
constexpr std::size_t kTicksOfPlay = 250;  ///< a whole play takes about 15 s at most

}  // namespace

StepperPanel::StepperPanel(const PanelContext& context)
    : document_(context.document), actions_(context.actions) {
    scrubber_ = new PassScrubber(context.theme);
    buttons_ = new QWidget;
    auto* button_row = new QHBoxLayout(buttons_);
    button_row->setContentsMargins(0, 0, 0, 0);
    button_row->setSpacing(1);
    position_ = new QLabel;
    position_->setProperty("role", "muted");
    position_->setMinimumWidth(kPositionWidth);
    decision_ = new QLabel;
    decision_->setObjectName("decision");
    decision_->setTextFormat(Qt::RichText);
    decision_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    decision_->installEventFilter(this);
    stops_ = new QToolButton;
    stops_->setPopupMode(QToolButton::InstantPopup);
    stops_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    stops_->setToolTip(tr("Breakpoints on decisions, where playback and steps to a breakpoint stop"));
    menu_ = new QMenu(stops_);
    stops_->setMenu(menu_);

    top_ = new QHBoxLayout;
    top_->setSpacing(10);
    top_->addWidget(buttons_);
    top_->addWidget(scrubber_, 1);
    bottom_ = new QHBoxLayout;
    bottom_->setSpacing(12);
    bottom_->addWidget(position_);
    bottom_->addWidget(decision_, 1);
    bottom_->addWidget(stops_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(10, 6, 10, 6);
    all->setSpacing(2);
    all->addLayout(top_);
    all->addLayout(bottom_);
    connect(&context.links, &PanelLinks::low_window, this, &StepperPanel::set_folded);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);

    timer_.setInterval(kTickMs);
    connect(&timer_, &QTimer::timeout, this, &StepperPanel::play_on);
    connect(menu_, &QMenu::aboutToShow, this, &StepperPanel::fill_stops);
    connect(decision_, &QLabel::linkActivated, &context.links, &PanelLinks::changes_requested);
    connect(&document_, &Document::notes_changed, this, &StepperPanel::show_stops);
    connect(scrubber_, &PassScrubber::sought, this, [this](std::size_t position) {
        stop_playing();
        document_.navigation().seek(position);
    });
    connect(&document_, &Document::analysis_changed, this, &StepperPanel::show_schedule);
    connect(&document_, &Document::state_changed, this, &StepperPanel::show_position);
    show_schedule();
    show_stops();
}

void StepperPanel::add_actions(const PanelContext& context) {
    Navigation& steps = document_.navigation();
    const auto add = [&](const char* id, const QString& text, const QString& tip,
                         const QList<QKeySequence>& shortcuts, const char* icon, std::function<void()> run,
                         std::function<bool()> possible) {
        return actions_.add(QLatin1String(id), ActionGroup::step, text, tip, shortcuts, QLatin1String(icon),
                            std::move(run), std::move(possible));
    };
    const auto open = [this] { return document_.analysis() != nullptr; };
    const auto not_first = [&steps] {
        return steps.decision_count() > 0 && steps.selection().decision() > 0;
    };
    const auto not_last = [&steps] { return steps.selection().decision() < steps.decision_count(); };
    const auto has_stops = [this, open] { return open() && !document_.notes().stops.empty(); };
    const auto selected = [this, open] { return open() && document_.selection().tensor().valid(); };
    std::vector<QAction*> buttons;
    buttons.push_back(add(
        "step.first", tr("To the &start"), tr("Before the first decision"), keys({"Ctrl+Home"}), "first",
        [&steps] { steps.seek(0); }, not_first));
    buttons.push_back(add(
        "step.pass-back", tr("Back one p&ass"), tr("To the end of the previous pass"), keys({"Shift+F11"}),
        "pass-back", [&steps] { steps.step_pass(-1); }, not_first));
    buttons.push_back(add(
        "step.back", tr("&Back one decision"), {}, keys({"Shift+F10"}), "step-back",
        [&steps] { steps.step_decision(-1); }, not_first));
    play_ = add(
        "step.play", tr("&Play"), tr("Play the decisions, or pause"), keys({"F8"}), "play",
        [this] { toggle_play(); }, open);
    buttons.push_back(play_);
    buttons.push_back(add(
        "step.forward", tr("&Forward one decision"), {}, keys({"F10"}), "step-forward",
        [&steps] { steps.step_decision(+1); }, not_last));
    buttons.push_back(add(
        "step.pass-forward", tr("Forward one &pass"), tr("To the end of this pass, or of the next"),
        keys({"F11"}), "pass-forward", [&steps] { steps.step_pass(+1); }, not_last));
    buttons.push_back(add(
        "step.last", tr("To the &end"), tr("After the last decision"), keys({"Ctrl+End"}), "last",
        [&steps] { steps.seek(steps.decision_count()); }, not_last));
    add("step.tensor-back", tr("To the tensor's pr&evious decision"),
        tr("To the previous decision on the selected tensor"), keys({"Ctrl+Shift+F10"}), "",
        [&steps] { steps.step_on_tensor(-1); }, {});
    add("step.tensor-forward", tr("To the tensor's &next decision"),
        tr("To the next decision on the selected tensor"), keys({"Ctrl+F10"}), "",
        [&steps] { steps.step_on_tensor(+1); }, {});
    add(
        "step.to-stop", tr("R&un to the next breakpoint"),
        tr("To the next decision that matches a breakpoint"), keys({"Ctrl+F8"}), "",
        [this, &steps, &status = context.status] {
            if (!steps.run_to_stop(document_.notes().stops, +1))
                status.set_note(tr("No later decision matches a breakpoint"));
        },
        has_stops);
    add(
        "step.to-stop-back", tr("Run bac&k to the previous breakpoint"), {}, keys({"Ctrl+Shift+F8"}), "",
        [this, &steps, &status = context.status] {
            if (!steps.run_to_stop(document_.notes().stops, -1))
                status.set_note(tr("No earlier decision matches a breakpoint"));
        },
        has_stops);
    add(
        "step.stop-on-tensor", tr("Stop when the selected &tensor is assigned"),
        tr("Playback stops at decisions on this tensor"), keys({"Shift+F8"}), "",
        [this] { toggle_stop_on_selected(); }, selected);
    for (QAction* button : buttons) add_action_button(*buttons_->layout(), button);
}

void StepperPanel::set_folded(bool folded) {
    if (folded == folded_) return;
    folded_ = folded;
    scrubber_->set_compact(folded);
    position_->setMinimumWidth(folded ? 0 : kPositionWidth);
    const int above = folded ? 1 : 6;
    layout()->setContentsMargins(10, above, 10, above);
    QHBoxLayout* row = folded ? top_ : bottom_;
    QHBoxLayout* other = folded ? bottom_ : top_;
    // In one row, the last decision takes the place beside the scrubber.
    for (QWidget* widget : std::initializer_list<QWidget*>{position_, decision_, stops_})
        other->removeWidget(widget);
    row->addWidget(position_);
    row->addWidget(decision_, 1);
    row->addWidget(stops_);
    show_position();
}

/// The name in one row is elided to the width.
bool StepperPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == decision_ && event->type() == QEvent::Resize && folded_) show_position();
    return QWidget::eventFilter(watched, event);
}

void StepperPanel::show_playing() {
    if (play_) actions_.set_icon(play_, playing() ? QStringLiteral("pause") : QStringLiteral("play"));
}

void StepperPanel::toggle_play() {
    if (playing()) {
        stop_playing();
        return;
    }
    const std::size_t count = document_.navigation().decision_count();
    if (count == 0) return;
    if (document_.selection().decision() >= count) document_.navigation().seek(0);
    step_ = std::max<std::size_t>(1, count / kTicksOfPlay);
    timer_.start();
    show_playing();
}

/// One timer tick: a few decisions, stopping at breakpoints.
void StepperPanel::play_on() {
    if (!document_.analysis()) return;
    const std::size_t now = document_.selection().decision();
    const std::size_t to = std::min(now + step_, document_.navigation().decision_count());
    const auto stop = next_stop(*document_.analysis()->schedule, document_.notes().stops, now, to);
    document_.navigation().seek(stop.value_or(to));
    if (stop || document_.selection().decision() >= document_.navigation().decision_count()) stop_playing();
}

bool StepperPanel::has_stop(const DecisionStop& stop) const {
    return std::ranges::any_of(document_.notes().stops, [&](const DecisionStop& s) {
        return s.kind == stop.kind && s.text == stop.text;
    });
}

void StepperPanel::toggle_stop(const DecisionStop& stop) {
    SessionNotes notes = document_.notes();
    const auto removed = std::erase_if(
        notes.stops, [&](const DecisionStop& s) { return s.kind == stop.kind && s.text == stop.text; });
    if (removed == 0) notes.stops.push_back(stop);
    document_.edit_notes(
        removed == 0 ? tr("Add a breakpoint on decisions") : tr("Remove a breakpoint on decisions"), notes);
}

void StepperPanel::toggle_stop_on_selected() {
    const TensorIdentity tensor = document_.selected();
    if (!tensor.empty()) toggle_stop({StopKind::tensor, text_of(tensor), true});
}

QMenu& StepperPanel::stop_menu() {
    fill_stops();
    return *menu_;
}

void StepperPanel::fill_stops() {
    // clear() deletes actions, but not their submenus.
    qDeleteAll(menu_->findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
    menu_->clear();
    const auto& analysis = document_.analysis();
    const auto add = [this](QMenu& menu, const QString& text, const DecisionStop& stop) {
        QAction* action = menu.addAction(text, this, [this, stop] { toggle_stop(stop); });
        action->setCheckable(true);
        action->setChecked(has_stop(stop));
    };
    if (analysis) {
        const TensorId tensor = document_.selection().tensor();
        if (tensor.valid()) {
            const std::string text = text_of(document_.selected());
            add(*menu_, tr("Stop when %1 is assigned").arg(to_text(text)), {StopKind::tensor, text, true});
        }
        std::map<std::string, std::size_t> causes;
        for (const Decision& d : analysis->schedule->decisions) {
            if (d.cause.kind != CauseKind::none) ++causes[label_of(d.cause)];
        }
        QMenu* by_cause = menu_->addMenu(tr("Stop when the cause is"));
        for (const auto& [label, count] : causes) {
            add(*by_cause, tr("%1   (%2 decisions)").arg(to_text(label), count_text(count)),
                {StopKind::cause, label, true});
        }
        QMenu* by_backend = menu_->addMenu(tr("Stop when a tensor moves to"));
        for (const MachineBackend& backend : analysis->machine->backends) {
            add(*by_backend, device_label(analysis->session, backend.name),
                {StopKind::backend, backend.name, true});
        }
    }
    if (document_.notes().stops.empty()) return;
    add_menu_title(*menu_, tr("Breakpoints"));
    for (const DecisionStop& stop : document_.notes().stops) {
        // The list of stops may have changed by the time this is triggered.
        const auto switch_on = [this, stop](bool enabled) {
            SessionNotes notes = document_.notes();
            const auto meant = [&](const DecisionStop& s) {
                return s.kind == stop.kind && s.text == stop.text;
            };
            const auto found = std::ranges::find_if(notes.stops, meant);
            if (found == notes.stops.end()) return;
            found->enabled = enabled;
            document_.edit_notes(tr("Toggle a breakpoint on decisions"), notes);
        };
        QAction* action = menu_->addAction(
            QStringLiteral("%1 %2").arg(message_text(label_of(stop.kind)),
                                        stop.kind == StopKind::backend && document_.has_session()
                                            ? device_label(document_.session(), stop.text)
                                            : to_text(stop.text)),
            this, switch_on);
        action->setCheckable(true);
        action->setChecked(stop.enabled);
    }
    menu_->addSeparator();
    menu_->addAction(tr("Remove all"), this, [this] {
        SessionNotes notes = document_.notes();
        notes.stops.clear();
        document_.edit_notes(tr("Remove the breakpoints on decisions"), notes);
    });
}

void StepperPanel::show_stops() {
    const std::size_t count = document_.notes().stops.size();
    stops_->setText(count == 0 ? tr("Stop at …") : tr("Stop at … (%1)").arg(count));
}

void StepperPanel::stop_playing() {
    if (!timer_.isActive()) return;
    timer_.stop();
    show_playing();
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
    decision_->setToolTip({});
    position_->setText(
        tr("Decision %1 of %2").arg(count_text(position), count_text(schedule.decisions.size())));
    if (position == 0 || position > schedule.decisions.size()) {
        decision_->setText(tr("No decisions yet: the graph as built."));
        return;
    }
    const auto [before, after] = document_.navigation().last_move();
    if (after > before + 1) {
        show_moves(before, after);
    } else {
        show_decision(schedule.decisions[position - 1]);
    }
}

/// Several decisions in one step.
void StepperPanel::show_moves(std::size_t before, std::size_t after) {
    const Schedule& schedule = *document_.analysis()->schedule;
    std::size_t moved = 0;
    for (std::size_t p = before; p < std::min(after, schedule.decisions.size()); ++p)
        moved += schedule.decisions[p].from != schedule.decisions[p].to ? 1 : 0;
    const QString all =
        tr("This step: %1 decisions, %2; the last in pass %3")
            .arg(count_text(after - before), QStringLiteral("%1"),
                 to_text(name_of(schedule.decisions[std::min(after, schedule.decisions.size()) - 1].pass)));
    const QString changed = tr("%1 changed a backend").arg(count_text(moved));
    const QString link = QStringLiteral("<a href='changes:'>%1</a>");
    decision_->setText(
        folded_ ? tr("%1 decisions, %2")
                      .arg(count_text(after - before), link.arg(tr("%1 moved").arg(count_text(moved))))
                : all.arg(link.arg(changed)));
    decision_->setToolTip(all.arg(changed));
}

void StepperPanel::show_decision(const Decision& d) {
    const Analysis& analysis = *document_.analysis();
    const QString pass = to_text(name_of(d.pass));
    const QString tensor = tensor_label(*analysis.schedule, d.tensor);
    const QString from = device_label(analysis, d.from);
    const QString to = device_label(analysis, d.to);
    const QString cause = to_text(label_of(d.cause));
    const QString why = message_text(explain(d.cause));
    const QString form = tr("Pass %1 · <b>%2</b>: %3 → <b>%4</b> · %5 %6");
    decision_->setToolTip(QString(form)
                              .remove(QStringLiteral("<b>"))
                              .remove(QStringLiteral("</b>"))
                              .arg(pass, tensor, from, to, cause, why));
    if (!folded_) {
        decision_->setText(form.arg(pass, tensor.toHtmlEscaped(), from.toHtmlEscaped(), to.toHtmlEscaped(),
                                    cause.toHtmlEscaped(), why.toHtmlEscaped()));
        return;
    }
    QFont bold = decision_->font();
    bold.setBold(true);
    const QFontMetrics names(bold);
    const QString arrow = QStringLiteral(" → ");
    const QString end = QStringLiteral(" · ") + cause;
    const int beside = decision_->fontMetrics().horizontalAdvance(arrow + end) + names.horizontalAdvance(to);
    const int least = names.averageCharWidth() * kLeastOfName;
    const QString name =
        names.elidedText(tensor, Qt::ElideMiddle, std::max(decision_->width() - beside - kRounding, least));
    decision_->setText(QStringLiteral("<b>%1</b>%2<b>%3</b>%4")
                           .arg(name.toHtmlEscaped(), arrow, to.toHtmlEscaped(), end.toHtmlEscaped()));
}

}  // namespace splitscope::ui
