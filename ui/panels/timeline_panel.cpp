// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/timeline_panel.hpp"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/session/messages.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/panel_parts.hpp"

namespace splitscope::ui {

TimelinePanel::TimelinePanel(const PanelContext& context) : last_(context.last_run) {
    part_ = new QComboBox;
    part_->addItem(tr("Last token"), static_cast<int>(RunPart::last_token));
    part_->addItem(tr("Prompt"), static_cast<int>(RunPart::prompt));
    part_->addItem(tr("All tokens, average"), static_cast<int>(RunPart::all_tokens));
    part_->setToolTip(LastRun::explain_parts());
    part_->setAccessibleName(tr("Part of the run"));
    facts_ = new QLabel;
    facts_->setProperty("role", "muted");
    stand_in_ = note_label();
    stand_in_->setContentsMargins(8, 0, 8, 2);
    export_ = new QPushButton(tr("Save as trace …"));
    export_->setToolTip(
        tr("Save prompt and last token, or those of a program, as trace-event JSON for Perfetto"));
    timeline_ = new RunTimeline(context.theme);
    auto* scroll = new QScrollArea;
    scroll->setWidget(timeline_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    pages_ = new QStackedWidget;
    pages_->addWidget(
        empty_label(tr("<h3>No run yet</h3>Run the model with F5: its splits, nodes and copies appear "
                       "here over time.")));
    pages_->addWidget(scroll);
    const auto button = [this, &theme = context.theme](const QString& icon, const QString& tip, auto slot) {
        auto* made = new QToolButton;
        made->setAutoRaise(true);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        const auto paint = [made, icon, &theme] { made->setIcon(theme.icon(icon)); };
        paint();
        connect(&theme, &Theme::changed, made, paint);
        connect(made, &QToolButton::clicked, this, slot);
        return made;
    };
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 2);
    bar->setSpacing(6);
    bar->addWidget(part_);
    bar->addWidget(facts_, 1);
    bar->addWidget(
        button(QStringLiteral("zoom-out"), tr("Zoom out (−)"), [this] { timeline_->zoom_by(1 / 1.5); }));
    bar->addWidget(button(QStringLiteral("zoom-in"), tr("Zoom in (+)"), [this] { timeline_->zoom_by(1.5); }));
    bar->addWidget(button(QStringLiteral("fit"), tr("Show the whole run (0)"), [this] { timeline_->fit(); }));
    bar->addWidget(export_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(bar);
    all->addWidget(stand_in_);
    all->addWidget(pages_, 1);

    connect(part_, &QComboBox::activated, this,
            [this] { last_.set_part(static_cast<RunPart>(part_->currentData().toInt())); });
    connect(export_, &QPushButton::clicked, &context.links, &PanelLinks::trace_requested);
    connect(&last_, &LastRun::changed, this, &TimelinePanel::show_run);
    connect(&last_.document(), &Document::session_changed, this, &TimelinePanel::show_facts);
    connect(&last_, &LastRun::selection_changed, this,
            [this] { timeline_->set_selected(last_.selected(), last_.selected_split()); });
    connect(timeline_, &RunTimeline::node_clicked, &last_, &LastRun::select);
    connect(timeline_, &RunTimeline::split_clicked, &last_, &LastRun::select_split);
    show_run();
}

void TimelinePanel::show_run() {
    const TimedRun& run = last_.run();
    part_->setCurrentIndex(std::max(0, part_->findData(static_cast<int>(last_.part()))));
    timeline_->set_run(run);
    pages_->setCurrentIndex(run ? 1 : 0);
    show_note(*stand_in_, last_.stand_in_text());
    export_->setEnabled(static_cast<bool>(run));
    part_->setEnabled(static_cast<bool>(run));
    show_facts();
}

void TimelinePanel::show_facts() {
    const TimedRun& run = last_.run();
    if (!run) {
        facts_->clear();
        return;
    }
    const QString earlier =
        last_.control().is_of_earlier_session() ? tr("before the last change · ") : QString();
    std::size_t copies = 0;
    std::size_t computed = 0;
    std::uint64_t bytes = 0;
    for (const ExecutionEvent& event : run.execution->events) {
        if (event.kind == ExecutionEventKind::compute) computed += event.last_node - event.first_node + 1;
        if (event.kind != ExecutionEventKind::copy && event.kind != ExecutionEventKind::expert_copy) continue;
        ++copies;
        bytes += event.bytes;
    }
    facts_->setText(earlier +
                    tr("%1 · %2 · %3 · %4, %5%6")
                        .arg(time_text(run.execution->duration))
                        .arg(message_text(msg::kSplitCount(run.analysis->schedule->splits.size())))
                        .arg(message_text(msg::kNodeCount(computed)))
                        .arg(message_text(msg::kCopyCount(copies)))
                        .arg(bytes_text(bytes))
                        .arg(run.execution->status == Status::success ? QString() : tr(" · stopped early")));
}

}  // namespace splitscope::ui
