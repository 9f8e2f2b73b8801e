// SPDX-License-Identifier: MIT
#include "engine/execution/execution_profile.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Starts with the event's computing node, if there is one.
TensorId node_of(const Schedule& schedule, const std::vector<TensorId>& nodes, const ExecutionEvent& event) {
    for (std::size_t i = event.first_node; i <= event.last_node && i < nodes.size(); ++i)
        if (!is_view_op(schedule.tensor(nodes[i]).op)) return nodes[i];
    return {};
}

std::optional<double> sum_of(std::optional<double> a, std::optional<double> b) {
    return a && b ? std::optional(*a + *b) : std::nullopt;
}

StepWork work_of(const GraphView& graph, const std::vector<TensorId>& nodes, const ExecutionEvent& event) {
    if (event.kind != ExecutionEventKind::compute) return {static_cast<double>(event.bytes), std::nullopt};
    StepWork work{0, 0};
    std::size_t computed = 0;
    for (std::size_t i = event.first_node; i <= event.last_node && i < nodes.size(); ++i) {
        if (is_view_op(graph[nodes[i]].op) || is_empty(graph[nodes[i]])) continue;
        const double bytes = node_bytes(graph, nodes[i]);
        work += {++computed > 1 ? std::nullopt : std::optional(bytes), node_flops(graph, nodes[i])};
    }
    return work;
}

}  // namespace

StepWork& StepWork::operator+=(const StepWork& more) {
    bytes = sum_of(bytes, more.bytes);
    flops = sum_of(flops, more.flops);
    return *this;
}

std::optional<double> rate_of(std::optional<double> amount, std::chrono::nanoseconds time) {
    if (!amount || *amount <= 0 || time.count() <= 0) return std::nullopt;
    return *amount / std::chrono::duration<double>(time).count();
}

std::string joined_ops(const GraphView& graph, std::span<const TensorId> nodes) {
    std::string ops;
    for (const TensorId node : nodes)
        ops += (ops.empty() ? "" : " + ") + std::string(name_of(graph[node].op));
    return ops;
}

std::vector<FusedLine> fused_of(const Schedule& schedule, const Execution& execution) {
    const GraphView graph(*schedule.graph);
    std::map<std::pair<std::string, std::size_t>, FusedLine> lines;
    for (std::size_t b = 0; b < execution.work.size(); ++b) {
        if (!execution.work[b]) continue;
        for (const FusedKernel& kernel : execution.work[b]->fused) {
            const std::string steps = joined_ops(graph, kernel.nodes);
            std::vector<std::string> names;
            double flops = 0;
            for (const TensorId node : kernel.nodes) {
                flops += node_flops(graph, node);
                names.push_back(graph[node].name);
            }
            FusedLine& line = lines[{steps, b}];
            line.touched_bytes += kernel.touched_bytes;
            line.flops += flops;
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
    const GraphView graph(*schedule.graph);
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
        const StepWork work = work_of(graph, nodes, event);
        if (++line.count == 1)
            line.work = work;
        else
            line.work += work;
        const auto time = event.end - event.start;
        line.time += time;
        if (line.slowest.valid() && time <= line.slowest_time) continue;
        line.slowest = tensor;
        line.slowest_work = work;
        line.slowest_time = time;
    }
    std::vector<ProfileLine> sorted;
    sorted.reserve(lines.size());
    for (auto& [key, line] : lines) sorted.push_back(std::move(line));
    std::ranges::stable_sort(sorted, std::ranges::greater{}, &ProfileLine::time);
    return sorted;
}

}  // namespace splitscope
