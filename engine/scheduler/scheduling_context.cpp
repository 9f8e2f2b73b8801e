// SPDX-License-Identifier: MIT
#include "engine/scheduler/scheduling_context.hpp"

#include <algorithm>

#include "backends/interface/machine_buffers.hpp"
#include "engine/scheduler/messages.hpp"
#include "engine/scheduler/vocabulary.hpp"
#include "engine/support/large_pages.hpp"

namespace splitscope {

SchedulingContext::SchedulingContext(Schedule& schedule, const LiveMachine& live,
                                     const SchedulerPolicy& policy, bool op_offload, bool trace,
                                     const JobContext& job)
    : schedule_(schedule),
      live_(live),
      policy_(policy),
      job_(job),
      stop_check_(job),
      view_(*schedule.graph),
      op_offload_(op_offload),
      trace_(trace),
      cpu_(live.backends.size() - 1),
      type_count_(live.buffer_types.size()) {
    for (Backend* backend : live_.backends) {
        devices_.push_back(&backend->device());
        always_run_.push_back(backend->device().always_supported());
        for (const BufferType* type : live_.buffer_types) {
            takes_.push_back(backend->supports_buffer_type(*type) ? 1 : 0);
        }
    }
    for (const MachineBackend& backend : live_.machine->backends)
        default_types_.push_back(backend.buffer_type);
    used_ = live_.machine->scheduled();
    for (std::size_t b = 0; b < backend_count(); ++b) {
        std::uint32_t readable = 0;
        for (std::size_t other = 0; other < backend_count(); ++other)
            readable |= std::uint32_t{takes(BackendId(b), default_types_[other])} << other;
        reads_results_of_.push_back(readable);
    }
    schedule_.backend.resize(graph().tensors.size());
    ids_.reset(graph().tensors.size());
    schedule_.cause.assign(graph().tensors.size(), {});
    causes_ = schedule_.cause.data();
    if (trace_) reserve_large(schedule_.decisions, graph().tensors.size() + graph().nodes.size());
    find_graph_buffers();
    collect_facts();
    list_computing();
}

SchedulingContext::~SchedulingContext() {
    std::ranges::copy(ids_.of_tensors(), schedule_.backend.begin());
    schedule_.facts = std::move(facts_);
}

void SchedulingContext::find_graph_buffers() {
    const auto buffers = machine_buffers(*live_.machine, graph());
    buffers_.reserve(buffers.size() + 1);
    buffers_.emplace_back();
    weights_.reserve(buffers.size());
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        if (buffers[i] == nullptr) {
            stop(ErrorKind::unknown, msg::kMachineLacksBuffer(graph().buffers[i]), {});
        }
        const MachineBuffer& buffer = *buffers[i];
        const auto number = static_cast<std::size_t>(&buffer - live_.machine->buffers.data());
        BufferFacts& facts = buffers_.emplace_back();
        facts.type = buffer.buffer_type;
        weights_.push_back(buffer.usage == BufferUsage::weights);
        if (number < live_.compute_buffer_of.size()) facts.owner = live_.compute_buffer_of[number];
        graph_buffer_types_.push_back(live_.buffer_types[buffer.buffer_type.index()]);
    }
}

void SchedulingContext::collect_facts() {
    facts_.collect(graph(), policy_.generation, weights_);
    const Vocabulary& known = vocabulary_of(policy_.generation);
    const bool knows_types = std::ranges::all_of(element_types(), [&](const ElementTypeTraits& known_type) {
        return known.types.contains(known_type.type) || !facts_.types.contains(known_type.type);
    });
    if (!knows_types || has(facts_.any, TensorTraits::unknown_op)) stop_unknown(known);
    if (policy_.stops_at_source_hole) leave_out_sources_after_holes();
}

/// Stops at the first tensor that the generation does not know.
void SchedulingContext::stop_unknown(const Vocabulary& known) const {
    for (std::size_t i = 0; i < graph().tensors.size(); ++i) {
        const Tensor& t = graph().tensors[i];
        if (!known.ops.contains(t.op)) {
            stop(ErrorKind::unsupported, msg::kGenerationLacksOp(name_of(policy_.generation), name_of(t.op)),
                 TensorId(i));
        }
        if (!known.types.contains(t.type)) {
            stop(ErrorKind::unsupported,
                 msg::kGenerationLacksType(name_of(policy_.generation), name_of(t.type)), TensorId(i));
        }
    }
}

void SchedulingContext::leave_out_sources_after_holes() {
    for (std::size_t i = 0; i < graph().tensors.size(); ++i) {
        const TensorId t(i);
        auto& [first, second] = facts_.first_sources[t];
        if (!first.valid()) second = {};
        if (second.valid()) continue;
        facts_.traits[t] = without(facts_.traits[t], TensorTraits::more_sources);
    }
}

/// Not inlined: few tensors have more than two.
[[gnu::noinline]] std::span<const TensorId> SchedulingContext::all_sources(TensorId t) const {
    const std::span<const TensorId> sources = graph()[t].src;
    if (!policy_.stops_at_source_hole) return sources;
    const auto hole = std::ranges::find_if_not(sources, &TensorId::valid);
    return sources.first(static_cast<std::size_t>(hole - sources.begin()));
}

void SchedulingContext::list_computing() {
    const auto& nodes = graph().nodes;
    computing_.resize(nodes.size());
    computing_positions_.resize(nodes.size());
    std::size_t count = 0;
    // Without a branch, because view operations follow no pattern.
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        computing_[count] = nodes[i];
        computing_positions_[count] = static_cast<std::uint32_t>(i);
        count += is_view_op(nodes[i]) ? 0 : 1;
    }
    computing_.resize(count);
    computing_positions_.resize(count);
}

void SchedulingContext::refused(const Refusal& refusal) {
    if (!trace_) return;
    pending_.push_back(refusal);
    has_refusals_ = true;
}

void SchedulingContext::refused_later(TensorId t, const Refusal& refusal) {
    if (!trace_) return;
    has_refusals_ = true;
    if (kept_head_.empty()) kept_head_.assign(graph().tensors.size(), -1);
    for (std::int32_t at = kept_head_[t.index()]; at >= 0; at = kept_[static_cast<std::size_t>(at)].next) {
        if (kept_[static_cast<std::size_t>(at)].refusal.backend == refusal.backend) return;
    }
    kept_.push_back({refusal, kept_head_[t.index()]});
    kept_head_[t.index()] = static_cast<std::int32_t>(kept_.size() - 1);
}

void SchedulingContext::append_refusals(Decision& decision) {
    Evidence& evidence = decision.evidence;
    evidence.first_refusal = static_cast<std::uint32_t>(schedule_.refusals.size());
    const auto append = [&](const Refusal& refusal) {
        for (std::size_t i = evidence.first_refusal; i < schedule_.refusals.size(); ++i) {
            if (schedule_.refusals[i].backend == refusal.backend) return;
        }
        schedule_.refusals.push_back(refusal);
    };
    for (const Refusal& refusal : pending_) append(refusal);
    pending_.clear();
    const TensorId t = decision.tensor;
    if (!kept_head_.empty() && t.index() < kept_head_.size()) {
        for (std::int32_t at = kept_head_[t.index()]; at >= 0;
             at = kept_[static_cast<std::size_t>(at)].next) {
            append(kept_[static_cast<std::size_t>(at)].refusal);
        }
    }
    evidence.refusal_count = static_cast<std::uint32_t>(schedule_.refusals.size()) - evidence.first_refusal;
}

void SchedulingContext::end_pass(Pass pass) {
    forget_refusals();
    schedule_.passes.push_back({pass, schedule_.decisions.size()});
    job_.check();
}

void SchedulingContext::stop(ErrorKind kind, Message message, TensorId tensor) const {
    throw SchedulingStop{{kind, std::move(message), tensor, {}}};
}

void SchedulingContext::stop_unplaced(Message message, TensorId tensor) {
    std::vector<Refusal> refusals;
    if (tensor.valid() && tensor.index() < graph().tensors.size()) {
        const BufferTypeId type = memory_type(tensor);
        for (const BackendId backend : used_) {
            const bool refuses_type = type.valid() && !takes(backend, type);
            const OpSupport support = runs(backend, tensor);
            if (refuses_type || !support) refusals.push_back({backend, refuses_type, support});
        }
    }
    throw SchedulingStop{{ErrorKind::no_backend, std::move(message), tensor, std::move(refusals)}};
}

}  // namespace splitscope
