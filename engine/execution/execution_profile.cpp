// SPDX-License-Identifier: MIT
#include "engine/execution/execution_profile.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace splitscope {
namespace {

/// Starts with the event's computing node, if there is one.
TensorId node_of(const Schedule& schedule, const std::vector<TensorId>& nodes, const ExecutionEvent& event) {
    for (std::size_t i = event.first_node; i <= event.last_node && i < nodes.size(); ++i)
        if (!is_view_op(schedule.tensor(nodes[i]).op)) return nodes[i];
    return {};
}

}  // namespace

std::vector<FusedLine> fused_of(const Schedule& schedule, const Execution& execution) {
    std::map<std::pair<std::string, std::size_t>, FusedLine> lines;
    for (std::size_t b = 0; b < execution.work.size(); ++b) {
        if (!execution.work[b]) continue;
        for (const std::vector<TensorId>& nodes : execution.work[b]->fused) {
            std::string steps;
            std::vector<std::string> names;
            for (const TensorId node : nodes) {
                const Tensor& t = schedule.tensor(node);
                steps += (steps.empty() ? "" : " + ") + std::string(name_of(t.op));
                names.push_back(t.name);
            }
            FusedLine& line = lines[{steps, b}];
            if (++line.kernels > 1) continue;
            line.steps = steps;
            line.backend = BackendId(b);
            line.first = std::move(names);
        }
    }
    std::vector<FusedLine> sorted;
    sorted.reserve(lines.size());
    for (auto& [key, line] : lines) sorted.push_back(std::move(line));
    std::ranges::stable_sort(sorted, std::ranges::greater{}, &FusedLine::kernels);
    return sorted;
}

std::vector<ProfileLine> profile_of(const Schedule& schedule, const Execution& execution) {
    const std::vector<TensorId> nodes = nodes_in_order(schedule);
    std::map<std::pair<std::string, BackendId>, ProfileLine> lines;
    for (const ExecutionEvent& event : execution.events) {
        TensorId tensor = event.tensor;
        std::string step = event.kind == ExecutionEventKind::wait ? "waits" : "copies";
        if (event.kind == ExecutionEventKind::compute) {
            tensor = node_of(schedule, nodes, event);
            if (!tensor.valid()) continue;
            step = name_of(schedule.tensor(tensor).op);
        }
        ProfileLine& line = lines[{step, event.backend}];
        line.step = step;
        line.backend = event.backend;
        ++line.count;
        line.bytes += event.bytes;
        const auto time = event.end - event.start;
        line.time += time;
        if (line.slowest.valid() && time <= line.slowest_time) continue;
        line.slowest = tensor;
        line.slowest_time = time;
    }
    std::vector<ProfileLine> sorted;
    sorted.reserve(lines.size());
    for (auto& [key, line] : lines) sorted.push_back(std::move(line));
    std::ranges::stable_sort(sorted, std::ranges::greater{}, &ProfileLine::time);
    return sorted;
}

}  // namespace splitscope
