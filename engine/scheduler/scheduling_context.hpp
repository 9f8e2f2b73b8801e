// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "backends/interface/live_machine.hpp"
#include "engine/scheduler/policy.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/scheduler/vocabulary.hpp"
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
    Op op(TensorId t) const { return facts(t).op; }
    bool is_view_op(TensorId t) const { return splitscope::is_view_op(facts(t).op); }
    bool is_view(TensorId t) const { return facts(t).is_view(); }
    TensorId view_src(TensorId t) const { return facts(t).view_src; }
    /// Type of the tensor's own buffer; none if it has no buffer.
    BufferTypeId own_type(TensorId t) const { return buffer_of(t).type; }
    /// As own_type(), of the base for a view.
    BufferTypeId memory_type(TensorId t) const { return own_type(is_view(t) ? view_src(t) : t); }
    bool in_weights_buffer(TensorId t) const { return buffer_of(t).weights; }
    /// The backend in whose compute buffer the tensor is, if any.
    BackendId compute_buffer_owner(TensorId t) const { return buffer_of(t).owner; }
    bool is_input(TensorId t) const { return has_flag(facts(t).flags, TensorFlags::input); }
    /// Whether neither a buffer nor a flag fixes the backend of the tensor or of the one it views.
    bool is_free(TensorId t) const { return !own_type(t).valid() && !memory_type(t).valid() && !is_input(t); }
    /// Source slots that this generation considers; may contain holes.
    std::span<const TensorId> sources(TensorId t) const {
        const TensorFacts& f = facts(t);
        return {f.has_more_sources() ? graph()[t].src.data() : f.first_sources.data(), f.source_slots};
    }
    /// Whether `holds` is true of the tensor and each of its sources. The first two are tested without a
    /// branch for each; few tensors have more.
    template <class Holds>
    bool all_of_node(TensorId t, const Holds& holds) const {
        const TensorFacts& f = facts(t);
        const auto or_itself = [t](TensorId source) {
            const std::int32_t missing = source.value >> 31;
            return TensorId((source.value & ~missing) | (t.value & missing));
        };
        bool all = (int{holds(t)} & int{holds(or_itself(f.first_sources[0]))} &
                    int{holds(or_itself(f.first_sources[1]))}) != 0;
        if (f.has_more_sources()) {
            for (const TensorId source : sources(t)) all = all && (!source.valid() || holds(source));
        }
        return all;
    }
    /// The nodes that are not view operations, in order, and their positions in Graph::nodes.
    std::span<const TensorId> computing() const { return computing_; }
    std::span<const std::uint32_t> computing_positions() const { return computing_positions_; }

    // Questions ---------------------------------------------------------------------------------------------
    bool takes(BackendId b, BufferTypeId type) const {
        return takes_[b.index() * type_count_ + type.index()] != 0;
    }
    BufferTypeId default_type(BackendId b) const { return default_types_[b.index()]; }
    OpSupport runs(BackendId b, TensorId t) const {
        if (always_run_[b.index()].contains(facts(t).op)) return {};
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
    BackendId id(TensorId t) const { return ids_[t.index()]; }
    /// About a tensor of the graph. Inline, so that the evidence is constructed in place.
    [[gnu::always_inline]] void decide(Pass pass, TensorId t, BackendId to, Cause cause,
                                       const Evidence& evidence = {}) {
        const BackendId from = std::exchange(ids_[t.index()], to);
        // Generation 2024-01 records no cause for user assignments.
        if (cause.kind != CauseKind::none) causes_[t.index()] = cause;
        if (trace_) record({pass, cause, t, from, to, evidence});
    }
    /// About a tensor that the schedule added.
    void decide_added(Pass pass, TensorId t, BackendId to, Cause cause, const Evidence& evidence) {
        if (trace_) record({pass, cause, t, {}, to, evidence});
    }
    void end_pass(Pass pass);

    /// Records a refusal as evidence of the next decision.
    void refused(const Refusal& refusal) {
        if (!trace_) return;
        pending_.push_back(refusal);
        has_refusals_ = true;
    }
    /// Records a refusal for a later decision on this node.
    void refused_later(TensorId t, const Refusal& refusal);
    void forget_refusals() { pending_.clear(); }

    [[noreturn]] void stop(ErrorKind kind, Message message, TensorId tensor) const;
    /// As stop(), with the answer of every backend about the tensor.
    [[noreturn]] void stop_unplaced(Message message, TensorId tensor);
    /// Call once per node of a pass. Throws Cancelled.
    void step() { stop_check_.step(); }

 private:
    /// Of a buffer of the graph.
    struct BufferFacts {
        BufferTypeId type;
        BackendId owner;  ///< whose compute buffer it is, if any
        bool weights = false;
    };
    struct KeptRefusal {
        Refusal refusal;
        std::int32_t next;
    };

    const TensorFacts& facts(TensorId t) const { return facts_[t.index()]; }
    const BufferFacts& buffer_of(TensorId t) const {
        return buffers_[static_cast<std::size_t>(facts(t).buffer.value + 1)];
    }
    void find_graph_buffers();
    void collect_facts();
    void stop_unknown(const Vocabulary& known) const;
    void leave_out_sources_after_holes();
    void list_computing();
    [[gnu::always_inline]] void record(const Decision& decision) {
        schedule_.decisions.push_back(decision);
        if (has_refusals_) append_refusals(schedule_.decisions.back());
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
    BackendId* ids_ = nullptr;  ///< of the schedule, as are causes_ and facts_
    Cause* causes_ = nullptr;
    const TensorFacts* facts_ = nullptr;
    std::vector<BackendId> used_;
    std::size_t type_count_ = 0;
    std::vector<TensorId> computing_;
    std::vector<std::uint32_t> computing_positions_;
    std::vector<const Device*> devices_;
    std::vector<OpSet> always_run_;  ///< by backend
    std::vector<const BufferType*> graph_buffer_types_;
    std::vector<BufferFacts> buffers_;  ///< "none", then the graph's
    std::vector<std::uint8_t> takes_;   ///< [backend][buffer type]
    std::vector<BufferTypeId> default_types_;
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
