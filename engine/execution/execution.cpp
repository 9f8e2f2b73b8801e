// SPDX-License-Identifier: MIT
#include "engine/execution/execution.hpp"

#include <utility>

#include "engine/execution/messages.hpp"

namespace splitscope {
namespace {

Message message_of(const FailedPlace& place) {
    return place.first == place.last
               ? msg::kPlaceNode(place.split.value, place.backend, place.first)
               : msg::kPlaceNodes(place.split.value, place.backend, place.first, place.last);
}

/// At its place; a node that the cause names already is named once.
Error placed(const Error& cause, const FailedPlace& place) {
    const bool named = place.first == place.last && cause.where() == place.first;
    return named ? Error(cause.kind(), cause.problem(), message_of(place), cause.remedy())
                 : cause.within(message_of(place));
}

}  // namespace

ComputeError::ComputeError(const Error& cause, FailedPlace place)
    : Error(placed(cause, place)), place_(std::move(place)) {}

FailedPlace place_of(const Schedule& schedule, const ExecutionEvent& event, std::span<const TensorId> nodes) {
    FailedPlace place;
    place.split = event.split;
    if (event.backend.valid()) place.backend = schedule.machine->backends[event.backend.index()].name;
    if (event.first_node < nodes.size()) place.first = schedule.tensor(nodes[event.first_node]).name;
    if (event.last_node < nodes.size()) {
        const TensorId last = nodes[event.last_node];
        place.last = schedule.tensor(last).name;
        place.node = TensorIdentities(schedule.graph).of(last);
    }
    return place;
}

std::vector<TensorId> nodes_in_order(const Schedule& schedule) {
    std::vector<TensorId> nodes;
    nodes.reserve(schedule.graph->nodes.size());
    for (const ScheduledItem& item : schedule.nodes) {
        if (!schedule.is_added(item.tensor)) nodes.push_back(item.tensor);
    }
    return nodes;
}

}  // namespace splitscope
