// SPDX-License-Identifier: MIT
// Pass 2: backends spread to unassigned neighbours in four sweeps (scheduler.md §3.3, §10).
#include "engine/scheduler/scheduling_context.hpp"

namespace splitscope {
namespace {

void sweep(SchedulingContext& context, const SweepPolicy& sweep) {
    const auto& nodes = context.graph().nodes;
    BackendId current;
    TensorId carrier;
    const auto node_at = [&](std::size_t step) {
        return nodes[sweep.upwards ? nodes.size() - 1 - step : step];
    };
    for (std::size_t step = 0; step < nodes.size(); ++step) {
        context.step();
        if (step + kPrefetchAhead < nodes.size()) context.prefetch_tensor(node_at(step + kPrefetchAhead));
        const TensorId node = node_at(step);
        if (context.is_view_op(node)) continue;
        if (const BackendId assigned = context.id(node); assigned.valid()) {
            const bool ends_spread = sweep.stops_at_cpu && assigned == context.cpu();
            current = ends_spread ? BackendId() : assigned;
            carrier = ends_spread ? TensorId() : node;
            continue;
        }
        if (context.policy().sweeps_ask_support) {
            if (!current.valid()) continue;
            const OpSupport support = context.runs(current, node);
            if (!support) {
                // The spread skips the node.
                context.refused_later(node, {current, false, support});
                continue;
            }
        }
        Evidence evidence;
        evidence.via = carrier;
        context.decide(sweep.pass, node, current, {sweep.cause, 0}, evidence);
    }
    context.end_pass(sweep.pass);
}

}  // namespace

void run_spread_pass(SchedulingContext& context) {
    for (const SweepPolicy& policy : context.policy().sweeps) sweep(context, policy);
}

}  // namespace splitscope
