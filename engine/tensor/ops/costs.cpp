// SPDX-License-Identifier: MIT
#include "engine/tensor/ops/costs.hpp"

#include <algorithm>

#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

double elements(const Tensor& t) {
    return is_empty(t) ? 0.0 : static_cast<double>(element_count(t));
}

const Tensor* source_of(const GraphView& graph, TensorId node, std::size_t i) {
    const TensorId source = graph.sources(node)[i];
    return source.valid() ? &graph[source] : nullptr;
}

double bytes_of(const Tensor* t) {
    return t == nullptr ? 0.0 : static_cast<double>(element_bytes(*t));
}

/// All bytes of result and sources, but only a share of those of source `part`.
double bytes_with_share(const GraphView& graph, TensorId node, std::size_t part, double share) {
    double bytes = bytes_of(&graph[node]);
    for (std::size_t i = 0; i < kMaxSources; ++i)
        bytes += (i == part ? share : 1.0) * bytes_of(source_of(graph, node, i));
    return bytes;
}

/// The share of a tensor's rows that `count` indices select.
double share_of_rows(const Tensor* t, double count) {
    return t == nullptr || is_empty(*t) ? 0.0 : std::min(1.0, count / static_cast<double>(row_count(*t)));
}

/// As bytes_with_share(), with the rows of source `table` that source `indices` selects.
double bytes_with_rows(const GraphView& graph, TensorId node, std::size_t table, std::size_t indices) {
    const Tensor* const ids = source_of(graph, node, indices);
    const double count = ids == nullptr ? 0.0 : elements(*ids);
    return bytes_with_share(graph, node, table, share_of_rows(source_of(graph, node, table), count));
}

}  // namespace

double selected_fraction(const GraphView& graph, TensorId node) {
    const Tensor* const stack = source_of(graph, node, 0);
    const Tensor* const ids = source_of(graph, node, 2);
    if (stack == nullptr || ids == nullptr) return 1.0;
    const auto experts = static_cast<double>(std::max<std::int64_t>(stack->ne[2], 1));
    return std::min(1.0, static_cast<double>(element_count(*ids)) / experts);
}

double op_costs::no_flops(const GraphView& /*graph*/, TensorId /*node*/) {
    return 0;
}

double op_costs::per_element(const GraphView& graph, TensorId node) {
    return elements(graph[node]);
}

double op_costs::attention(const GraphView& graph, TensorId node) {
    const Tensor* const q = source_of(graph, node, 0);
    const Tensor* const k = source_of(graph, node, 1);
    const Tensor* const v = source_of(graph, node, 2);
    if (q == nullptr || k == nullptr || v == nullptr) return 0;
    // Each may be near 2^63: the integer sum would overflow.
    const double widths = static_cast<double>(q->ne[0]) + static_cast<double>(v->ne[0]);
    return 2.0 * static_cast<double>(row_count(*q)) * static_cast<double>(k->ne[1]) * widths;
}

double op_costs::convolution(const GraphView& graph, TensorId node) {
    const Tensor* const kernel = source_of(graph, node, 0);
    if (kernel == nullptr || kernel->ne[3] == 0) return 0;
    return 2.0 * elements(graph[node]) * elements(*kernel) / static_cast<double>(kernel->ne[3]);
}

double op_costs::product_of(const GraphView& graph, TensorId node, std::size_t ne) {
    const Tensor* const first = source_of(graph, node, 0);
    return first == nullptr ? 0 : 2.0 * elements(graph[node]) * static_cast<double>(first->ne[ne]);
}

double op_costs::no_bytes(const GraphView& /*graph*/, TensorId /*node*/) {
    return 0;
}

double op_costs::all_bytes(const GraphView& graph, TensorId node) {
    return bytes_with_share(graph, node, 0, 1.0);
}

double op_costs::copied(const GraphView& graph, TensorId node) {
    return bytes_of(&graph[node]) + bytes_of(source_of(graph, node, 0));
}

double op_costs::gathered(const GraphView& graph, TensorId node) {
    return bytes_with_rows(graph, node, 0, 1);
}

double op_costs::biased_rows(const GraphView& graph, TensorId node) {
    return bytes_with_rows(graph, node, 1, 2);
}

double op_costs::scattered(const GraphView& graph, TensorId node) {
    const Tensor* const rows = source_of(graph, node, 0);
    if (rows == nullptr) return 0;
    const double share = share_of_rows(&graph[node], static_cast<double>(row_count(*rows)));
    return bytes_of(rows) + bytes_of(source_of(graph, node, 1)) + share * bytes_of(&graph[node]);
}

double op_costs::chosen_experts(const GraphView& graph, TensorId node) {
    return bytes_with_share(graph, node, 0, selected_fraction(graph, node));
}

}  // namespace splitscope
