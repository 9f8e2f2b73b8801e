// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/tensor/graph.hpp"

namespace splitscope::test {

/// Whether reference_host announces another model with this graph.
inline bool is_marker(const Graph& graph) {
    return graph.nodes.size() == 1 && std::string_view(graph[graph.nodes[0]].name).starts_with("model ");
}

/// Divides the graphs of a recording of reference_host by the models that it loaded, without the markers.
/// `graph_of` returns the Graph of an element.
template <class Graphs, class GraphOf>
auto by_model(const Graphs& graphs, const GraphOf& graph_of) {
    std::vector<std::vector<typename Graphs::value_type>> models;
    for (const auto& graph : graphs) {
        if (is_marker(graph_of(graph)))
            models.emplace_back();
        else if (!models.empty())
            models.back().push_back(graph);
    }
    return models;
}

}  // namespace splitscope::test
