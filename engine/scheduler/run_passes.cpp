// SPDX-License-Identifier: MIT
#include "engine/scheduler/run_passes.hpp"

namespace splitscope {

Schedule run_passes(const SplitCall& call, SplitSlots& slots, const JobContext& job) {
    SchedulerPolicy policy = scheduler_policy(call.generation);
    policy.opens_split_when_full = policy.opens_split_when_full && call.ends_full_splits;
    Schedule schedule;
    schedule.graph = call.graph;
    schedule.machine = call.live.machine;
    schedule.generation = call.generation;
    schedule.n_copies = call.n_copies;
    schedule.current_copy = call.current_copy;
    try {
        SchedulingContext context(schedule, call.live, policy, call.op_offload, call.trace, job);
        run_user_assignments(context, call.assignments);
        run_fixed_pass(context);
        run_spread_pass(context);
        if (policy.has_best_fit_pass) run_best_fit_pass(context);
        run_rest_pass(context);
        CopyTable copies(call.graph->tensors.size());
        run_split_pass(context, slots, copies);
        build_schedule_graph(context, copies);
    } catch (SchedulingStop& stop) {
        schedule.error = std::move(stop.error);
    }
    return schedule;
}

}  // namespace splitscope
