// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/program_control.hpp"

#include <QDateTime>
#include <QDir>
#include <algorithm>
#include <csignal>
#include <cstring>
#include <tuple>

#include "engine/attach/machine_of_program.hpp"
#include "engine/execution/execution_sums.hpp"
#include "engine/formats/capture_json.hpp"
#include "engine/support/file.hpp"
#include "ui/models/error_text.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

/// The condition to pause after the first node; breakpoints count from 1.
constexpr int kFirstNode = 1'000'000'000;
/// Update interval of timeline and profile while a program runs.
constexpr int kRenewMs = 700;
/// Time for a program to end when requested.
constexpr int kTerminateTimeoutMs = 3000;
constexpr std::size_t kTokensSummed = 64;
constexpr std::size_t kGraphsKnown = 4;
constexpr qsizetype kCapturesKept = 20;

/// The graph shown first: tokens before prompts, computed before reserved graphs.
int rank(const AttachedGraph& graph) {
    if (graph.purpose != "decode") return 0;
    return graph.tokens == 1 ? 2 : 1;
}

std::shared_ptr<const DebugStop> debug_stop(const AttachStop& stop, const ProgramGraph& graph) {
    auto made = std::make_shared<DebugStop>();
    made->number = stop.number;
    made->computation = stop.computation;
    made->reason = stop.breakpoint == kFirstNode ? StopReason::pause : stop.reason;
    made->breakpoint = stop.breakpoint;
    made->schedule = graph.analysis.theirs->schedule;
    made->tensor = stop.tensor;
    if (stop.tensor.valid()) made->identity = stop.graph->identities->of(stop.tensor);
    made->position = stop.position;
    made->nodes = stop.graph->graph->nodes.size();
    made->split =
        stop.split.valid() && stop.split.index() < made->schedule->splits.size() ? stop.split : SplitId(0);
    if (stop.tensor.valid()) made->backend = made->schedule->backend[stop.tensor.index()];
    return made;
}

/// The last graph of each shape.
Capture capture_of(const std::string& program,
                   const std::vector<std::shared_ptr<const AttachedGraph>>& graphs) {
    std::map<std::tuple<std::string, std::uint64_t, std::size_t>, const AttachedGraph*> last;
    for (const auto& graph : graphs)
        last[{graph->purpose, graph->tokens, graph->graph->nodes.size()}] = graph.get();
    std::vector<const AttachedGraph*> kept;
    for (const auto& [shape, graph] : last) kept.push_back(graph);
    std::ranges::sort(kept, {}, &AttachedGraph::number);
    Capture capture;
    capture.program = program;
    capture.library = kept.front()->library;
    capture.generation = kept.front()->generation;
    for (const AttachedGraph* graph : kept) {
        capture.generation = std::max(capture.generation, graph->generation);
        capture.graphs.push_back(*graph->captured);
    }
    return capture;
}

}  // namespace

ProgramControl::ProgramControl(Document& document, RunControl& control, QString folder, QObject* parent)
    : QObject(parent),
      document_(document),
      control_(control),
      folder_(std::move(folder)),
      show_job_(tr("Reading the program's graph")),
      times_job_(tr("Summing times")),
      keep_job_(tr("Keeping the program's graphs")) {
    renew_.setSingleShot(true);
    renew_.setInterval(kRenewMs);
    connect(&renew_, &QTimer::timeout, this, &ProgramControl::renew_times);
    kill_.setSingleShot(true);
    kill_.setInterval(kTerminateTimeoutMs);
    connect(&kill_, &QTimer::timeout, this, [this] {
        if (run_) run_->signal(SIGKILL);
    });
    connect(&document, &Document::opened, this, [this] {
        if (taking_) return;
        // Another file is open now.
        if (active()) detach();
        forget();
    });
    const auto renew = [this] { send_conditions(); };
    connect(&control.breakpoints(), &BreakpointTable::edited, this, renew);
    connect(&control.breakpoints(), &BreakpointTable::removed, this, renew);
    connect(&document, &Document::breakpoints_changed, this, [this] {
        if (!taking_) send_conditions();
    });
    connect(&control, &RunControl::end_asked, this, &ProgramControl::end);
    connect(&show_job_, &JobChannel::failed, this, [this](const JobFailure& failure) {
        asked_ = nullptr;
        emit refused(failure.text);
    });
    connect(&show_job_, &JobChannel::cancelled, this, [this] { asked_ = nullptr; });
    connect(&keep_job_, &JobChannel::failed, this,
            [this](const JobFailure& failure) { emit refused(failure.text); });
}

ProgramControl::~ProgramControl() {
    for (JobChannel* job : {&show_job_, &times_job_, &keep_job_}) disconnect(job, nullptr, this, nullptr);
    if (run_) run_->close();
}

void ProgramControl::launch(const ProgramSetup& setup) {
    if (setup.command.empty()) return;
    if (active()) detach();
    forget();
    setup_ = setup;
    name_ = to_text(std::filesystem::path(setup.command.front()).filename().string());
    ended_.reset();
    failure_.clear();
    runs_on_.clear();
    file_ = QStringLiteral("%1/%2-%3.capture.json")
                .arg(folder_, name_, QDateTime::currentDateTime().toString(QStringLiteral("yyMMdd-hhmmss")))
                .toStdString();
    computation_count_ = 0;
    announced_ = 0;
    last_stop_ = nullptr;
    passed_ = false;
    pausing_first_ = setup.pause_first;
    for (QStringDecoder& decoder : decoders_) decoder = QStringDecoder(QStringDecoder::Utf8);
    control_.breakpoints().begin_program();
    AttachOptions options;
    options.program = setup.command;
    options.folder = setup.folder;
    options.environment = setup.environment;
    options.output = ProgramOutput::kept;
    options.times = setup.time_nodes ? channel::Times::nodes : channel::Times::calls;
    for (const Breakpoint& breakpoint : control_.breakpoints().numbered())
        options.conditions.push_back({breakpoint, std::nullopt});
    if (setup.pause_first) {
        StopCondition first;
        first.breakpoint.id = kFirstNode;
        first.breakpoint.kind = BreakpointKind::glob;
        first.breakpoint.text = "*";
        options.conditions.push_back(std::move(first));
    }
    const std::uint64_t number = ++launch_;
    run_ = std::make_shared<ProgramRun>(std::move(options), [this, number](ProgramUpdate update) {
        QMetaObject::invokeMethod(
            this,
            [this, number, update = std::make_shared<ProgramUpdate>(std::move(update))] {
                if (number == launch_ && run_) take(std::move(*update));
            },
            Qt::QueuedConnection);
    });
    emit changed();
}

void ProgramControl::end() {
    if (!active()) return;
    run_->signal(SIGTERM);
    // A paused program cannot handle signals itself.
    run_->resume();
    kill_.start();
    control_.await_end();
    emit changed();
}

void ProgramControl::signal_now(int number) {
    if (run_) run_->signal_now(number);
}

void ProgramControl::end_at_once() {
    if (!active()) return;
    run_->signal_now(SIGTERM);
    run_->signal_now(SIGKILL);
    detach();
    runs_on_.clear();
}

void ProgramControl::release() {
    kill_.stop();
    run_->close();
    run_ = nullptr;
    stop_ = nullptr;
}

void ProgramControl::detach() {
    if (!active()) return;
    ++launch_;
    release();
    runs_on_ = tr("%1 continues without the debugger.").arg(name_);
    keep_graphs();
    control_.end_program();
    emit changed();
}

void ProgramControl::forget() {
    show_job_.cancel();
    times_job_.cancel();
    renew_.stop();
    asked_ = nullptr;
    graphs_.clear();
    known_.clear();
    shown_ = nullptr;
    stop_ = nullptr;
    chosen_.reset();
    times_ = {};
    computed_.clear();
    emit graphs_changed();
    emit shown_changed();
    emit changed();
}

void ProgramControl::step_graph() {
    if (run_ && stop_) run_->step_graph();
}

void ProgramControl::time_nodes(bool on) {
    setup_.time_nodes = on;
    if (run_) run_->set_times(on ? channel::Times::nodes : channel::Times::calls);
}

void ProgramControl::send_conditions() {
    if (!run_) return;
    std::vector<StopCondition> conditions;
    for (const Breakpoint& breakpoint : control_.breakpoints().numbered())
        conditions.push_back({breakpoint, std::nullopt});
    run_->set_conditions(std::move(conditions));
}

// Its state
// ------------------------------------------------------------------------------------------------------

void ProgramControl::take(ProgramUpdate update) {
    const auto text = [this](const std::string& bytes, int which) {
        if (bytes.empty()) return;
        const QString decoded =
            decoders_[which].decode(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
        emit text_arrived(decoded, which == 1);
    };
    text(update.output, 0);
    text(update.error, 1);
    if (!update.failure.isEmpty()) {
        release();
        failure_ = update.failure;
        control_.end_program();
        emit refused(failure_);
        emit changed();
        return;
    }
    if (!update.refused.isEmpty()) emit refused(update.refused);
    if (pass_second_breakpoint(update)) update.stop = nullptr;
    const bool fresh = update.graphs.size() != graphs_.size() ||
                       (!graphs_.empty() && update.graphs.back() != graphs_.back());
    graphs_ = std::move(update.graphs);
    take_computations(update);
    if (fresh || !update.computations.empty()) emit graphs_changed();
    const bool stopped = update.stop && (!stop_ || stop_->number != update.stop->number);
    const bool went_on = stop_ && !update.stop;
    stop_ = update.stop;
    if (stopped) {
        chosen_.reset();
        if (std::exchange(pausing_first_, false)) send_conditions();
        if (stop_->breakpoint > 0 && stop_->breakpoint != kFirstNode) {
            control_.breakpoints().set_hits(stop_->breakpoint, stop_->hits);
        }
        renew_times();
    }
    if (went_on) control_.set_stop(nullptr);
    if (update.end) return take_end(*update.end);
    follow();
    if (stopped || went_on) emit changed();
}

/// Each breakpoint that a node meets stops the program, so that its hits are counted; it is shown to stop
/// once.
bool ProgramControl::pass_second_breakpoint(const ProgramUpdate& update) {
    if (!update.stop || update.stop == last_stop_) return update.stop && passed_;
    const AttachStop& now = *update.stop;
    const auto before = std::exchange(last_stop_, update.stop);
    passed_ = before && now.reason == StopReason::breakpoint && now.tensor.valid() &&
              now.computation == before->computation && now.tensor == before->tensor;
    if (!passed_) return false;
    control_.breakpoints().set_hits(now.breakpoint, now.hits);
    run_->resume();
    return true;
}

void ProgramControl::take_computations(const ProgramUpdate& update) {
    for (const auto& computation : update.computations) {
        ++computation_count_;
        if (!computation->graph) continue;
        ++computed_[computation->graph->number];
        if (computation->graph->tokens == 1) {
            times_.tokens.push_back(computation);
            if (times_.tokens.size() > kTokensSummed) times_.tokens.pop_front();
        } else {
            times_.prompt = computation;
        }
    }
    if (!update.computations.empty() && !renew_.isActive()) renew_.start();
}

void ProgramControl::take_end(const AttachEnd& end) {
    ended_ = end;
    release();
    keep_graphs();
    // The state at its end stays displayed.
    follow();
    control_.end_program();
    renew_times();
    emit changed();
}

// What is shown
// ------------------------------------------------------------------------------------------------------

std::shared_ptr<const AttachedGraph> ProgramControl::wanted() const {
    if (chosen_) {
        const auto found = std::ranges::find(graphs_, *chosen_, &AttachedGraph::number);
        if (found != graphs_.end()) return *found;
    }
    if (stop_) return stop_->graph;
    std::shared_ptr<const AttachedGraph> best = shown_ ? shown_->graph : nullptr;
    for (const auto& graph : graphs_) {
        if (!best || rank(*graph) > rank(*best)) best = graph;
    }
    return best;
}

void ProgramControl::show_graph(int number) {
    chosen_ = number;
    follow();
}

void ProgramControl::follow() {
    const auto graph = wanted();
    if (!graph) return;
    if (shown_ && shown_->graph == graph && !asked_) return announce();
    if (asked_ != graph) show(graph);
}

void ProgramControl::show(std::shared_ptr<const AttachedGraph> graph) {
    asked_ = graph;
    show_job_.start(
        [graph, known = known_, kinds = document_.kinds(), path = file_](const JobContext& job) {
            for (const auto& before : known) {
                if (!same_graph(*before->graph, *graph)) continue;
                auto again = std::make_shared<ProgramGraph>(*before);
                again->graph = graph;
                return std::shared_ptr<const ProgramGraph>(std::move(again));
            }
            return derive_program_graph(graph, path, kinds, job);
        },
        [this](const std::shared_ptr<const ProgramGraph>& derived) { take_shown(derived); });
}

void ProgramControl::take_shown(std::shared_ptr<const ProgramGraph> graph) {
    asked_ = nullptr;
    const bool first = shown_ == nullptr;
    const bool same = shown_ && shown_->session.shown == graph->session.shown;
    shown_ = std::move(graph);
    if (std::ranges::find(known_, shown_->session.shown,
                          [](const auto& known) { return known->session.shown; }) == known_.end()) {
        known_.push_front(shown_);
        if (known_.size() > kGraphsKnown) known_.pop_back();
    }
    if (!same) {
        taking_ = true;
        document_.take_program_session(shown_->session, first ? tr("%1 (program)").arg(name_) : QString());
        taking_ = false;
    }
    if (first) {
        if (run_) control_.begin_program(run_);
        keep_graphs();
        // Opening forgets the times of a program that was quicker than its first graph.
        renew_times();
        emit changed();
    }
    emit shown_changed();
    announce();
    // It may have continued meanwhile.
    if (wanted() != shown_->graph) follow();
}

/// Reports the stop to the run, once its graph is displayed.
void ProgramControl::announce() {
    if (!stop_ || !shown_ || !run_ || announced_ == stop_->number || shown_->graph != stop_->graph) return;
    announced_ = stop_->number;
    control_.set_stop(debug_stop(*stop_, *shown_));
    emit changed();
}

void ProgramControl::view_simulated(bool ours) {
    if (!shown_) return;
    document_.view_other(ours ? shown_->analysis.ours : nullptr, tr("simulated schedule"));
}

// Times
// ------------------------------------------------------------------------------------------------------

void ProgramControl::renew_times() {
    renew_.stop();
    if (!times_.prompt && times_.tokens.empty()) return;
    times_job_.start(
        [times = times_, known = known_, kinds = document_.kinds()](const JobContext& job) {
            std::vector<std::shared_ptr<const ProgramGraph>> graphs(known.begin(), known.end());
            const auto analysis_of = [&](const std::shared_ptr<const AttachedGraph>& graph) {
                const auto found = std::ranges::find_if(
                    graphs, [&](const auto& one) { return same_graph(*one->graph, *graph); });
                if (found != graphs.end()) return (*found)->analysis.theirs;
                graphs.push_back(derive_program_graph(graph, {}, kinds, job));
                return graphs.back()->analysis.theirs;
            };
            const auto timed = [&](const Computation& computation) {
                const auto analysis = analysis_of(computation.graph);
                return TimedRun{analysis, std::make_shared<const Execution>(
                                              execution_of(computation, *analysis->schedule))};
            };
            RunTimes made;
            if (times.prompt) made.prompt = timed(*times.prompt);
            if (!times.tokens.empty()) {
                made.token = timed(*times.tokens.back());
                ExecutionSums sums;
                for (const auto& token : times.tokens) {
                    job.check();
                    const auto analysis = analysis_of(token->graph);
                    if (analysis == made.token.analysis)
                        sums.add(analysis->schedule, execution_of(*token, *analysis->schedule));
                }
                made.mean = sums.mean();
            }
            return made;
        },
        [this](RunTimes made) { control_.set_times(std::move(made)); });
}

std::vector<std::shared_ptr<const Computation>> ProgramControl::timed() const {
    std::vector<std::shared_ptr<const Computation>> all(times_.tokens.begin(), times_.tokens.end());
    if (times_.prompt) all.push_back(times_.prompt);
    std::ranges::sort(all, {}, &Computation::number);
    return all;
}

// What stays
// ------------------------------------------------------------------------------------------------------

void ProgramControl::keep_graphs() {
    if (graphs_.empty() || !shown_) return;
    keep_job_.start(
        [graphs = graphs_, file = file_, program = name_.toStdString()](const JobContext&) {
            QDir folder(QString::fromStdString(file.parent_path().string()));
            folder.mkpath(QStringLiteral("."));
            write_file_atomically(file, write_capture_json(capture_of(program, graphs)));
            // The latest are kept.
            const QFileInfoList all =
                folder.entryInfoList({QStringLiteral("*.capture.json")}, QDir::Files, QDir::Time);
            for (qsizetype i = kCapturesKept; i < all.size(); ++i) QFile::remove(all[i].absoluteFilePath());
            return file;
        },
        [this](const std::filesystem::path&) { emit changed(); });
}

std::optional<KnownMachine> ProgramControl::machine() const {
    if (graphs_.empty()) return std::nullopt;
    KnownMachine known;
    known.machine = machine_of_program(graphs_);
    known.machine.name = name_.toStdString();
    return known;
}

QString ProgramControl::describe() const {
    const QString name = QStringLiteral("<b>%1</b>").arg(name_.toHtmlEscaped());
    if (active()) {
        if (!attached()) return tr("%1 is running; waiting for its first graph.").arg(name);
        if (control_.state() == RunState::stopping) return tr("Ending %1 …").arg(name);
        if (control_.state() == RunState::paused) return ui::describe(control_);
        return tr("%1 is running · graphs computed: %2").arg(name).arg(computation_count_);
    }
    if (!failure_.isEmpty()) return failure_.toHtmlEscaped();
    if (!runs_on_.isEmpty()) return runs_on_.toHtmlEscaped();
    if (!ended_) return tr("No program. Ctrl+F5 starts one under the debugger.");
    if (graphs_.empty() || !ended_->refusal.empty()) {
        return QStringLiteral("%1: %2").arg(name, advice_text(nothing_seen(*ended_, {})).toHtmlEscaped());
    }
    QString how = ended_->program.signal != 0
                      ? tr("%1 was killed by signal %2 (%3).")
                            .arg(name)
                            .arg(ended_->program.signal)
                            .arg(QString::fromLocal8Bit(::strsignal(ended_->program.signal)).toHtmlEscaped())
                      : tr("%1 ended with exit code %2.").arg(name).arg(ended_->program.exit_code);
    const auto add = [&](const std::string& words) {
        if (!words.empty()) how += QStringLiteral("<br>") + to_text(words).trimmed().toHtmlEscaped();
    };
    add(ended_->abort_message);
    if (!ended_->problem.empty())
        how += QStringLiteral("<br>") + message_text(ended_->problem).toHtmlEscaped();
    if (!ended_->others.empty())
        how += QStringLiteral("<br>") + message_text(not_debugged(*ended_)).toHtmlEscaped();
    return how;
}

}  // namespace splitscope::ui
