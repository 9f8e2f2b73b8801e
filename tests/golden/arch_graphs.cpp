// SPDX-License-Identifier: MIT
#include "tests/golden/arch_graphs.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace splitscope::golden {
namespace {

/// The scheduler's name of a leaf, also for copies of it.
bool is_numbered_leaf(std::string_view name) {
    return name.find("leaf_") != std::string_view::npos;
}

std::string tensor_text(const LoggedTensor& tensor, bool named) {
    return fmt::format("{} ({}K) [{}]", named ? tensor.name : "?", tensor.bytes >> 10, tensor.backend);
}

/// A line of `graph`; `ours` determines which sources have names.
std::string node_text(const LoggedGraph& graph, std::size_t at, const LoggedGraph& ours) {
    const LoggedNode& node = graph.nodes[at];
    std::string text = fmt::format("node {} {} {} use={}:", node.index, node.op,
                                   tensor_text(node.tensor, true), node.uses.value_or(-1));
    for (std::uint32_t s = 0; s < node.source_count; ++s) {
        const LoggedNode& mine = ours.nodes[at];
        const bool named =
            s >= mine.source_count || !is_numbered_leaf(ours.sources[mine.first_source + s].name);
        text += " " + tensor_text(graph.sources[node.first_source + s], named);
    }
    return text;
}

std::string split_text(const LoggedGraph& graph, std::size_t at, const LoggedGraph& ours) {
    const LoggedSplit& split = graph.splits[at];
    std::string text = fmt::format("split {} {}, {} nodes:", split.number, split.backend, split.node_count);
    for (std::size_t i = 0; i < split.inputs.size(); ++i) {
        const auto& mine = ours.splits[at].inputs;
        const bool named = i >= mine.size() || !is_numbered_leaf(mine[i].name);
        text += fmt::format(" [{} {}K]", named ? split.inputs[i].name : "?", split.inputs[i].bytes >> 10);
    }
    return text;
}

}  // namespace

std::string first_difference(const LoggedGraph& ours, const LoggedGraph& recorded) {
    for (std::size_t i = 0; i < std::min(ours.nodes.size(), recorded.nodes.size()); ++i) {
        const std::string mine = node_text(ours, i, ours);
        const std::string theirs = node_text(recorded, i, ours);
        if (mine != theirs) return fmt::format("\n    ours     {}\n    recorded {}", mine, theirs);
    }
    if (ours.nodes.size() != recorded.nodes.size())
        return fmt::format("{} nodes, recorded {}", ours.nodes.size(), recorded.nodes.size());
    for (std::size_t i = 0; i < std::min(ours.splits.size(), recorded.splits.size()); ++i) {
        const std::string mine = split_text(ours, i, ours);
        const std::string theirs = split_text(recorded, i, ours);
        if (mine != theirs) return fmt::format("\n    ours     {}\n    recorded {}", mine, theirs);
    }
    if (ours.splits.size() != recorded.splits.size())
        return fmt::format("{} splits, recorded {}", ours.splits.size(), recorded.splits.size());
    return {};
}

}  // namespace splitscope::golden
