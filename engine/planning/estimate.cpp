// SPDX-License-Identifier: MIT
#include "engine/planning/estimate.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/planning/messages.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

bool is_reduced(ElementType type) {
    return type != ElementType::f32 && type != ElementType::i32;
}

}  // namespace

Message EstimateAssumptions::described() const {
    const auto percent = [](double share) { return Decimal{share * 100, 0}; };
    const auto microseconds = [](double seconds) { return Decimal{seconds * 1e6, 0}; };
    return msg::kPublishedRates(percent(bandwidth_share), percent(flops_share), percent(link_share),
                                microseconds(node_seconds), microseconds(split_seconds));
}

Message EstimateAssumptions::described(const Hardware& hardware) const {
    std::vector<std::string_view> measured;
    for (std::size_t b = 0; b < hardware.devices.size() && b < hardware.machine.backends.size(); ++b)
        if (hardware.devices[b].measured) measured.push_back(hardware.machine.backends[b].name);
    if (measured.empty()) return described();
    const std::string names = fmt::format("{}", fmt::join(measured, ", "));
    if (measured.size() == hardware.machine.backends.size())
        return msg::kMeasuredRates(names, Decimal{split_seconds * 1e6, 0});
    return msg::kSomeMeasuredRates(names, described());
}

double EstimateAssumptions::memory_rate(const DeviceFacts& device) const {
    return device.memory_bandwidth * (device.measured ? 1 : bandwidth_share);
}

double EstimateAssumptions::weight_rate(const DeviceFacts& device, ElementType type) const {
    const auto found = device.weight_bandwidth.find(type);
    const bool known = device.measured && found != device.weight_bandwidth.end();
    return known ? found->second : memory_rate(device);
}

double EstimateAssumptions::link_rate(const DeviceFacts& device) const {
    return device.link_bandwidth * (device.measured ? 1 : link_share);
}

double EstimateAssumptions::flops_rate(const DeviceFacts& device, bool reduced) const {
    return (reduced && device.flops_f16 > 0 ? device.flops_f16 : device.flops_f32) *
           (device.measured ? 1 : flops_share);
}

double EstimateAssumptions::start_seconds(const DeviceFacts& device, bool host) const {
    if (device.measured) return device.node_seconds;
    return host ? 0 : node_seconds;
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
    return reads_experts ? bytes * selected_fraction(view, first) : bytes;
}

double node_time(const GraphView& graph, TensorId node, const DeviceFacts& device, bool host,
                 const EstimateAssumptions& assumptions) {
    const TensorId weight = graph.sources(node)[0];
    const bool reduced = weight.valid() && is_reduced(graph[weight].type);
    const Op op = graph[node].op;
    const bool product = weight.valid() && (op == Op::mul_mat || op == Op::mul_mat_id);
    const double rate =
        product ? assumptions.weight_rate(device, graph[weight].type) : assumptions.memory_rate(device);
    const double reading = node_bytes(graph, node) / rate;
    const double computing = node_flops(graph, node) / assumptions.flops_rate(device, reduced);
    return std::max(reading, computing) + assumptions.start_seconds(device, host);
}

namespace {

/// Link of two devices, null = the host.
double copy_time(double bytes, const DeviceFacts* from, const DeviceFacts* to,
                 const EstimateAssumptions& assumptions) {
    const auto time = [&](const DeviceFacts* device) {
        const double rate = device == nullptr ? 0 : assumptions.link_rate(*device);
        return device == nullptr ? 0 : device->link_latency + (rate > 0 ? bytes / rate : 0);
    };
    const bool network = from != nullptr && to != nullptr && from->link_latency > 0 && to->link_latency > 0;
    return network ? time(from) + time(to) : std::max(time(from), time(to));
}

}  // namespace

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
            const BackendId from = schedule.backend[input.index()];
            cost.copy_seconds += copy_time(input_bytes_copied(schedule, split, input),
                                           from.valid() && from != cpu ? hardware.facts(from) : nullptr,
                                           split.backend == cpu ? nullptr : device, assumptions);
        }
        for (std::size_t p = split.start; p < split.end; ++p) {
            const TensorId node = graph.nodes[p];
            if (is_view_op(view[node].op)) continue;
            const bool host = split.backend == cpu;
            cost.compute_seconds += node_time(view, node, *device, host, assumptions);
            if (!device->measured)
                out.slow_start_seconds +=
                    assumptions.slow_node_seconds - (host ? 0.0 : assumptions.node_seconds);
        }
        // The graph is sent to its device.
        cost.compute_seconds += device->link_latency;
        out.copy_seconds += cost.copy_seconds;
        out.seconds += cost.copy_seconds + cost.compute_seconds + assumptions.split_seconds;
        out.splits.push_back(cost);
    }
    // Nobody waits that long, and the nanoseconds would not fit 64 bits.
    constexpr double kLongest = 1e9;
    if (!(out.seconds <= kLongest)) return {};
    return out;
}

}  // namespace splitscope
