// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/profile_panel.hpp"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"
#include "ui/panels/share_delegate.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {
namespace {

QLabel* empty_label(const QString& markup) {
    auto* label = new QLabel(markup);
    label->setTextFormat(Qt::RichText);
    label->setProperty("role", "muted");
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    label->setMargin(24);
    return label;
}

}  // namespace

LastRun::LastRun(Document& document, RunControl& control, QObject* parent)
    : QObject(parent), document_(document), control_(control) {
    connect(&control, &RunControl::finished, this, &LastRun::take);
    connect(&document, &Document::analysis_changed, this, &LastRun::follow);
    connect(&document.selection(), &Selection::tensor_changed, this, &LastRun::follow);
    connect(&document.selection(), &Selection::split_changed, this, &LastRun::selection_changed);
}

TimedRun LastRun::run_of(RunPart part) const {
    const auto& result = control_.result();
    if (!result) return {};
    return part == RunPart::prompt ? TimedRun{result->prefill, result->prefill_execution}
                                   : TimedRun{result->decode, result->decode_execution};
}

void LastRun::take() {
    run_ = run_of(part_);
    // A run that was stopped early, or an embedding, has no tokens.
    if (!run_) run_ = run_of(RunPart::prompt);
    emit changed();
    follow();
}

void LastRun::set_part(RunPart part) {
    part_ = part;
    take();
}

TensorId LastRun::in_document(TensorId node) const {
    // The rows of the run before stay while those of a new one are summed up.
    if (!run_ || !run_.analysis->schedule->has(node)) return {};
    const Schedule& schedule = *run_.analysis->schedule;
    const TensorId own = schedule.is_added(node) ? schedule.added_of(node).original : node;
    return control_.in_document(run_.analysis->identities->of(own));
}

void LastRun::follow() {
    selected_ = {};
    const TensorIdentity chosen = document_.selected();
    if (run_ && !chosen.empty()) selected_ = run_.analysis->identities->find(chosen);
    emit selection_changed();
}

SplitId LastRun::selected_split() const {
    if (!run_ || !document_.analysis()) return {};
    // Splits are the same only where the schedule is.
    const auto same = run_.analysis->schedule->splits.size() == document_.analysis()->schedule->splits.size();
    return same ? document_.selection().split() : SplitId();
}

void LastRun::select(TensorId node) {
    const TensorId tensor = in_document(node);
    if (tensor.valid()) document_.select_tensor(tensor);
}

void LastRun::select_split(SplitId split) {
    if (document_.analysis() && split.valid() &&
        split.index() < document_.analysis()->schedule->splits.size())
        document_.selection().select_split(split);
}

TimelinePanel::TimelinePanel(LastRun& last, const Theme& theme, QWidget* parent)
    : QWidget(parent), last_(last) {
    part_ = new QComboBox;
    part_->addItem(tr("Last token"), static_cast<int>(RunPart::last_token));
    part_->addItem(tr("Prompt"), static_cast<int>(RunPart::prompt));
    part_->setToolTip(
        tr("The prompt is computed in one go; each token after it is a run of the schedule of its "
           "own"));
    part_->setAccessibleName(tr("Part of the run"));
    facts_ = new QLabel;
    facts_->setProperty("role", "muted");
    export_ = new QPushButton(tr("Save as trace …"));
    export_->setToolTip(tr("Saves prompt and last token as trace-event JSON, which Perfetto opens"));
    timeline_ = new RunTimeline(theme);
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
    const auto button = [this, &theme](const QString& icon, const QString& tip, auto slot) {
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
    all->addWidget(pages_, 1);

    connect(part_, &QComboBox::activated, this,
            [this] { last_.set_part(static_cast<RunPart>(part_->currentData().toInt())); });
    connect(export_, &QPushButton::clicked, this, &TimelinePanel::export_asked);
    connect(&last, &LastRun::changed, this, &TimelinePanel::show_run);
    connect(&last, &LastRun::selection_changed, this,
            [this] { timeline_->set_selected(last_.selected(), last_.selected_split()); });
    connect(timeline_, &RunTimeline::node_clicked, &last, &LastRun::select);
    connect(timeline_, &RunTimeline::split_clicked, &last, &LastRun::select_split);
    show_run();
}

void TimelinePanel::show_run() {
    const TimedRun& run = last_.run();
    timeline_->set_run(run);
    pages_->setCurrentIndex(run ? 1 : 0);
    export_->setEnabled(static_cast<bool>(run));
    part_->setEnabled(static_cast<bool>(run));
    if (!run) {
        facts_->clear();
        return;
    }
    std::size_t copies = 0;
    std::size_t computed = 0;
    std::uint64_t bytes = 0;
    for (const ExecutionEvent& event : run.execution->events) {
        if (event.kind == ExecutionEventKind::compute) computed += event.last_node - event.first_node + 1;
        if (event.kind != ExecutionEventKind::copy && event.kind != ExecutionEventKind::expert_copy) continue;
        ++copies;
        bytes += event.bytes;
    }
    facts_->setText(tr("%1 · %2 splits · %3 nodes · %4 copies, %5%6")
                        .arg(time_text(run.execution->duration))
                        .arg(run.analysis->schedule->splits.size())
                        .arg(count_text(computed))
                        .arg(copies)
                        .arg(bytes_text(bytes))
                        .arg(run.execution->status == Status::success ? QString() : tr(" · stopped early")));
}

ProfilePanel::ProfilePanel(LastRun& last, const Theme& theme, QWidget* parent)
    : QWidget(parent), last_(last), job_(tr("Summing up times")) {
    by_ = new QComboBox;
    by_->addItem(tr("By operation"), static_cast<int>(ProfileBy::op));
    by_->addItem(tr("By layer"), static_cast<int>(ProfileBy::layer));
    by_->addItem(tr("By backend"), static_cast<int>(ProfileBy::backend));
    by_->addItem(tr("By split"), static_cast<int>(ProfileBy::split));
    by_->addItem(tr("By node"), static_cast<int>(ProfileBy::node));
    by_->setAccessibleName(tr("Sum up"));
    by_->setToolTip(tr("What is summed up in a row"));
    note_ = new QLabel;
    note_->setProperty("role", "muted");
    table_ = new QTableView;
    table_->setModel(&model_);
    style_table(*table_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(ProfileTable::kTotal, Qt::DescendingOrder);
    table_->setAccessibleName(tr("Profile"));
    backend_delegate_ = new BackendDelegate(theme, this);
    table_->setItemDelegateForColumn(ProfileTable::kBackend, backend_delegate_);
    table_->setItemDelegateForColumn(ProfileTable::kShare,
                                     new ShareDelegate(theme, ProfileTable::kShareRole, this));
    const int widths[] = {180, 96, 64, 88, 80, 88, 110, 76, 150};
    for (int c = 0; c < ProfileTable::kColumnCount; ++c) table_->setColumnWidth(c, widths[c]);
    table_->horizontalHeader()->setSectionResizeMode(ProfileTable::kName, QHeaderView::Stretch);
    pages_ = new QStackedWidget;
    pages_->addWidget(
        empty_label(tr("<h3>No run yet</h3>Run the model with F5 to see where its time goes.")));
    pages_->addWidget(table_);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 2);
    bar->setSpacing(8);
    bar->addWidget(by_);
    bar->addWidget(note_, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(bar);
    all->addWidget(pages_, 1);

    connect(by_, &QComboBox::currentIndexChanged, this, &ProfilePanel::show_run);
    connect(&last, &LastRun::changed, this, &ProfilePanel::show_run);
    connect(&last, &LastRun::selection_changed, this, &ProfilePanel::show_selection);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (following_ || !current.isValid()) return;
                last_.select(TensorId(current.data(kTensorRole).toInt()));
            });
    show_run();
}

void ProfilePanel::show_run() {
    const TimedRun run = last_.run();
    pages_->setCurrentIndex(run ? 1 : 0);
    if (!run) {
        job_.cancel();
        note_->clear();
        following_ = true;
        model_.set_profile({}, nullptr);
        following_ = false;
        return;
    }
    job_.start(
        [run, by = static_cast<ProfileBy>(by_->currentData().toInt())](const JobContext& job) {
            return make_profile(run, by, job);
        },
        [this, run](Profile profile) {
            const QString part = last_.part() == RunPart::prompt ? tr("the prompt") : tr("the last token");
            note_->setText(profile.estimated
                               ? tr("Of %1. Nodes were computed together: their shares are estimated by "
                                    "operations; “Time every node” measures them.")
                                     .arg(part)
                               : tr("Of %1, every node timed by itself.").arg(part));
            backend_delegate_->set_backend_count(run.analysis->machine->backends.size());
            following_ = true;
            model_.set_profile(std::move(profile), run.analysis->schedule);
            following_ = false;
            show_selection();
        });
}

void ProfilePanel::show_selection() {
    const int row = model_.row_of_slowest(last_.selected());
    following_ = true;
    if (row >= 0) {
        table_->selectRow(row);
    } else if (static_cast<ProfileBy>(by_->currentData().toInt()) == ProfileBy::node) {
        table_->clearSelection();
        table_->setCurrentIndex({});
    }
    following_ = false;
}

}  // namespace splitscope::ui
