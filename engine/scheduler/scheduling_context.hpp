// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "backends/interface/live_machine.hpp"
#include "engine/scheduler/policy.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/support/job.hpp"
#include "engine/support/prefetch.hpp"

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

    const SchedulerPolicy& policy() const { return policy_; }
    const Graph& graph() const { return *schedule_.graph; }
    Schedule& schedule() { return schedule_; }
    const LiveMachine& live() const { return live_; }
    std::size_t backend_count() const { return live_.backends.size(); }
    BackendId cpu() const { return BackendId(backend_count() - 1); }
    bool op_offload() const { return op_offload_; }

    // Facts -------------------------------------------------------------------------------------------------
    bool is_view_op(TensorId t) const { return facts_[t.index()].view_op; }
    bool is_view(TensorId t) const { return facts_[t.index()].view_src >= 0; }
    TensorId view_src(TensorId t) const { return TensorId(facts_[t.index()].view_src); }
    /// Type of the tensor's own buffer; none if it has no buffer.
    BufferTypeId own_type(TensorId t) const { return BufferTypeId(std::int32_t{facts_[t.index()].own_type}); }
    /// As own_type(), of the base for a view.
    BufferTypeId memory_type(TensorId t) const { return own_type(is_view(t) ? view_src(t) : t); }
    bool in_weights_buffer(TensorId t) const { return facts_[t.index()].weights; }
    /// The backend in whose compute buffer the tensor is, if any.
    BackendId compute_buffer_owner(TensorId t) const {
        const BufferRef buffer = graph()[t].buffer;
        return buffer.valid() ? buffer_owners_[buffer.index()] : BackendId();
    }
    bool is_input(TensorId t) const { return facts_[t.index()].input; }
    /// Source slots that this generation considers; may contain holes.
    std::span<const TensorId> sources(TensorId t) const {
        const Facts& facts = facts_[t.index()];
        return {sources_.data() + facts.first_source, facts.source_end};
    }
    /// Whether `holds` is true of the tensor and each of its sources. The first two are tested without a
    /// branch for each; few tensors have more.
    template <class Holds>
    bool all_of_node(TensorId t, const Holds& holds) const {
        const Facts& facts = facts_[t.index()];
        bool all =
            (int{holds(t)} & int{holds(facts.near_sources[0])} & int{holds(facts.near_sources[1])}) != 0;
        if (facts.source_end > facts.near_sources.size()) {
            for (const TensorId source : sources(t)) all = all && (!source.valid() || holds(source));
        }
        return all;
    }
    /// Positions in Graph::nodes of the nodes that are not view operations, in order.
    std::span<const std::uint32_t> computing() const { return computing_; }

    // Questions ---------------------------------------------------------------------------------------------
    bool takes(BackendId b, BufferTypeId type) const {
        return takes_[b.index() * live_.buffer_types.size() + type.index()] != 0;
    }
    BufferTypeId default_type(BackendId b) const { return default_types_[b.index()]; }
    /// Prefetches a tensor for a backend query.
    void prefetch_tensor(TensorId t) const { prefetch(graph()[t].op); }
    OpSupport runs(BackendId b, TensorId t) const {
        return devices_[b.index()]->supports_op({view_, t, graph_buffer_types_});
    }
    bool offers(BackendId b, TensorId t) const {
        return devices_[b.index()]->offload_op({view_, t, graph_buffer_types_});
    }
    /// Whether the backend can read the tensor where it is or will be (scheduler.md §3.1).
    bool usable(TensorId t, BackendId b) const {
        BufferTypeId type = memory_type(t);
        if (!type.valid()) {
            BackendId at = id(t);
            if (!at.valid() && is_view(t)) at = id(view_src(t));
            if (!at.valid()) return false;
            type = default_type(at);
        }
        return takes(b, type);
    }

    // Decisions ---------------------------------------------------------------------------------------------
    BackendId id(TensorId t) const { return t.valid() ? schedule_.backend[t.index()] : BackendId(); }
    /// Inline, so that the evidence is constructed in place.
    [[gnu::always_inline]] void decide(Pass pass, TensorId t, BackendId to, Cause cause,
                                       const Evidence& evidence = {}) {
        BackendId from;
        if (t.index() < schedule_.backend.size()) {
            from = schedule_.backend[t.index()];
            schedule_.backend[t.index()] = to;
            // Generation 2024-01 records no cause for user assignments.
            if (cause.kind != CauseKind::none) schedule_.cause[t.index()] = cause;
        }
        if (!trace_) return;
        Decision& decision = schedule_.decisions.emplace_back();
        decision.pass = pass;
        decision.cause = cause;
        decision.tensor = t;
        decision.from = from;
        decision.to = to;
        decision.evidence = evidence;
        decision.evidence.first_refusal = static_cast<std::uint32_t>(schedule_.refusals.size());
        decision.evidence.refusal_count = 0;
        if (!pending_.empty() || !kept_head_.empty()) append_refusals(decision);
    }
    void end_pass(Pass pass);

    /// Records a refusal as evidence of the next decision.
    void refused(const Refusal& refusal) {
        if (trace_) pending_.push_back(refusal);
    }
    /// Records a refusal for a later decision on this node.
    void refused_later(TensorId t, const Refusal& refusal);
    void forget_refusals() { pending_.clear(); }

    [[noreturn]] void stop(ErrorKind kind, Message message, TensorId tensor);
    /// As stop(), with the answer of every backend about the tensor.
    [[noreturn]] void stop_unplaced(Message message, TensorId tensor);
    /// Call once per node of a pass. Throws Cancelled.
    void step() { stop_check_.step(); }

 private:
    /// Frequently used facts, packed for locality.
    struct Facts {
        std::int32_t view_src = -1;
        std::uint32_t first_source = 0;
        std::array<TensorId, 2> near_sources;  ///< the first two, padded with the tensor itself
        std::int16_t own_type = -1;
        std::uint8_t source_end = 0;
        bool view_op = false;
        bool weights = false;
        bool input = false;
    };
    /// Of a buffer of the graph.
    struct BufferFacts {
        std::int16_t type = -1;
        bool weights = false;
    };
    struct KeptRefusal {
        Refusal refusal;
        std::int32_t next;
    };

    void collect_facts();
    void list_computing();
    std::vector<BufferFacts> find_graph_buffers();
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
    std::vector<Facts> facts_;
    std::vector<TensorId> sources_;
    std::vector<std::uint32_t> computing_;
    std::vector<const Device*> devices_;
    std::vector<const BufferType*> graph_buffer_types_;
    std::vector<BackendId> buffer_owners_;  ///< by buffer of the graph
    std::vector<std::uint8_t> takes_;       ///< [backend][buffer type]
    std::vector<BufferTypeId> default_types_;
    std::vector<Refusal> pending_;
    std::vector<std::int32_t> kept_head_;  ///< per tensor, into kept_; empty until something is kept
    std::vector<KeptRefusal> kept_;
};

// The passes in execution order (scheduler.md §3).
void run_user_assignments(SchedulingContext& context, std::span<const Assignment> assignments);
void run_fixed_pass(SchedulingContext& context);
void run_spread_pass(SchedulingContext& context);
void run_best_fit_pass(SchedulingContext& context);
void run_rest_pass(SchedulingContext& context);

}  // namespace splitscope
