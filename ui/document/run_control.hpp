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
#include "ui/document/document.hpp"
#include "ui/jobs/job_channel.hpp"
#include "ui/models/breakpoint_table.hpp"

namespace splitscope::ui {

enum class RunState { idle, running, paused, stopping };

/// What the user chose for a run.
struct RunSetup {
    RunOptions options;
    bool time_nodes = true;  ///< one event per node in the timeline
};

/// Why a run ended early, and where.
struct RunFailure {
    QString text;    ///< one line: where, what
    QString remedy;  ///< may be empty
    std::optional<FailedPlace> place;
};

/// A run as it was started, for computing parts of it again.
struct RunRecord {
    int number = 0;  ///< counts the runs of the program from 1
    Session session;
    RunOptions options;
    std::vector<std::int32_t> tokens;  ///< generated so far
};

/// The run of what is open: starts, stands still, steps and stops; one for all views. Commands return at
/// once; what they bring about is told by signals. Everything happens on the UI thread but the run.
class RunControl : public QObject {
    Q_OBJECT
 public:
    /// The document must outlive it.
    explicit RunControl(Document& document, QObject* parent = nullptr);
    ~RunControl() override;

    bool can_run() const { return document_.has_session() && !document_.why_not_runnable(); }
    RunState state() const { return state_; }
    bool active() const { return state_ != RunState::idle; }

    /// `stand_first`: stands still before the first node. `run_to`: once this node has been computed.
    void start(const RunSetup& setup, bool stand_first, const TensorIdentity& run_to = {});
    void pause();
    void resume();
    void step_node();
    void step_split();
    void run_to(const TensorIdentity& node);
    /// The computation it stands in once more, up to this node; edited values stay in force.
    void rerun_to(const TensorIdentity& node);
    /// The run ends within one range of nodes and hands over what it has.
    void stop();

    /// Where the run stands still; null when it does not.
    const std::shared_ptr<const DebugStop>& at() const { return at_; }
    /// The node it stands at, or failed at, among those of the document; none before the first node.
    TensorId here() const;
    TensorId failed_node() const;
    /// The document's tensor of this identity, none when its graph has none.
    TensorId in_document(const TensorIdentity& identity) const;

    const std::shared_ptr<Debugger>& debugger() const { return debugger_; }
    BreakpointTable& breakpoints() { return breakpoints_; }
    const std::optional<RunFailure>& failure() const { return failure_; }
    /// The last finished run of what is open; null if there is none.
    const std::shared_ptr<const RunResult>& result() const { return result_; }
    /// The run under way or the last one, and the one before; null if there is none.
    const std::shared_ptr<RunRecord>& record() const { return record_; }
    const std::shared_ptr<RunRecord>& previous_record() const { return previous_record_; }

    using ChangeBytes = std::function<void(std::vector<std::byte>&)>;
    /// Sets values of a tensor of the standing run to what `change` makes of those before; undoable until the
    /// run ends. It happens on a worker: commands given meanwhile wait for it. What goes wrong is told by
    /// refused().
    void edit_values(const TensorIdentity& tensor, ChangeBytes change);
    void edit_values(const TensorIdentity& tensor, std::vector<std::byte> after);
    /// The values of a tensor before it was first edited in the computation where the run stands; null when
    /// it was not.
    std::shared_ptr<const std::vector<std::byte>> before_edits(const TensorIdentity& tensor) const;
    QUndoStack& value_edits() { return value_edits_; }
    /// Values are being written.
    bool writing() const { return write_job_.running(); }

    /// Whether the run under way, or the last one, is of a session that was edited since.
    bool is_of_earlier_session() const;

    JobChannel& job() { return job_; }

 signals:
    /// The state, or the place where it stands still.
    void state_changed();
    void started();
    void text_arrived(const QString& text);
    /// A message of a backend, or a remark of the run.
    void told(const QString& message);
    /// After every run that ended by itself, was stopped or failed.
    void finished();
    void values_edited();
    /// A command was refused.
    void refused(const QString& reason);

 private:
    friend class ValueEdit;
    struct Outcome {
        std::optional<RunResult> result;
        std::optional<RunFailure> failure;
    };

    void forget();
    void set_state(RunState state);
    void debugger_changed(std::uint64_t run, std::shared_ptr<const DebugStop> stop);
    void token_arrived(std::uint64_t run, const RunStep& step);
    void ended(Outcome outcome);
    /// Sets the bytes from `first` on.
    void write(const TensorIdentity& tensor, std::size_t first, const std::vector<std::byte>& bytes);
    void change_values(const TensorIdentity& tensor, ChangeBytes change, bool undoable);
    /// Now, or once the values have been written.
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
    QTimer going_on_;  ///< a step is over before anything would show that it began
    RunState state_ = RunState::idle;
    std::shared_ptr<Debugger> debugger_;
    std::shared_ptr<const DebugStop> at_;
    std::shared_ptr<const RunResult> result_;
    std::shared_ptr<RunRecord> record_;
    std::shared_ptr<RunRecord> previous_record_;
    std::optional<RunFailure> failure_;
    QStringDecoder decoder_{QStringDecoder::Utf8};
    std::uint64_t run_ = 0;
    int runs_ = 0;
    std::deque<std::function<void()>> waiting_;  ///< for values being written
    JobChannel write_job_;
    JobChannel job_;  ///< last: its threads use the members above
};

/// Where the run stands and why, in a sentence.
QString describe(const RunControl& control);

}  // namespace splitscope::ui
