// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <unordered_set>

#include "engine/tensor/graph.hpp"

namespace splitscope::ui {

/// Direction of a path from a tensor.
enum class PathSide { inputs, outputs, both };

/// The tensor with all its direct and indirect inputs, outputs, or both. Paths pass through copies, and from
/// views to their base. O(graph).
std::unordered_set<std::int32_t> path_of(const Graph& graph, TensorId tensor, PathSide side);

}  // namespace splitscope::ui
