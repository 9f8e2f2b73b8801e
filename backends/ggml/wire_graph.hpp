// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/ggml/protocol.hpp"
#include "backends/interface/tensor_place.hpp"
#include "engine/tensor/op_query.hpp"

namespace splitscope::ggml {

class Engine;

/// The engine's numbers of operations, types and kinds; -1 = unknown to it.
class Numbers {
 public:
    explicit Numbers(const EngineFacts& facts);

    std::int32_t op(Op op) const { return ops_[static_cast<std::size_t>(op)]; }
    std::int32_t type(ElementType type) const { return types_[static_cast<std::size_t>(type)]; }
    /// A node's parameters with the engine's numbers; empty if it lacks the kind.
    std::optional<OpParams> params(const Tensor& node) const;

 private:
    std::array<std::int32_t, kOpCount> ops_{};
    std::array<std::int32_t, 256> types_{};
    std::vector<std::int32_t> unaries_;
    std::vector<std::int32_t> glus_;
};

/// A query about one node, with its sources, in the engine's numbers.
struct Question {
    OpSupport known;  ///< refused without a query: operation or type are unknown to the engine
    WireGraph graph;
    std::string key;  ///< equal for equal queries
};
Question question_about(const OpQuery& query, const Engine& engine, std::uint32_t device);

/// Appends one graph to another.
void append(WireGraph& to, const WireGraph& from);

/// A single tensor, to query its size.
std::optional<WireGraph> size_question(const GraphView& graph, TensorId tensor, const Numbers& numbers);

/// The nodes to compute with their sources, each with its place in the engine's memory. Results read by other
/// nodes are flagged as outputs, so that the engine does not fuse them away. Errors: unsupported, no-buffer,
/// with the tensor.
WireGraph placed_graph(const BoundGraph& graph, std::span<const TensorId> nodes, const Engine& engine,
                       const std::string& device);

/// A whole graph without places, for the engine's scheduler.
struct UnplacedGraph {
    ScheduleQuestion question;      ///< graph and leafs
    std::vector<TensorId> tensors;  ///< of `question`
};
/// By buffer of the graph: the engine's buffer type, and the usage.
struct DraftBuffer {
    std::int32_t type = -1;
    std::int32_t usage = 0;
};
/// Errors: unsupported, with the tensor.
UnplacedGraph unplaced_graph(const Graph& graph, const std::vector<DraftBuffer>& buffers,
                             const Numbers& numbers);

}  // namespace splitscope::ggml
