// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "backends/interface/machine.hpp"
#include "engine/execution/breakpoint.hpp"
#include "engine/execution/executor.hpp"
#include "engine/support/job.hpp"
#include "engine/tensor/tensor_identity.hpp"

namespace splitscope {

enum class StopReason : std::uint8_t { pause, breakpoint, step, run_to };

/// Where a run is paused: after a computed node, or before the first one.
struct DebugStop {
    std::uint64_t number = 0;       ///< of the stop, from 1 per debugger
    std::uint64_t computation = 0;  ///< from 1 per debugger; a repeated computation keeps its number
    StopReason reason = StopReason::pause;
    int breakpoint = 0;  ///< its id, for StopReason::breakpoint
    std::shared_ptr<const Schedule> schedule;
    TensorId tensor;           ///< the node computed last; none before the first one
    TensorIdentity identity;   ///< of that node, for other graphs; empty before the first one
    std::size_t position = 0;  ///< number of nodes computed, in execution order
    std::size_t nodes = 0;     ///< of the schedule
    SplitId split;
    BackendId backend;
};

/// Validity of a tensor's values while a run is paused.
enum class TensorState : std::uint8_t {
    computed,      ///< the values are valid
    not_computed,  ///< not yet computed: the memory holds older data
    reused,        ///< overwritten by a later tensor
    no_memory,     ///< not allocated in this run
    repacked,      ///< in an attached program: in the backend's own layout, which cannot be read
};

/// A tensor's values at a stop.
struct TensorCapture {
    Tensor tensor;
    TensorIdentity identity;
    TensorState state = TensorState::no_memory;
    std::string reused_by;         ///< for TensorState::reused
    std::vector<std::byte> bytes;  ///< byte_size(tensor) of them; empty with no_memory or repacked
    std::string backend;           ///< whose memory it is in; empty for leafs
    std::uint64_t stop = 0;        ///< DebugStop::number
};

/// Which computations a debugger observes node by node.
enum class Observation : std::uint8_t {
    always,
    /// Only those affected by a command, a breakpoint or an edited value. One that arrives during a
    /// computation restarts it, observed; if the computation cannot be repeated, it takes effect in the next
    /// one.
    if_needed,
};

/// Pauses, steps and inspects a run (scheduler.md §7.3). One thread runs; any number of threads may give
/// commands, which return immediately. All members are thread-safe unless stated otherwise.
class Debugger {
 public:
    /// Called on the running thread, without locks held, with the new stop, or with null when the run resumes
    /// or ends.
    using OnChange = std::function<void(std::shared_ptr<const DebugStop>)>;
    explicit Debugger(OnChange on_change = {}) : on_change_(std::move(on_change)) {}
    Debugger(const Debugger&) = delete;
    Debugger& operator=(const Debugger&) = delete;

    /// Adds a breakpoint and returns its id. Throws Error(usage) if it is invalid.
    int add(Breakpoint breakpoint);
    void remove(int id);
    void enable(int id, bool enabled);
    std::vector<Breakpoint> breakpoints() const;

    /// Pauses after the current node. An unobserved computation restarts and pauses before its first node;
    /// between computations, the next one does.
    void pause();
    void resume();
    void step_node();
    /// Continues to the end of the current split, or of the next one if the current one has ended.
    void step_split();
    /// Continues until this node has been computed, or the first node that reads it if it is not computed
    /// (stop_for()).
    void run_to(const TensorIdentity& node);
    /// Repeats the current computation from its first node and pauses after `node` (before the first node for
    /// an empty identity). Values set by write() are kept. Errors: state (the run is not paused), unknown,
    /// unsupported (the computation has overwritten its own inputs, such as a recurrent state).
    void rerun_to(const TensorIdentity& node);
    /// Times every node, so that the record of the run has one event per node. The caller must also set
    /// ExecutorOptions::time_nodes.
    void time_nodes(bool on);
    bool times_nodes() const;

    /// The current stop; null while the run continues or if there is none.
    std::shared_ptr<const DebugStop> stop() const;
    /// Total time for which the run has been paused.
    std::chrono::nanoseconds paused_time() const;
    /// The values of a tensor of the paused run, which resumes only after they have been read. Errors: state
    /// (not paused), unknown, limit (more than `most` bytes).
    TensorCapture read(const TensorIdentity& tensor,
                       std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
    /// Overwrites the values of a tensor of the paused run; later nodes read the new values, also after
    /// rerun_to(). Errors: state, unknown, range (wrong number of bytes), unallocated.
    void write(const TensorIdentity& tensor, std::span<const std::byte> bytes);

    /// Called by a run after a computation: true if it must be attached and computed again, with its inputs
    /// set anew.
    bool take_rerun();

    /// Held by a run during each computation; announces it and pauses if requested. The arguments must
    /// outlive the Attachment. `end_early` requests a stop when the computation is to be repeated; without
    /// it, the repetition starts after the computation has ended.
    class Attachment {
     public:
        Attachment(Debugger& debugger, std::shared_ptr<const Schedule> schedule, const BoundGraph& graph,
                   const JobContext& job, std::stop_source end_early = std::stop_source(std::nostopstate),
                   Observation observation = Observation::always)
            : debugger_(debugger) {
            debugger_.attach(std::move(schedule), graph, job, std::move(end_early), observation);
        }
        ~Attachment() { debugger_.detach(); }
        Attachment(const Attachment&) = delete;
        Attachment& operator=(const Attachment&) = delete;

        /// Empty for a computation that is not observed.
        EvalCallback callback() const {
            if (!debugger_.observes()) return {};
            return [&debugger = debugger_](TensorId node, bool ask) {
                return ask ? debugger.ask(node) : debugger.observe(node);
            };
        }

     private:
        Debugger& debugger_;
    };

 private:
    enum class Mode : std::uint8_t { run, pause, step_node, step_split, run_to };
    struct Set {
        Breakpoint breakpoint;
        BreakpointMatcher matcher;
        std::optional<std::vector<TensorId>> nodes = std::nullopt;  ///< of names_nodes(), in known_; sorted
        std::uint64_t met = 0;                                      ///< matches, including ignored ones
        bool scans_values() const { return breakpoint.outside || matcher.scans_values(); }
    };

    void attach(std::shared_ptr<const Schedule> schedule, const BoundGraph& graph, const JobContext& job,
                std::stop_source end_early, Observation observation);
    void detach();
    bool observes() const;
    bool needs_observation() const;
    void observe_if_needed();
    bool is_repeatable();
    bool ask(TensorId node);
    bool observe(TensorId node);
    void command(Mode mode);
    /// Switches to another schedule: clears cached lookups and carries edits over.
    void use_schedule(const std::shared_ptr<const Schedule>& schedule);
    const TensorIdentities& identities();
    /// Waits, paused, for a command or the end of the job.
    void wait_paused(std::unique_lock<std::mutex>& lock, StopReason reason, int breakpoint);
    std::optional<std::pair<StopReason, int>> reason_to_stop(TensorId node);
    /// Whether a breakpoint may stop here, as far as is known without values.
    bool may_stop_at(Set& set, TensorId node);
    bool any_may_stop_at(TensorId node);
    bool is_not_finite(TensorId node, std::span<const std::byte> bytes) const;
    int breakpoint_met(TensorId node);
    bool matches(Set& set, TensorId node);
    bool runs_to(TensorId node);
    TensorId find(const TensorIdentity& identity);
    std::pair<TensorState, std::string> state_of(TensorId tensor) const;
    TensorId overwritten_by(TensorId tensor, std::size_t written) const;
    std::optional<std::size_t> split_of_copy(std::size_t added) const;
    void set_values(TensorId tensor, std::span<const std::byte> bytes);
    bool is_edited(TensorId node) const { return !edits_.empty() && edits_.contains(node); }
    /// A tensor outside the graph's compute memory that one of the first `computed` nodes reads before one
    /// overwrites it; none if they are repeatable.
    TensorId overwritten_input(std::size_t computed) const;
    const std::string& backend_name(BackendId backend) const;

    OnChange on_change_;
    mutable std::mutex mutex_;
    std::condition_variable_any commanded_;
    mutable std::condition_variable_any values_read_;
    mutable std::size_t readers_ = 0;
    std::vector<Set> breakpoints_;
    int next_id_ = 1;
    std::chrono::nanoseconds paused_time_{};
    std::uint64_t stops_ = 0;
    std::uint64_t computations_ = 0;
    Mode mode_ = Mode::run;
    TensorIdentity run_to_;
    std::optional<TensorId> run_to_node_;  ///< in known_
    bool time_nodes_ = false;
    bool paused_ = false;
    std::shared_ptr<const DebugStop> stop_;

    /// The most recent schedule, kept alive so that its address is not reused.
    std::shared_ptr<const Schedule> known_;
    std::unique_ptr<const TensorIdentities> identities_;  ///< of its graph; created on first use
    std::optional<bool> repeatable_;                      ///< whether all of its nodes are

    // The computation in progress.
    std::shared_ptr<const Schedule> schedule_;
    const BoundGraph* graph_ = nullptr;
    JobContext job_;
    std::stop_source end_early_{std::nostopstate};
    bool observes_ = true;
    bool rerun_ = false;                                ///< this computation is to be repeated
    bool repeating_ = false;                            ///< the next attach() repeats the previous one
    std::map<TensorId, std::vector<std::byte>> edits_;  ///< values set by write() in this computation
    std::vector<std::int32_t> position_;  ///< per tensor of the graph: when it is computed, or -1
    std::vector<TensorId> order_;         ///< nodes in execution order
    std::size_t computed_ = 0;
    std::size_t step_end_ = 0;  ///< Mode::step_split: nodes computed when the step ends
    std::size_t unobserved_ = 0;
};

}  // namespace splitscope
