// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/interface/machine.hpp"
#include "engine/scheduler/decision.hpp"
#include "engine/scheduler/generation.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/graph_view.hpp"
#include "engine/tensor/tensor_facts.hpp"

namespace splitscope {

using SplitId = StrongId<struct SplitTag>;

/// Consecutive nodes on one backend. [start, end) are positions in Graph::nodes.
struct Split {
    BackendId backend;
    std::size_t start = 0;
    std::size_t end = 0;
    std::vector<TensorId> inputs;  ///< original tensors copied in before the split runs, in order
};

/// A node's source that was replaced by a copy.
struct RewiredSource {
    TensorId node;
    std::uint8_t slot = 0;
    TensorId original;
    TensorId copy;
};

/// The role of a tensor that the schedule appended to the graph's own.
struct AddedTensor {
    enum class Kind : std::uint8_t { copy, dependency_view };
    Kind kind = Kind::copy;
    TensorId original;
    BackendId backend;  ///< copy: where it is; dependency view: that of the original
    int copy = 0;       ///< pipeline copy number
};

/// An entry of the graph handed to the allocator (scheduler.md §5).
struct ScheduledItem {
    TensorId tensor;    ///< may be an added tensor
    BackendId backend;  ///< the id handed to the allocator
};

/// The error that ended scheduling; earlier decisions are kept.
struct ScheduleError {
    ErrorKind kind = ErrorKind::no_backend;
    Message message;
    TensorId tensor;
    std::vector<Refusal> refusals;
};

/// The result of a scheduler: the decisions in order, and what follows from them. Immutable; replay.hpp
/// reconstructs the state after any decision.
struct Schedule {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Machine> machine;
    Generation generation = Generation::g2024_10;

    std::vector<Decision> decisions;
    std::vector<Refusal> refusals;  ///< evidence of the decisions refers into this
    /// The passes that ran, in order, each with the index after its last decision.
    struct PassEnd {
        Pass pass;
        std::size_t decisions_end;
    };
    std::vector<PassEnd> passes;

    std::vector<BackendId> backend;  ///< per tensor of the graph, after the last pass
    std::vector<Cause> cause;        ///< per tensor of the graph, after the last pass

    std::vector<Split> splits;
    std::vector<Tensor> added;            ///< copies and dependency views; id = graph->tensors.size() + index
    std::vector<AddedTensor> added_info;  ///< same order as `added`
    std::vector<RewiredSource> rewired;   ///< sorted by node, then slot
    std::vector<TensorId> graph_inputs;   ///< user inputs that got per-copy duplicates
    std::vector<TensorId> extra_outputs;  ///< tensors that pipelining makes the allocator keep like outputs
    int n_copies = 1;
    int current_copy = 0;

    std::vector<ScheduledItem>
        nodes;  ///< the schedule graph: nodes with dependency views and copies in between
    std::vector<ScheduledItem> leafs;

    std::optional<ScheduleError> error;

    bool has(TensorId id) const { return id.valid() && id.index() < graph->tensors.size() + added.size(); }
    bool is_added(TensorId id) const { return id.index() >= graph->tensors.size(); }
    const Tensor& tensor(TensorId id) const {
        return is_added(id) ? added[id.index() - graph->tensors.size()] : (*graph)[id];
    }
    const AddedTensor& added_of(TensorId id) const { return added_info[id.index() - graph->tensors.size()]; }

    /// The schedule graph with rewired sources and added tensors, as backends and the allocator see it.
    /// Refers to this object.
    GraphView view() const {
        return GraphView(*graph, added, rewired_row, rewired_sources, node_ids, leaf_ids);
    }
    /// The split that contains position `node` of Graph::nodes.
    SplitId split_of_position(std::size_t node) const;

    /// Of the tensors of view(), for the allocator; empty if the schedule was read from a file. In generation
    /// 2024-01, which ignores them, without the sources after a hole.
    TensorFacts facts;

    // Storage of view(), filled by the scheduler.
    std::vector<std::int32_t> rewired_row;
    std::vector<Sources> rewired_sources;
    std::vector<TensorId> node_ids;
    std::vector<TensorId> leaf_ids;
};

}  // namespace splitscope
