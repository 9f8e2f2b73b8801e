// SPDX-License-Identifier: MIT
#include "engine/scheduler/recorded_schedule.hpp"

#include <algorithm>
#include <tuple>

#include "engine/scheduler/split_pass.hpp"

namespace splitscope {
namespace {

/// Splits that contain every node once, in order.
bool holds_all(const std::vector<Split>& splits, std::size_t nodes) {
    std::size_t end = 0;
    for (const Split& split : splits) {
        if (split.start != end || split.end < split.start || !split.backend.valid()) return false;
        end = split.end;
    }
    return !splits.empty() && end == nodes;
}

class RecordedPasses {
 public:
    RecordedPasses(SchedulingContext& context, const RecordedSchedule& recorded)
        : context_(context), schedule_(context.schedule()), recorded_(recorded) {}

    void run() {
        const bool known = holds_all(recorded_.splits, context_.graph().nodes.size());
        place(known);
        context_.end_pass(Pass::user);
        CopyTable copies(context_.graph().tensors.size());
        if (known) {
            schedule_.rewired_row.assign(context_.graph().tensors.size(), -1);
            schedule_.splits = recorded_.splits;
            for (const Split& split : schedule_.splits) copy_inputs(split, copies);
            for (const Split& split : schedule_.splits) rewire_split(split, copies);
            std::ranges::sort(schedule_.rewired, {},
                              [](const RewiredSource& r) { return std::tuple(r.node, r.slot); });
            context_.end_pass(context_.policy().split_pass);
        } else {
            SplitSlots slots;
            run_split_pass(context_, slots, copies);
        }
        build_schedule_graph(context_, copies);
    }

 private:
    void place(bool splits_known) {
        const Graph& graph = context_.graph();
        std::vector<BackendId> backend(graph.tensors.size(), context_.cpu());
        if (splits_known) {
            for (const Split& split : recorded_.splits) {
                for (std::size_t n = split.start; n < split.end; ++n)
                    backend[graph.nodes[n].index()] = split.backend;
            }
        }
        for (std::size_t t = 0; t < std::min(recorded_.backend.size(), backend.size()); ++t) {
            if (recorded_.backend[t].valid()) backend[t] = recorded_.backend[t];
        }
        for (std::size_t t = 0; t < backend.size(); ++t) {
            context_.step();
            context_.decide(Pass::user, TensorId(t), backend[t], {});
        }
    }

    void copy_inputs(const Split& split, CopyTable& copies) {
        for (const TensorId input : split.inputs) {
            if (copies.find(input, split.backend) != nullptr) continue;
            copies.add(input, split.backend, add_copies(context_, input, split.backend));
        }
    }

    /// Nodes of a split read the copies on its backend of tensors located elsewhere.
    void rewire_split(const Split& split, const CopyTable& copies) {
        for (std::size_t n = split.start; n < split.end; ++n) {
            const TensorId node = context_.graph().nodes[n];
            context_.step();
            if (context_.is_view_op(node)) continue;
            for (std::size_t slot = 0; slot < kMaxSources; ++slot) {
                const TensorId source = context_.graph()[node].src[slot];
                if (!source.valid() || context_.id(source) == split.backend) continue;
                const CopyTable::Copies* made = copies.find(source, split.backend);
                if (made != nullptr)
                    rewire(schedule_, node, static_cast<std::uint8_t>(slot), source, made->front());
            }
        }
    }

    SchedulingContext& context_;
    Schedule& schedule_;
    const RecordedSchedule& recorded_;
};

}  // namespace

Schedule schedule_as_recorded(std::shared_ptr<const Graph> graph, const LiveMachine& live,
                              Generation generation, const RecordedSchedule& recorded,
                              const JobContext& job) {
    Schedule schedule;
    schedule.graph = std::move(graph);
    schedule.machine = live.machine;
    schedule.generation = generation;
    schedule.n_copies = std::clamp(recorded.n_copies, 1, static_cast<int>(kMaxPipelineCopies));
    try {
        SchedulingContext context(schedule, live, scheduler_policy(generation), live.machine->op_offload,
                                  true, job);
        RecordedPasses(context, recorded).run();
    } catch (SchedulingStop& stop) {
        schedule.error = std::move(stop.error);
    }
    return schedule;
}

}  // namespace splitscope
