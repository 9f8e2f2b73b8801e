// SPDX-License-Identifier: MIT
// The pass for unassigned views and sources (scheduler.md §3.5; the third pass of 2024-01).

#include "engine/scheduler/messages.hpp"
#include "engine/scheduler/scheduling_context.hpp"

namespace splitscope {
namespace {

void take_viewed_backend(SchedulingContext& context, TensorId view, std::int8_t slot) {
    const SchedulerPolicy& policy = context.policy();
    Evidence evidence;
    evidence.via = context.view_src(view);
    evidence.source_slot = slot;
    context.decide(policy.rest_pass, view, context.id(evidence.via), {policy.view_cause, 0}, evidence);
}

void assign_sources(SchedulingContext& context, TensorId node) {
    const SchedulerPolicy& policy = context.policy();
    const auto sources = context.sources(node);
    for (std::size_t j = 0; j < sources.size(); ++j) {
        const TensorId source = sources[j];
        if (!source.valid() || context.id(source).valid()) continue;
        if (context.is_view(source)) {
            take_viewed_backend(context, source, static_cast<std::int8_t>(j));
            continue;
        }
        Evidence evidence;
        evidence.via = node;
        evidence.source_slot = static_cast<std::int8_t>(j);
        context.decide(policy.rest_pass, source, context.id(node), {policy.reader_cause, 0}, evidence);
    }
}

void fall_back(SchedulingContext& context, TensorId node) {
    for (const BackendId backend : context.backends()) {
        const OpSupport support = context.runs(backend, node);
        if (support) {
            context.decide(context.policy().rest_pass, node, backend, {CauseKind::sup, 0});
            return;
        }
        context.refused_later(node, {backend, false, support});
    }
    context.stop_unplaced(
        msg::kNoBackendSupports(name_of(context.graph()[node].op), context.graph()[node].name), node);
}

/// Not inlined: most nodes and their sources are assigned already.
[[gnu::noinline]] void assign_rest(SchedulingContext& context, TensorId node) {
    if (context.is_view(node) && !context.id(node).valid()) take_viewed_backend(context, node, -1);
    assign_sources(context, node);
    if (context.policy().falls_back_to_first_supporter && !context.id(node).valid()) fall_back(context, node);
}

}  // namespace

void run_rest_pass(SchedulingContext& context) {
    context.for_each(context.graph().nodes, [&](TensorId node) {
        if (!context.all_assigned(node)) assign_rest(context, node);
    });
    context.end_pass(context.policy().rest_pass);
}

}  // namespace splitscope
