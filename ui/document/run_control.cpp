// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/run_control.hpp"

#include <QUndoCommand>
#include <algorithm>
#include <limits>
#include <utility>

#include "ui/models/device_label.hpp"
#include "ui/models/error_text.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/stand_in_text.hpp"

namespace splitscope::ui {
/// The changed bytes of an edit, from `first` on.
struct ChangedBytes {
    std::size_t first = 0;
    std::vector<std::byte> before;
    std::vector<std::byte> after;
    std::shared_ptr<const std::vector<std::byte>> original_bytes;
};

namespace {

/// Shorter steps do not change the displayed state, to avoid flicker.
constexpr int kGoingOnMs = 80;

/// The changed range of a tensor's bytes.
/// `before` and `after` have equal sizes and differ.
ChangedBytes changed_bytes(const std::vector<std::byte>& before, const std::vector<std::byte>& after) {
    const auto [first, first_after] = std::ranges::mismatch(before, after);
    const auto [last, last_after] = std::mismatch(before.rbegin(), before.rend(), after.rbegin());
    return {static_cast<std::size_t>(first - before.begin()),
            {first, last.base()},
            {first_after, last_after.base()},
            nullptr};
}

/// A run of this program.
class OwnRun : public Debuggee {
 public:
    explicit OwnRun(std::shared_ptr<Debugger> debugger) : debugger_(std::move(debugger)) {}

    void pause() override { debugger_->pause(); }
    void resume() override { debugger_->resume(); }
    void step_node() override { debugger_->step_node(); }
    void step_split() override { debugger_->step_split(); }
    void run_to(const TensorIdentity& node) override { debugger_->run_to(node); }
    TensorCapture read(const TensorIdentity& tensor, std::uint64_t most, const JobContext& /*job*/) override {
        return debugger_->read(tensor, most);
    }
    void write(const TensorIdentity& tensor, std::span<const std::byte> bytes, std::size_t /*first*/,
               std::size_t /*count*/, const JobContext& /*job*/) override {
        debugger_->write(tensor, bytes);
    }

 private:
    std::shared_ptr<Debugger> debugger_;
};

RunTimes times_of(const RunResult& result) {
    RunTimes times;
    times.prompt = {result.prefill, result.prefill_execution};
    times.token = {result.decode, result.decode_execution};
    times.mean = result.tokens_execution;
    times.stand_ins = result.stand_ins;
    return times;
}

}  // namespace

/// An undoable edit of a tensor of the paused run.
class ValueEdit : public QUndoCommand {
 public:
    ValueEdit(RunControl& control, TensorIdentity tensor, ChangedBytes changed)
        : QUndoCommand(RunControl::tr("Edit %1").arg(to_text(tensor.name))),
          control_(control),
          tensor_(std::move(tensor)),
          changed_(std::move(changed)) {}

    void undo() override { control_.write(tensor_, changed_.first, changed_.before); }
    void redo() override {
        // On the first redo, the values are already written, because refused edits are not recorded.
        if (std::exchange(written_, true)) control_.write(tensor_, changed_.first, changed_.after);
    }

 private:
    RunControl& control_;
    TensorIdentity tensor_;
    ChangedBytes changed_;
    bool written_ = false;
};

RunControl::RunControl(Document& document, QObject* parent)
    : QObject(parent), document_(document), write_job_(tr("Writing the values")), job_(tr("Running")) {
    going_on_.setSingleShot(true);
    going_on_.setInterval(kGoingOnMs);
    connect(&going_on_, &QTimer::timeout, this, [this] {
        at_ = nullptr;
        set_state(state_ == RunState::paused ? RunState::running : state_);
    });
    connect(&document, &Document::opened, this, &RunControl::forget);
    connect(&breakpoints_, &BreakpointTable::edited, this, [this](int row) {
        if (debugger_) breakpoints_.apply(*debugger_, row);
        document_.set_breakpoints(breakpoints_.list());
    });
    connect(&breakpoints_, &BreakpointTable::removed, this, [this](int id) {
        if (debugger_ && id > 0) debugger_->remove(id);
        document_.set_breakpoints(breakpoints_.list());
    });
    connect(&document, &Document::breakpoints_changed, this,
            [this] { breakpoints_.set_list(document_.breakpoints()); });
    connect(&job_, &JobChannel::failed, this, [this](const JobFailure& failure) {
        ended({std::nullopt, RunFailure{failure.text, failure.remedy, std::nullopt}});
    });
    connect(&write_job_, &JobChannel::failed, this, [this](const JobFailure& failure) {
        emit refused(failure.text);
        give_waiting();
    });
    connect(&job_, &JobChannel::cancelled, this, [this] {
        leave();
        set_state(RunState::idle);
    });
}

RunControl::~RunControl() {
    disconnect(&write_job_, nullptr, this, nullptr);
    disconnect(&job_, nullptr, this, nullptr);
}

/// The document was replaced: discard the previous run.
void RunControl::forget() {
    ++run_;
    forget_waiting();
    job_.cancel();
    if (is_program()) {
        leave();
        state_ = RunState::idle;
    }
    times_ = {};
    result_ = nullptr;
    record_ = nullptr;
    previous_record_ = nullptr;
    failure_.reset();
    emit finished();
    emit state_changed();
}

void RunControl::set_state(RunState state) {
    state_ = state;
    emit state_changed();
}

void RunControl::start(const RunSetup& setup, bool pause_first, const TensorIdentity& run_to) {
    if (!can_run() || active()) return;
    const std::uint64_t number = ++run_;
    debugger_ = std::make_shared<Debugger>([this, number](std::shared_ptr<const DebugStop> stop) {
        QMetaObject::invokeMethod(
            this,
            [this, number, stop] {
                if (number == run_) set_stop(stop);
            },
            Qt::QueuedConnection);
    });
    debuggee_ = std::make_shared<OwnRun>(debugger_);
    breakpoints_.begin_run(*debugger_);
    debugger_->time_nodes(setup.time_nodes);
    if (pause_first) debugger_->pause();
    if (!run_to.empty()) debugger_->run_to(run_to);
    decoder_ = QStringDecoder(QStringDecoder::Utf8);
    failure_.reset();
    at_ = nullptr;
    previous_record_ = std::exchange(
        record_, std::make_shared<RunRecord>(RunRecord{++runs_, document_.session(), setup.options, {}, {}}));
    const auto report = [this, number](const QString& message) {
        QMetaObject::invokeMethod(
            this,
            [this, number, message] {
                if (number == run_) emit message_reported(message);
            },
            Qt::QueuedConnection);
    };
    emit started();
    set_state(RunState::running);
    job_.start(
        [this, number, setup, report, debugger = debugger_,
         session = document_.session()](const JobContext& job) {
            Outcome outcome;
            try {
                RunObserver observer;
                observer.on_message = [report](const BackendMessage& message) {
                    report(to_text(message.text));
                };
                observer.debugger = debugger;
                observer.on_stand_ins = [this, number](const std::vector<BackendId>& devices) {
                    QMetaObject::invokeMethod(
                        this,
                        [this, number, devices] {
                            if (number != run_) return;
                            record_->stand_ins = devices;
                            emit state_changed();
                        },
                        Qt::QueuedConnection);
                };
                observer.on_graph = [this, number](const std::shared_ptr<const Analysis>& graph) {
                    QMetaObject::invokeMethod(
                        this,
                        [this, number, graph = std::weak_ptr(graph)] {
                            if (number != run_) return;
                            std::erase_if(graphs_, [](const auto& old) { return old.expired(); });
                            graphs_.push_back(graph);
                        },
                        Qt::QueuedConnection);
                };
                observer.on_token = [this, number](const RunStep& step) {
                    QMetaObject::invokeMethod(
                        this, [this, number, step] { token_arrived(number, step); }, Qt::QueuedConnection);
                };
                outcome.result = run_model(session, setup.options, observer, job);
                for (const Message& note : outcome.result->notes) report(message_text(note));
                if (const Message& early = outcome.result->ended_early; !early.empty())
                    report(message_text(early));
            } catch (const Cancelled&) {
                throw;
            } catch (const ComputeError& error) {
                outcome.failure = RunFailure{problem_text(error), remedy_text(error), error.place()};
            } catch (const Error& error) {
                outcome.failure = RunFailure{problem_text(error), remedy_text(error), std::nullopt};
            }
            return outcome;
        },
        [this](Outcome outcome) { ended(std::move(outcome)); });
}

void RunControl::pause() {
    if (debuggee_ && state_ == RunState::running) debuggee_->pause();
}

void RunControl::resume() {
    command([this] { debuggee_->resume(); });
}

void RunControl::step_node() {
    command([this] { debuggee_->step_node(); });
}

void RunControl::step_split() {
    command([this] { debuggee_->step_split(); });
}

void RunControl::run_to(const TensorIdentity& node) {
    command([this, node] { debuggee_->run_to(node); });
}

void RunControl::rerun_to(const TensorIdentity& node) {
    command([this, node] {
        if (!debugger_) return;
        try {
            debugger_->rerun_to(node);
        } catch (const Error& error) {
            emit refused(error_text(error));
        }
    });
}

void RunControl::command(std::function<void()> give) {
    if (!debuggee_) return;
    if (writing()) {
        waiting_.push_back(std::move(give));
    } else {
        give();
    }
}

void RunControl::give_waiting() {
    while (debuggee_ && !writing() && !waiting_.empty()) {
        const auto give = std::move(waiting_.front());
        waiting_.pop_front();
        give();
    }
}

void RunControl::forget_waiting() {
    waiting_.clear();
    write_job_.cancel();
}

void RunControl::stop() {
    if (!active()) return;
    waiting_.clear();
    if (is_program()) {
        emit end_asked();
        return;
    }
    job_.stop();
    if (state_ != RunState::idle) set_state(RunState::stopping);
}

void RunControl::begin_program(std::shared_ptr<Debuggee> program) {
    ++run_;
    job_.cancel();
    leave();
    debuggee_ = std::move(program);
    failure_.reset();
    times_ = {};
    emit started();
    emit times_changed();
    set_state(RunState::running);
}

void RunControl::await_end() {
    if (is_program()) set_state(RunState::stopping);
}

void RunControl::end_program() {
    if (!is_program()) return;
    leave();
    set_state(RunState::idle);
    emit finished();
}

void RunControl::set_times(RunTimes times) {
    times_ = std::move(times);
    emit times_changed();
}

void RunControl::leave() {
    going_on_.stop();
    forget_waiting();
    debuggee_ = nullptr;
    debugger_ = nullptr;
    at_ = nullptr;
    graphs_.clear();
    value_edits_.clear();
    before_edits_.clear();
}

void RunControl::set_stop(std::shared_ptr<const DebugStop> stop) {
    if (!active()) return;
    if (!stop) {
        going_on_.start();
        return;
    }
    going_on_.stop();
    at_ = std::move(stop);
    if (debugger_) breakpoints_.take_hits(*debugger_);
    if (state_ == RunState::stopping) return;
    const TensorId node = here();
    if (node.valid()) document_.select_tensor(node);
    set_state(RunState::paused);
}

void RunControl::token_arrived(std::uint64_t run, const RunStep& step) {
    if (run != run_) return;
    record_->tokens.push_back(step.token);
    // A token may end within a character: the decoder keeps the incomplete part.
    const QString text =
        decoder_.decode(QByteArrayView(step.piece.data(), static_cast<qsizetype>(step.piece.size())));
    emit text_arrived(text);
}

void RunControl::ended(Outcome outcome) {
    if (debugger_) breakpoints_.take_hits(*debugger_);
    leave();
    failure_ = std::move(outcome.failure);
    if (outcome.result) result_ = std::make_shared<const RunResult>(std::move(*outcome.result));
    times_ = result_ ? times_of(*result_) : RunTimes();
    if (failure_ && failed_node().valid()) document_.select_tensor(failed_node());
    set_state(RunState::idle);
    emit finished();
}

bool RunControl::is_of_earlier_session() const {
    if (is_program()) return false;
    if (!record_ || !(active() || result_)) return false;
    const Session& run = record_->session;
    const Session& now = document_.session();
    ModelOptions options = run.model_options;
    // A run has graphs of its own; only manual assignments depend on the displayed one.
    if (now.machine.assignments.empty()) options.kind = now.model_options.kind;
    return run.file != now.file || run.generation != now.generation || options != now.model_options ||
           run.machine != now.machine || run.devices != now.devices;
}

std::shared_ptr<const std::vector<std::byte>> RunControl::before_edits(const TensorIdentity& tensor) const {
    const auto found = before_edits_.find(tensor);
    return found != before_edits_.end() && at_ && at_->computation == found->second.computation
               ? found->second.bytes
               : nullptr;
}

TensorId RunControl::in_document(const TensorIdentity& identity) const {
    if (!document_.analysis() || identity.empty()) return {};
    return document_.analysis()->identities->find(identity);
}

std::shared_ptr<const Analysis> RunControl::graph_at() const {
    if (!at_) return nullptr;
    for (const auto& known : graphs_)
        if (auto graph = known.lock(); graph && graph->schedule == at_->schedule) return graph;
    return nullptr;
}

TensorId RunControl::here() const {
    return at_ && at_->tensor.valid() ? in_document(at_->identity) : TensorId();
}

QString RunControl::device_at() const {
    if (!at_ || !at_->backend.valid()) return {};
    const Session& session = record_ && !is_program() ? record_->session : document_.session();
    return device_label(session, at_->schedule->machine->backends[at_->backend.index()].name);
}

TensorId RunControl::failed_node() const {
    return failure_ && failure_->place ? in_document(failure_->place->node) : TensorId();
}

void RunControl::edit_values(const TensorIdentity& tensor, ChangeBytes change) {
    change_values(tensor, std::move(change), true);
}

void RunControl::edit_values(const TensorIdentity& tensor, std::vector<std::byte> after) {
    edit_values(tensor, [after = std::move(after)](std::vector<std::byte>& bytes) { bytes = after; });
}

void RunControl::write(const TensorIdentity& tensor, std::size_t first, const std::vector<std::byte>& bytes) {
    change_values(
        tensor,
        [first, bytes](std::vector<std::byte>& whole) {
            std::ranges::copy(bytes, whole.begin() + static_cast<std::ptrdiff_t>(first));
        },
        false);
}

void RunControl::change_values(const TensorIdentity& tensor, ChangeBytes change, bool undoable) {
    if (writing()) {
        command([this, tensor, change = std::move(change), undoable] {
            change_values(tensor, change, undoable);
        });
        return;
    }
    if (!debuggee_) return;
    write_job_.start(
        [debuggee = debuggee_, tensor, change = std::move(change)](const JobContext& job) {
            // The view may show older values than the latest edit.
            constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
            std::vector<std::byte> before = debuggee->read(tensor, kAny, job).bytes;
            std::vector<std::byte> after = before;
            change(after);
            if (after == before) return std::optional<ChangedBytes>();
            ChangedBytes changed = changed_bytes(before, after);
            debuggee->write(tensor, after, changed.first, changed.after.size(), job);
            changed.original_bytes = std::make_shared<const std::vector<std::byte>>(std::move(before));
            return std::optional(std::move(changed));
        },
        [this, tensor, undoable](std::optional<ChangedBytes> changed) {
            if (changed && at_) {
                BeforeEdits& kept = before_edits_[tensor];
                if (!kept.bytes || kept.computation != at_->computation)
                    kept = {at_->computation, changed->original_bytes};
                changed->original_bytes = nullptr;
            }
            if (changed && undoable) value_edits_.push(new ValueEdit(*this, tensor, std::move(*changed)));
            if (changed) emit values_edited();
            give_waiting();
        });
}

QString stand_in_text(const RunControl& control) {
    if (control.is_program()) return {};
    if (control.active())
        return control.record() ? stand_in_text(control.record()->session, control.record()->stand_ins)
                                : QString();
    const auto& result = control.result();
    return result && result->prefill ? stand_in_text(result->prefill->session, result->stand_ins) : QString();
}

QString describe(const RunControl& control) {
    switch (control.state()) {
        case RunState::idle:
            return RunControl::tr("Not running. F5 runs, F7 pauses before the first node.");
        case RunState::running:
            return RunControl::tr("Running …");
        case RunState::stopping:
            return RunControl::tr("Stopping …");
        case RunState::paused:
            break;
    }
    if (!control.at()) return RunControl::tr("Running …");
    const DebugStop& stop = *control.at();
    const QString place = control.is_program()    ? RunControl::tr("graph %1").arg(stop.computation)
                          : stop.computation == 1 ? RunControl::tr("the prompt")
                                                  : RunControl::tr("token %1").arg(stop.computation - 1);
    if (!stop.tensor.valid()) return RunControl::tr("<b>Before the first node</b> of %1").arg(place);
    QString why;
    switch (stop.reason) {
        case StopReason::breakpoint:
            why = RunControl::tr("breakpoint");
            break;
        case StopReason::run_to:
            why = RunControl::tr("ran to here");
            break;
        case StopReason::step:
            why = RunControl::tr("step");
            break;
        case StopReason::pause:
            why = RunControl::tr("paused");
            break;
    }
    const Tensor& node = (*stop.schedule->graph)[stop.tensor];
    return RunControl::tr("<b>%1</b> (%2) · %5: %3 of %4 nodes computed<br>split %6 on %7 · %8")
        .arg(tensor_label(*stop.schedule, stop.tensor).toHtmlEscaped(), op_label(node))
        .arg(stop.position)
        .arg(stop.nodes)
        .arg(place)
        .arg(stop.split.value)
        .arg(control.device_at().toHtmlEscaped(), why);
}

}  // namespace splitscope::ui
