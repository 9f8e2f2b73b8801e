// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "backends/interface/live_machine.hpp"
#include "engine/scheduler/policy.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/scheduler/vocabulary.hpp"
#include "engine/support/for_each_checked.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// Thrown to end scheduling; decisions so far are kept.
struct SchedulingStop {
    ScheduleError error;
};

/// State shared by the passes: graph facts, backend queries, and the decisions so far. Refers to the Schedule
/// being built.
class SchedulingContext {
 public:
    SchedulingContext(Schedule& schedule, const LiveMachine& live, const SchedulerPolicy& policy,
                      bool op_offload, bool trace, const JobContext& job);
    /// Moves backends and facts of the tensors into the schedule, also when scheduling stops.
    ~SchedulingContext();
    SchedulingContext(const SchedulingContext&) = delete;
    SchedulingContext& operator=(const SchedulingContext&) = delete;

    const SchedulerPolicy& policy() const { return policy_; }
    const Graph& graph() const { return *schedule_.graph; }
    Schedule& schedule() { return schedule_; }
    const LiveMachine& live() const { return live_; }
    std::size_t backend_count() const { return live_.backends.size(); }
    /// The backends that take part, in priority order, the CPU last.
    std::span<const BackendId> backends() const { return used_; }
    BackendId cpu() const { return cpu_; }
    bool op_offload() const { return op_offload_; }

    // Facts -------------------------------------------------------------------------------------------------
    TensorTraits traits(TensorId t) const { return facts_.traits[t]; }
    Op op(TensorId t) const { return facts_.op[t]; }
    bool is_view_op(TensorId t) const { return has(traits(t), TensorTraits::view_op); }
    bool is_view(TensorId t) const { return view_src(t).valid(); }
    TensorId view_src(TensorId t) const { return facts_.view_src[t]; }
    /// Type of the tensor's own buffer; none if it has no buffer.
    BufferTypeId own_type(TensorId t) const { return buffer_of(t).type; }
    /// As own_type(), of the base for a view.
    BufferTypeId memory_type(TensorId t) const { return own_type(is_view(t) ? view_src(t) : t); }
    bool in_weights_buffer(TensorId t) const { return has(traits(t), TensorTraits::weights); }
    /// The backend in whose compute buffer the tensor is, if any.
    BackendId compute_buffer_owner(TensorId t) const { return buffer_of(t).owner; }
    bool is_input(TensorId t) const { return has(traits(t), TensorTraits::input); }
    /// Whether neither a buffer nor a flag fixes the backend of the tensor or of the one it views.
    bool is_free(TensorId t) const {
        return !has((traits(t) & (TensorTraits::buffer | TensorTraits::input)) |
                        (traits(view_src(t)) & TensorTraits::buffer),
                    TensorTraits::buffer | TensorTraits::input);
    }
    /// Source slots that this generation considers; may contain holes.
    std::span<const TensorId> sources(TensorId t) const {
        if (has(traits(t), TensorTraits::more_sources)) return all_sources(t);
        return facts_.first_sources[t];
    }
    /// Traits of at least one source.
    TensorTraits traits_of_sources(TensorId t) const {
        const auto [first, second] = facts_.first_sources[t];
        TensorTraits any = traits(first) | traits(second);
        if (has(traits(t), TensorTraits::more_sources)) {
            for (const TensorId source : all_sources(t)) any = any | traits(source);
        }
        return any;
    }
    /// Whether `holds` is true of the tensor and each of its sources. The first two are tested without a
    /// branch for each, also if they are missing; few tensors have more.
    template <class Holds>
    bool all_of_node(TensorId t, const Holds& holds) const {
        const auto missing_or_holds = [&](TensorId source) {
            return int{!source.valid()} | int{holds(source)};
        };
        const auto [first, second] = facts_.first_sources[t];
        const int all = int{holds(t)} & missing_or_holds(first) & missing_or_holds(second);
        if (!has(traits(t), TensorTraits::more_sources)) return all != 0;
        return all != 0 && std::ranges::all_of(all_sources(t), missing_or_holds);
    }
    /// Includes the tensors that the schedule added, and the sources that it replaced.
    void complete_facts() { facts_.follow(schedule_.view()); }
    /// The nodes that are not view operations, in order, and their positions in Graph::nodes.
    std::span<const TensorId> computing() const { return computing_; }
    std::span<const std::uint32_t> computing_positions() const { return computing_positions_; }

    // Questions ---------------------------------------------------------------------------------------------
    bool takes(BackendId b, BufferTypeId type) const {
        return takes_[b.index() * type_count_ + type.index()] != 0;
    }
    BufferTypeId default_type(BackendId b) const { return default_types_[b.index()]; }
    /// Whether runs() is true without asking the backend.
    bool surely_runs(BackendId b, TensorId t) const { return always_run_[b.index()].contains(op(t)); }
    OpSupport runs(BackendId b, TensorId t) const {
        if (surely_runs(b, t)) return {};
        return devices_[b.index()]->supports_op({view_, t, graph_buffer_types_});
    }
    bool offers(BackendId b, TensorId t) const {
        return devices_[b.index()]->offload_op({view_, t, graph_buffer_types_});
    }
    /// Whether the backend can read the tensor where it is or will be (scheduler.md §3.1).
    bool usable(TensorId t, BackendId b) const {
        const TensorId memory = is_view(t) ? view_src(t) : t;
        if (has(traits(memory), TensorTraits::buffer)) return takes(b, own_type(memory));
        const BackendId at = id(t).valid() ? id(t) : id(view_src(t));
        return at.valid() && (reads_results_of_[b.index()] >> at.index() & 1) != 0;
    }
    /// Whether the tensor and its sources have backends.
    bool all_assigned(TensorId t) const {
        // Negative if there is a source without a backend.
        const auto missing = [&](TensorId source) { return id(source).value & ~source.value; };
        const auto [first, second] = facts_.first_sources[t];
        if ((id(t).value | missing(first) | missing(second)) < 0) return false;
        return !has(traits(t), TensorTraits::more_sources) ||
               std::ranges::all_of(all_sources(t), [&](TensorId source) { return missing(source) >= 0; });
    }

    // Decisions ---------------------------------------------------------------------------------------------
    /// None for "no tensor".
    BackendId id(TensorId t) const { return ids_[t]; }
    /// About a tensor of the graph. Inline, so that the evidence is constructed in place.
    [[gnu::always_inline]] void decide(Pass pass, TensorId t, BackendId to, Cause cause,
                                       const Evidence& evidence = {}) {
        const BackendId from = std::exchange(ids_[t], to);
        // Generation 2024-01 records no cause for user assignments.
        if (cause.kind != CauseKind::none) causes_[t.index()] = cause;
        if (trace_) record(pass, t, from, to, cause, evidence);
    }
    /// About a tensor that the schedule added.
    void decide_added(Pass pass, TensorId t, BackendId to, Cause cause, const Evidence& evidence) {
        if (trace_) record(pass, t, {}, to, cause, evidence);
    }
    void end_pass(Pass pass);

    /// Records a refusal as evidence of the next decision.
    void refused(const Refusal& refusal);
    /// Records a refusal for a later decision on this node.
    void refused_later(TensorId t, const Refusal& refusal);
    void forget_refusals() { pending_.clear(); }

    [[noreturn]] void stop(ErrorKind kind, Message message, TensorId tensor) const;
    /// As stop(), with the answer of every backend about the tensor.
    [[noreturn]] void stop_unplaced(Message message, TensorId tensor);
    /// Calls `work` with each of the items. Throws Cancelled.
    template <class Items, class Work>
    void for_each(const Items& items, const Work& work) const {
        const auto first = items.begin();
        for_each_checked(job_, items.size(),
                         [&](std::size_t i) { work(first[static_cast<std::ptrdiff_t>(i)]); });
    }
    /// Call once per node of a pass that does not use for_each(). Throws Cancelled.
    void step() { stop_check_.step(); }

 private:
    /// Of a buffer of the graph.
    struct BufferFacts {
        BufferTypeId type;
        BackendId owner;  ///< whose compute buffer it is, if any
    };
    struct KeptRefusal {
        Refusal refusal;
        std::int32_t next;
    };

    const BufferFacts& buffer_of(TensorId t) const {
        return buffers_[static_cast<std::size_t>(graph()[t].buffer.value + 1)];
    }
    std::span<const TensorId> all_sources(TensorId t) const;
    void find_graph_buffers();
    void collect_facts();
    void stop_unknown(const Vocabulary& known) const;
    void leave_out_sources_after_holes();
    void list_computing();
    [[gnu::always_inline]] void record(Pass pass, TensorId t, BackendId from, BackendId to, Cause cause,
                                       const Evidence& evidence) {
        Decision& decision = schedule_.decisions.emplace_back();
        decision.pass = pass;
        decision.cause = cause;
        decision.tensor = t;
        decision.from = from;
        decision.to = to;
        decision.evidence = evidence;
        if (has_refusals_) append_refusals(decision);
    }
    /// Moves the recorded refusals, and those kept for its tensor, into the schedule.
    void append_refusals(Decision& decision);

    Schedule& schedule_;
    const LiveMachine& live_;
    const SchedulerPolicy& policy_;
    const JobContext& job_;
    StopCheck stop_check_;
    GraphView view_;
    bool op_offload_;
    bool trace_;
    BackendId cpu_;
    TensorFacts facts_;
    ByTensor<BackendId> ids_;
    Cause* causes_ = nullptr;  ///< of the schedule
    std::vector<BackendId> used_;
    std::size_t type_count_ = 0;
    std::vector<TensorId> computing_;
    std::vector<std::uint32_t> computing_positions_;
    std::vector<const Device*> devices_;
    std::vector<OpSet> always_run_;  ///< by backend
    std::vector<const BufferType*> graph_buffer_types_;
    std::vector<BufferFacts> buffers_;  ///< "none", then the graph's
    std::vector<bool> weights_;         ///< whether each of the graph's buffers is for weights
    std::vector<std::uint8_t> takes_;   ///< [backend][buffer type]
    std::vector<BufferTypeId> default_types_;
    std::vector<std::uint32_t>
        reads_results_of_;  ///< by backend: bit set of those whose default type it takes
    std::vector<Refusal> pending_;
    std::vector<std::int32_t> kept_head_;  ///< per tensor, into kept_; empty until something is kept
    std::vector<KeptRefusal> kept_;
    bool has_refusals_ = false;  ///< whether any was recorded
};

// The passes in execution order (scheduler.md §3).
void run_user_assignments(SchedulingContext& context, std::span<const Assignment> assignments);
void run_fixed_pass(SchedulingContext& context);
void run_spread_pass(SchedulingContext& context);
void run_best_fit_pass(SchedulingContext& context);
void run_rest_pass(SchedulingContext& context);

}  // namespace splitscope
