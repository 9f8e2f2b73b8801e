// SPDX-License-Identifier: MIT
// FLOPs and bytes of a node, for the columns of the table in op_facts.cpp.
#pragma once

#include <cstddef>

#include "engine/tensor/graph_view.hpp"

namespace splitscope::op_costs {

double no_flops(const GraphView& graph, TensorId node);
double per_element(const GraphView& graph, TensorId node);
double attention(const GraphView& graph, TensorId node);
double convolution(const GraphView& graph, TensorId node);
/// 2 · elements of the result · dimension `ne` of the first source.
double product_of(const GraphView& graph, TensorId node, std::size_t ne);
template <std::size_t kDepth>
double product(const GraphView& graph, TensorId node) {
    return product_of(graph, node, kDepth);
}

double no_bytes(const GraphView& graph, TensorId node);
/// The result and every source.
double all_bytes(const GraphView& graph, TensorId node);
/// Without source 1, which only names the memory of the result.
double copied(const GraphView& graph, TensorId node);
/// Only the rows that are selected by index: those read from source 0 or 1, or written to the result.
double gathered(const GraphView& graph, TensorId node);
double biased_rows(const GraphView& graph, TensorId node);
double scattered(const GraphView& graph, TensorId node);
/// As all_bytes(), with only the selected experts of the weights.
double chosen_experts(const GraphView& graph, TensorId node);

}  // namespace splitscope::op_costs
