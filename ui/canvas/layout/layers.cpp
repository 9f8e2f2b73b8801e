// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/layout/layers.hpp"

#include <algorithm>
#include <charconv>

namespace splitscope::ui {
namespace {

constexpr std::size_t kShortRun = 6;

std::optional<std::int32_t> number_at(std::string_view text) {
    std::int32_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || value < 0) return std::nullopt;
    return value;
}

/// Default names, which do not identify a layer.
bool is_generic(std::string_view name) {
    return name.empty() || name.starts_with(" (") || name.starts_with("node_") || name.starts_with("leaf_");
}

/// A few nodes between two runs of the same layer belong to it, whatever their names.
void join_short_runs(std::vector<std::int32_t>& layers) {
    std::size_t before = 0;  // first position after the last long or merged run
    for (std::size_t start = 0; start < layers.size();) {
        std::size_t end = start;
        while (end < layers.size() && layers[end] == layers[start]) ++end;
        const bool between = before > 0 && end < layers.size() && layers[before - 1] == layers[end];
        if (between && layers[end] >= 0 && end - start <= kShortRun) {
            std::fill(layers.begin() + static_cast<std::ptrdiff_t>(start),
                      layers.begin() + static_cast<std::ptrdiff_t>(end), layers[end]);
        }
        before = end;
        start = end;
    }
}

}  // namespace

std::optional<std::int32_t> layer_in_name(std::string_view name) {
    if (const auto paren = name.find(" ("); paren != std::string_view::npos) name = name.substr(0, paren);
    for (const std::string_view prefix : {std::string_view("blk."), std::string_view("layers.")}) {
        const auto at = name.find(prefix);
        if (at == std::string_view::npos) continue;
        if (const auto number = number_at(name.substr(at + prefix.size()))) return number;
    }
    for (const std::string_view mark : {std::string_view("-"), std::string_view("_l")}) {
        const auto at = name.rfind(mark);
        if (at == std::string_view::npos) continue;
        const std::string_view tail = name.substr(at + mark.size());
        const bool digits =
            !tail.empty() && std::ranges::all_of(tail, [](char c) { return c >= '0' && c <= '9'; });
        if (digits) return number_at(tail);
    }
    return std::nullopt;
}

std::vector<std::int32_t> layers_of_nodes(const Graph& graph) {
    std::vector<std::int32_t> of_tensor(graph.tensors.size(), -1);
    std::vector<bool> is_node(graph.tensors.size(), false);
    for (const TensorId node : graph.nodes) is_node[node.index()] = true;

    std::vector<std::int32_t> layers;
    layers.reserve(graph.nodes.size());
    for (const TensorId node : graph.nodes) {
        const Tensor& t = graph[node];
        std::int32_t layer = layer_in_name(t.name).value_or(-1);
        if (layer < 0 && is_generic(t.name)) {
            std::int32_t by_leaf = -1;
            std::int32_t by_node = -1;
            for (const TensorId s : t.src) {
                if (!s.valid()) continue;
                if (is_node[s.index()]) {
                    by_node = std::max(by_node, of_tensor[s.index()]);
                } else {
                    by_leaf = std::max(by_leaf, layer_in_name(graph[s].name).value_or(-1));
                }
            }
            layer = by_leaf >= 0 ? by_leaf : by_node;
        }
        of_tensor[node.index()] = layer;
        layers.push_back(layer);
    }
    join_short_runs(layers);
    return layers;
}

}  // namespace splitscope::ui
