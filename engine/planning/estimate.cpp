// SPDX-License-Identifier: MIT
#include "engine/planning/estimate.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

bool is_reduced(ElementType type) {
    return type != ElementType::f32 && type != ElementType::i32;
}

}  // namespace

std::string EstimateAssumptions::text() const {
    return fmt::format(
        "memory at {:.0f} %, matrix units at {:.0f} % and links at {:.0f} % of their published rates; {:.0f} "
        "µs "
        "per operation on a device, {:.0f} µs per split; splits one after another",
        bandwidth_share * 100, flops_share * 100, link_share * 100, node_seconds * 1e6, split_seconds * 1e6);
}

double input_bytes_copied(const Schedule& schedule, const Split& split, TensorId input) {
    const Graph& graph = *schedule.graph;
    const auto bytes = static_cast<double>(byte_size(graph[input]));
    if (graph[input].ne[2] <= 1 || !graph[input].buffer.valid() || split.start >= graph.nodes.size())
        return bytes;
    // Only the first operation of a split knows the experts before they are copied.
    const GraphView view(graph);
    const TensorId first = graph.nodes[split.start];
    const bool reads_experts = view[first].op == Op::mul_mat_id && view.sources(first)[0] == input;
    return reads_experts ? bytes * chosen_share(view, first) : bytes;
}

double node_time(const GraphView& graph, TensorId node, const DeviceFacts& device, bool host,
                 const EstimateAssumptions& assumptions) {
    const TensorId weight = graph.sources(node)[0];
    const bool reduced = weight.valid() && is_reduced(graph[weight].type);
    const double rate =
        (reduced && device.flops_f16 > 0 ? device.flops_f16 : device.flops_f32) * assumptions.flops_share;
    const double reading = node_bytes(graph, node) / (device.memory_bandwidth * assumptions.bandwidth_share);
    return std::max(reading, node_flops(graph, node) / rate) + (host ? 0.0 : assumptions.node_seconds);
}

Estimate estimate(const Schedule& schedule, const Hardware& hardware,
                  const EstimateAssumptions& assumptions) {
    Estimate out;
    if (schedule.error) return out;
    out.known = true;
    const Graph& graph = *schedule.graph;
    const GraphView view(graph);
    const BackendId cpu(hardware.machine.backends.size() - 1);
    for (std::size_t s = 0; s < schedule.splits.size(); ++s) {
        const Split& split = schedule.splits[s];
        const DeviceFacts* device = hardware.facts(split.backend);
        if (device == nullptr || device->memory_bandwidth <= 0 || device->flops_f32 <= 0) {
            out.known = false;
            return out;
        }
        SplitCost cost;
        cost.split = SplitId(s);
        for (const TensorId input : split.inputs) {
            double link = split.backend == cpu ? 0 : device->link_bandwidth;
            const BackendId from = schedule.backend[input.index()];
            const DeviceFacts* other = from.valid() && from != cpu ? hardware.facts(from) : nullptr;
            if (other != nullptr && other->link_bandwidth > 0)
                link = link > 0 ? std::min(link, other->link_bandwidth) : other->link_bandwidth;
            if (link > 0)
                cost.copy_seconds +=
                    input_bytes_copied(schedule, split, input) / (link * assumptions.link_share);
        }
        for (std::size_t p = split.start; p < split.end; ++p) {
            const TensorId node = graph.nodes[p];
            if (is_view_op(view[node].op)) continue;
            const bool host = split.backend == cpu;
            cost.compute_seconds += node_time(view, node, *device, host, assumptions);
            out.slow_start_seconds += assumptions.slow_node_seconds - (host ? 0.0 : assumptions.node_seconds);
        }
        out.copy_seconds += cost.copy_seconds;
        out.seconds += cost.copy_seconds + cost.compute_seconds + assumptions.split_seconds;
        out.splits.push_back(cost);
    }
    return out;
}

}  // namespace splitscope
