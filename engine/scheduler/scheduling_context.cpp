// SPDX-License-Identifier: MIT
#include "engine/scheduler/scheduling_context.hpp"

#include <string>

#include "backends/interface/machine_buffers.hpp"
#include "engine/scheduler/messages.hpp"
#include "engine/scheduler/vocabulary.hpp"
#include "engine/support/large_pages.hpp"
#include "engine/tensor/source_list.hpp"

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
      trace_(trace) {
    for (Backend* backend : live_.backends) {
        devices_.push_back(&backend->device());
        for (const BufferType* type : live_.buffer_types) {
            takes_.push_back(backend->supports_buffer_type(*type) ? 1 : 0);
        }
    }
    for (const MachineBackend& backend : live_.machine->backends)
        default_types_.push_back(backend.buffer_type);
    schedule_.backend.assign(graph().tensors.size(), {});
    schedule_.cause.assign(graph().tensors.size(), {});
    if (trace_) reserve_large(schedule_.decisions, graph().tensors.size() + graph().nodes.size());
    collect_facts();
    list_computing();
}

std::vector<SchedulingContext::BufferFacts> SchedulingContext::find_graph_buffers() {
    std::vector<BufferFacts> facts;
    const auto buffers = machine_buffers(*live_.machine, graph());
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        if (buffers[i] == nullptr) {
            stop(ErrorKind::unknown, msg::kMachineLacksBuffer(graph().buffers[i]), {});
        }
        const MachineBuffer& buffer = *buffers[i];
        const auto number = static_cast<std::size_t>(&buffer - live_.machine->buffers.data());
        facts.push_back(
            {static_cast<std::int16_t>(buffer.buffer_type.value), buffer.usage == BufferUsage::weights});
        graph_buffer_types_.push_back(live_.buffer_types[buffer.buffer_type.index()]);
        buffer_owners_.push_back(number < live_.compute_buffer_of.size() ? live_.compute_buffer_of[number]
                                                                         : BackendId());
    }
    return facts;
}

void SchedulingContext::collect_facts() {
    const std::vector<BufferFacts> buffers = find_graph_buffers();
    const Vocabulary& known = vocabulary_of(policy_.generation);
    const std::size_t count = graph().tensors.size();
    reserve_large(facts_, count);
    facts_.resize(count);
    SourceList sources(sources_, count);
    for (std::size_t i = 0; i < count; ++i) {
        if (i + kPrefetchAhead < count) prefetch(graph().tensors[i + kPrefetchAhead]);
        const Tensor& t = graph().tensors[i];
        Facts& facts = facts_[i];
        facts.view_src = t.view_src.value;
        facts.view_op = splitscope::is_view_op(t.op);
        if (t.buffer.valid()) {
            facts.own_type = buffers[t.buffer.index()].type;
            facts.weights = buffers[t.buffer.index()].weights;
        }
        facts.input = t.is_input();
        facts.first_source = static_cast<std::uint32_t>(sources.size());
        facts.source_end =
            static_cast<std::uint8_t>(sources.append_until_last(t.src, policy_.stops_at_source_hole));
        for (std::size_t s = 0; s < facts.near_sources.size(); ++s) {
            const bool present = s < facts.source_end && t.src[s].valid();
            facts.near_sources[s] = present ? t.src[s] : TensorId(i);
        }
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

void SchedulingContext::list_computing() {
    const auto& nodes = graph().nodes;
    computing_.resize(nodes.size());
    std::size_t count = 0;
    // Without a branch, because view operations follow no pattern.
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        computing_[count] = static_cast<std::uint32_t>(i);
        count += is_view_op(nodes[i]) ? 0 : 1;
    }
    computing_.resize(count);
}

void SchedulingContext::refused_later(TensorId t, const Refusal& refusal) {
    if (!trace_) return;
    if (kept_head_.empty()) kept_head_.assign(graph().tensors.size(), -1);
    for (std::int32_t at = kept_head_[t.index()]; at >= 0; at = kept_[static_cast<std::size_t>(at)].next) {
        if (kept_[static_cast<std::size_t>(at)].refusal.backend == refusal.backend) return;
    }
    kept_.push_back({refusal, kept_head_[t.index()]});
    kept_head_[t.index()] = static_cast<std::int32_t>(kept_.size() - 1);
}

void SchedulingContext::append_refusals(Decision& decision) {
    Evidence& evidence = decision.evidence;
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

void SchedulingContext::stop(ErrorKind kind, Message message, TensorId tensor) {
    throw SchedulingStop{{kind, std::move(message), tensor, {}}};
}

void SchedulingContext::stop_unplaced(Message message, TensorId tensor) {
    std::vector<Refusal> refusals;
    if (tensor.valid() && tensor.index() < graph().tensors.size()) {
        const BufferTypeId type = memory_type(tensor);
        for (std::size_t b = 0; b < backend_count(); ++b) {
            const BackendId backend(b);
            const bool refuses_type = type.valid() && !takes(backend, type);
            const OpSupport support = runs(backend, tensor);
            if (refuses_type || !support) refusals.push_back({backend, refuses_type, support});
        }
    }
    throw SchedulingStop{{ErrorKind::no_backend, std::move(message), tensor, std::move(refusals)}};
}

}  // namespace splitscope
