// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/paths.hpp"

#include <algorithm>
#include <vector>

namespace splitscope::ui {

std::unordered_set<std::int32_t> path_of(const Graph& graph, TensorId tensor, PathSide side) {
    std::unordered_set<std::int32_t> path;
    if (!tensor.valid() || tensor.index() >= graph.tensors.size()) return path;
    path.insert(tensor.value);
    if (side != PathSide::outputs) {
        std::vector<TensorId> open{tensor};
        const auto visit = [&](TensorId id) {
            if (id.valid() && path.insert(id.value).second) open.push_back(id);
        };
        while (!open.empty()) {
            const Tensor& t = graph[open.back()];
            open.pop_back();
            for (const TensorId source : t.src) visit(source);
            visit(t.view_src);
        }
    }
    if (side == PathSide::inputs) return path;
    // Nodes are in execution order: one pass reaches every reader.
    std::unordered_set<std::int32_t> reached{tensor.value};
    for (const TensorId node : graph.nodes) {
        const Tensor& t = graph[node];
        const auto is_reached = [&](TensorId id) { return id.valid() && reached.contains(id.value); };
        if (std::any_of(t.src.begin(), t.src.end(), is_reached) || is_reached(t.view_src)) {
            reached.insert(node.value);
        }
    }
    path.insert(reached.begin(), reached.end());
    return path;
}

}  // namespace splitscope::ui
