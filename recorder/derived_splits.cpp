// SPDX-License-Identifier: MIT
#include "recorder/derived_splits.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace splitscope::recorder {
namespace {

using Copies = std::span<const RewiredSource>;

class Derivation {
 public:
    Derivation(const Api& api, const TensorLayout& layout, const GraphSnapshot& graph,
               const ReadDecisions& decisions)
        : api_(api), layout_(layout), graph_(graph), decisions_(decisions) {}

    /// Splits without inputs are only recognisable by their first node (scheduler.md §4.2).
    std::vector<RecordedSplit> run(ComputeGraph scheduled) {
        std::vector<std::vector<int>> inputs = inputs_before_nodes(scheduled);
        Copies rest = decisions_.rewired;
        bool has_read = false;  // an input of the current split
        for (int i = 0; i < graph_.nodes; ++i) {
            const int node = graph_.leafs + i;
            const auto end = std::ranges::find_if(rest, [&](const auto& copy) { return copy.node != node; });
            const Copies copies(rest.begin(), end);
            rest = Copies(end, rest.end());
            std::vector<int>& own = inputs[static_cast<std::size_t>(i)];
            if (splits_.empty() || !own.empty() || moves(node, copies, has_read)) {
                if (!splits_.empty()) splits_.back().end = i;
                splits_.push_back({split_backend(i), i, graph_.nodes, std::move(own)});
                has_read = false;
            }
            const std::vector<int>& taken = splits_.back().inputs;
            has_read = has_read || std::ranges::any_of(copies, [&](const RewiredSource& copy) {
                           return std::ranges::find(taken, copy.original) != taken.end();
                       });
        }
        return std::move(splits_);
    }

 private:
    const TensorFacts& tensor(int id) const { return graph_.tensors[static_cast<std::size_t>(id)]; }
    int backend(int id) const { return decisions_.backend[static_cast<std::size_t>(id)]; }

    /// View operations belong to the surrounding split, whatever their assignment.
    bool is_view_operation(int id) const {
        const std::string_view name = api_.op_name(tensor(id).op);
        return name == "VIEW" || name == "RESHAPE" || name == "PERMUTE" || name == "TRANSPOSE";
    }

    /// In the allocator's graph, a split's inputs precede its nodes: a dependency view, then the copy.
    /// Backends may have reordered a split's nodes within it, so positions count.
    std::vector<std::vector<int>> inputs_before_nodes(ComputeGraph scheduled) const {
        std::vector<std::vector<int>> inputs(static_cast<std::size_t>(graph_.nodes));
        std::vector<int> waiting;
        int viewed = -1;  // by the previous entry
        std::size_t position = 0;
        for (int i = 0; i < api_.graph_n_nodes(scheduled); ++i) {
            const TensorPtr entry = api_.graph_node(scheduled, i);
            const int id = graph_.id_of(entry);
            if (id >= graph_.leafs && id < graph_.leafs + graph_.nodes) {
                if (position < inputs.size()) inputs[position] = std::move(waiting);
                waiting.clear();
                viewed = -1;
                ++position;
                continue;
            }
            const TensorFacts facts = read_tensor(layout_, entry);
            if (facts.view_source != nullptr) {
                viewed = facts.sources[0] != nullptr ? graph_.id_of(facts.sources[0]) : -1;
            } else if (viewed >= 0) {
                waiting.push_back(std::exchange(viewed, -1));
            }
        }
        return inputs;
    }

    /// Whether a node without inputs before it starts a split.
    bool moves(int node, Copies copies, bool has_read) const {
        return !is_view_operation(node) &&
               (backend(node) != splits_.back().backend || (has_read && has_weights(copies)));
    }

    /// A split starts with a computing node, except the first one, which starts with the graph.
    int split_backend(int first) const {
        for (int id = graph_.leafs + first; id < graph_.leafs + graph_.nodes; ++id)
            if (!is_view_operation(id)) return backend(id);
        return backend(graph_.leafs + first);
    }

    /// Weights to copy start a new split if the current one already has inputs, even if the copy belongs to
    /// an earlier split.
    bool has_weights(Copies copies) const {
        constexpr int kWeights = 1;
        return std::ranges::any_of(copies, [&](const RewiredSource& copy) {
            const Buffer buffer = copy.original < 0 ? nullptr : tensor(copy.original).buffer;
            return buffer != nullptr && api_.buffer_usage(buffer) == kWeights;
        });
    }

    const Api& api_;
    const TensorLayout& layout_;
    const GraphSnapshot& graph_;
    const ReadDecisions& decisions_;
    std::vector<RecordedSplit> splits_;
};

}  // namespace

std::vector<RecordedSplit> derive_splits(const Api& api, const TensorLayout& layout,
                                         const GraphSnapshot& graph, const ReadDecisions& decisions,
                                         ComputeGraph scheduled) {
    return Derivation(api, layout, graph, decisions).run(scheduled);
}

}  // namespace splitscope::recorder
