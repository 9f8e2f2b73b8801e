// SPDX-License-Identifier: MIT
#include "engine/scheduler/split_copies.hpp"

#include <utility>

#include <fmt/format.h>

namespace splitscope {

TensorId add_copy(SchedulingContext& context, TensorId source, BackendId backend, int number) {
    Schedule& schedule = context.schedule();
    const SchedulerPolicy& policy = context.policy();
    const Tensor& original = context.graph()[source];
    const std::string& on = context.live().backends[backend.index()]->name();
    Tensor copy;
    copy.name = cut_name(policy.numbers_copies ? fmt::format("{}#{}#{}", on, original.name, number)
                                               : fmt::format("{}#{}", on, original.name));
    copy.type = original.type;
    copy.ne = original.ne;
    copy.nb = original.nb;
    if (schedule.n_copies > 1) copy.flags = TensorFlags::input | TensorFlags::output;
    // Without dependency views, the copy itself keeps the original alive.
    if (!policy.has_dependency_views) copy.src[0] = source;
    const TensorId id(context.graph().tensors.size() + schedule.added.size());
    schedule.added.push_back(std::move(copy));
    schedule.added_info.push_back({AddedTensor::Kind::copy, source, backend, number});
    Evidence evidence;
    evidence.via = source;
    context.decide_added(policy.split_pass, id, backend, {CauseKind::cpy, 0}, evidence);
    return id;
}

CopyTable::Copies add_copies(SchedulingContext& context, TensorId source, BackendId backend) {
    CopyTable::Copies copies{};
    for (int c = 0; c < context.schedule().n_copies; ++c)
        copies[static_cast<std::size_t>(c)] = add_copy(context, source, backend, c);
    return copies;
}

void rewire(Schedule& schedule, TensorId node, std::uint8_t slot, TensorId original, TensorId copy) {
    std::int32_t& row = schedule.rewired_row[node.index()];
    if (row < 0) {
        row = static_cast<std::int32_t>(schedule.rewired_sources.size());
        schedule.rewired_sources.push_back((*schedule.graph)[node].src);
    }
    schedule.rewired_sources[static_cast<std::size_t>(row)][slot] = copy;
    schedule.rewired.push_back({node, slot, original, copy});
}

}  // namespace splitscope
