// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <unordered_set>

#include "engine/tensor/graph.hpp"

namespace splitscope::ui {

/// Which way a path leads from a tensor.
enum class PathSide { inputs, outputs, both };

/// The tensor with everything it is computed from, everything computed from it, or both; across copies, as
/// the graph knows none. Views lead to what they view. Linear in the graph.
std::unordered_set<std::int32_t> path_of(const Graph& graph, TensorId tensor, PathSide side);

}  // namespace splitscope::ui
