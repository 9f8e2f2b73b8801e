// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringDecoder>
#include <QTimer>
#include <QUndoStack>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/execution/debugger.hpp"
#include "engine/session/live_run.hpp"
#include "ui/document/debuggee.hpp"
#include "ui/document/document.hpp"
#include "ui/jobs/job_channel.hpp"
#include "ui/models/breakpoint_table.hpp"
#include "ui/models/run_profile.hpp"

namespace splitscope::ui {

enum class RunState { idle, running, paused, stopping };

/// Options of a run.
struct RunSetup {
    RunOptions options;
    bool time_nodes = true;  ///< one timeline event per node
};

/// Why and where a run failed.
struct RunFailure {
    QString text;    ///< one line: where, what
    QString remedy;  ///< may be empty
    std::optional<FailedPlace> place;
};

/// A run with its setup, for recomputing parts of it.
struct RunRecord {
    int number = 0;  ///< counts runs from 1
    Session session;
    RunOptions options;
    std::vector<std::int32_t> tokens;  ///< generated so far
    std::vector<BackendId> stand_ins;  ///< RunResult::stand_ins
};

/// Timed computations for timeline and profile.
struct RunTimes {
    TimedRun prompt;
    TimedRun token;  ///< the last one
    std::shared_ptr<const MeanExecution>
        mean;                          ///< of the tokens with the schedule of the last one; null if none
    std::vector<BackendId> stand_ins;  ///< RunResult::stand_ins
};

/// The run of the open document, or a program under the debugger, shared by all views: starting, pausing,
/// stepping, stopping. Commands return immediately; results are reported by signals. Everything but the run
/// itself happens on the UI thread.
class RunControl : public QObject {
    Q_OBJECT
 public:
    /// The document must outlive the object.
    explicit RunControl(Document& document, QObject* parent = nullptr);
    ~RunControl() override;

    bool can_run() const { return document_.has_session() && !document_.why_not_runnable(); }
    RunState state() const { return state_; }
    bool active() const { return state_ != RunState::idle; }

    /// `pause_first`: pauses before the first node. `run_to`: pauses after this node.
    void start(const RunSetup& setup, bool pause_first, const TensorIdentity& run_to = {});
    void pause();
    void resume();
    void step_node();
    void step_split();
    void run_to(const TensorIdentity& node);
    /// Repeats the current computation up to this node; edited values are kept.
    void rerun_to(const TensorIdentity& node);
    /// Stops within one range of nodes, keeping partial results.
    void stop();

    /// Replaces the run by a program until end_program(); the caller reports its stops.
    void begin_program(std::shared_ptr<Debuggee> program);
    /// The program or run has stopped; null: it continues.
    void set_stop(std::shared_ptr<const DebugStop> stop);
    /// The program has been requested to end.
    void await_end();
    void end_program();
    bool is_program() const { return debuggee_ != nullptr && debugger_ == nullptr; }

    /// The current stop; null if the run is not paused.
    const std::shared_ptr<const DebugStop>& at() const { return at_; }
    /// The graph of the current stop; null if not paused, or in a program.
    std::shared_ptr<const Analysis> graph_at() const;
    /// The node at which it is paused or failed, in the document's graph; none before the first node.
    TensorId here() const;
    TensorId failed_node() const;
    /// Label of the device of the current stop.
    QString device_at() const;
    /// The document's tensor with this identity, or none.
    TensorId in_document(const TensorIdentity& identity) const;

    /// Debugger of the run; null without one.
    const std::shared_ptr<Debugger>& debugger() const { return debugger_; }
    /// The source of values: the run or the program; null without either.
    const std::shared_ptr<Debuggee>& debuggee() const { return debuggee_; }
    BreakpointTable& breakpoints() { return breakpoints_; }
    const std::optional<RunFailure>& failure() const { return failure_; }
    /// The last finished run of this document; null if there is none.
    const std::shared_ptr<const RunResult>& result() const { return result_; }
    /// Of the last finished run, or of the program so far.
    const RunTimes& times() const { return times_; }
    void set_times(RunTimes times);
    /// The current or last run, and the previous one; null if there is none.
    const std::shared_ptr<RunRecord>& record() const { return record_; }
    const std::shared_ptr<RunRecord>& previous_record() const { return previous_record_; }

    using ChangeBytes = std::function<void(std::vector<std::byte>&)>;
    /// Sets values of a tensor of the paused run to the result of `change`; undoable until the run ends. Runs
    /// on a worker; commands wait for it. Errors are reported by refused().
    void edit_values(const TensorIdentity& tensor, ChangeBytes change);
    void edit_values(const TensorIdentity& tensor, std::vector<std::byte> after);
    /// Values of a tensor before its first edit in the current computation; null if it was not edited.
    std::shared_ptr<const std::vector<std::byte>> before_edits(const TensorIdentity& tensor) const;
    QUndoStack& value_edits() { return value_edits_; }
    /// Whether values are being written.
    bool writing() const { return write_job_.running(); }

    /// Whether an edit of the session since the current or last run started would change the run.
    bool is_of_earlier_session() const;

    JobChannel& job() { return job_; }

 signals:
    /// The state or the current stop has changed.
    void state_changed();
    void started();
    void text_arrived(const QString& text);
    /// A message of a backend, or a note about the run.
    void message_reported(const QString& message);
    /// Emitted after every run, whether completed, stopped or failed.
    void finished();
    void times_changed();
    void values_edited();
    /// stop() for a program, which is ended by its owner.
    void end_asked();
    /// A command was refused.
    void refused(const QString& reason);

 private:
    friend class ValueEdit;
    struct Outcome {
        std::optional<RunResult> result;
        std::optional<RunFailure> failure;
    };

    void forget();
    /// Nothing is running any more.
    void leave();
    void set_state(RunState state);
    void token_arrived(std::uint64_t run, const RunStep& step);
    void ended(Outcome outcome);
    /// Overwrites bytes starting at `first`.
    void write(const TensorIdentity& tensor, std::size_t first, const std::vector<std::byte>& bytes);
    void change_values(const TensorIdentity& tensor, ChangeBytes change, bool undoable);
    /// Executes a command now, or after pending writes.
    void command(std::function<void()> give);
    void give_waiting();
    void forget_waiting();

    Document& document_;
    BreakpointTable breakpoints_;
    QUndoStack value_edits_;
    struct BeforeEdits {
        std::uint64_t computation;
        std::shared_ptr<const std::vector<std::byte>> bytes;
    };
    std::map<TensorIdentity, BeforeEdits> before_edits_;
    QTimer going_on_;  ///< delays the running state, so that quick steps do not flicker
    RunState state_ = RunState::idle;
    std::shared_ptr<Debuggee> debuggee_;
    std::shared_ptr<Debugger> debugger_;  ///< of debuggee_, if it is a run
    std::shared_ptr<const DebugStop> at_;
    std::vector<std::weak_ptr<const Analysis>> graphs_;  ///< of the run
    std::shared_ptr<const RunResult> result_;
    RunTimes times_;
    std::shared_ptr<RunRecord> record_;
    std::shared_ptr<RunRecord> previous_record_;
    std::optional<RunFailure> failure_;
    QStringDecoder decoder_{QStringDecoder::Utf8};
    std::uint64_t run_ = 0;
    int runs_ = 0;
    std::deque<std::function<void()>> waiting_;  ///< commands that wait for values being written
    JobChannel write_job_;
    JobChannel job_;  ///< last member: its threads use those above
};

/// Where and why the run is paused, as a sentence.
QString describe(const RunControl& control);
/// Says that the CPU computes, or computed, for devices of the run; empty if not.
QString stand_in_text(const RunControl& control);

}  // namespace splitscope::ui
