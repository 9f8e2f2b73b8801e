// SPDX-License-Identifier: MIT
#include "engine/scheduler/make_schedule.hpp"

#include <utility>

#include "engine/scheduler/messages.hpp"
#include "engine/scheduler/run_passes.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {
namespace {}  // namespace

std::optional<ScheduleError> why_not_schedulable(const LiveMachine& live, Generation generation) {
    const std::size_t n = live.backends.size();
    if (n == 0 || n > kMaxBackends) {
        return ScheduleError{ErrorKind::limit, msg::kBackendsPossible(n, kMaxBackends), {}, {}};
    }
    if (generation == Generation::g2024_01) return std::nullopt;
    if (live.backends.back()->device().kind() != DeviceKind::cpu) {
        return ScheduleError{ErrorKind::state, msg::kLastBackendNotCpu(live.backends.back()->name()), {}, {}};
    }
    for (std::size_t b = 0; b < n; ++b) {
        const BufferType& type = live.buffer_type_of(BackendId(b));
        if (!live.backends[b]->supports_buffer_type(type)) {
            return ScheduleError{ErrorKind::unsupported,
                                 msg::kBackendRefusesOwnType(live.backends[b]->name(), type.name()),
                                 {},
                                 {{BackendId(b), true, {}}}};
        }
    }
    return std::nullopt;
}

Schedule make_schedule(std::shared_ptr<const Graph> graph, const LiveMachine& live,
                       const ScheduleOptions& options, const JobContext& job) {
    if (auto error = why_not_schedulable(live, options.generation)) {
        Schedule schedule;
        schedule.backend.resize(graph->tensors.size());
        schedule.cause.resize(graph->tensors.size());
        schedule.graph = std::move(graph);
        schedule.machine = live.machine;
        schedule.generation = options.generation;
        schedule.error = std::move(error);
        return schedule;
    }
    SplitSlots slots;
    const SplitCall call{
        .graph = std::move(graph),
        .live = live,
        .generation = options.generation,
        .assignments = live.machine->assignments,
        .op_offload = live.machine->op_offload,
        .n_copies = live.machine->parallel ? scheduler_policy(options.generation).pipeline_copies : 1,
        .current_copy = live.machine->parallel ? options.current_copy : 0,
        .trace = options.trace,
        .ends_full_splits = options.ends_full_splits};
    return run_passes(call, slots, job);
}

}  // namespace splitscope
