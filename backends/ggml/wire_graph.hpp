// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/ggml/protocol.hpp"
#include "backends/interface/op_support.hpp"
#include "backends/interface/tensor_place.hpp"

namespace splitscope::ggml {

class Engine;

/// Our operations, types and kinds as the engine numbers them; -1 = it has none of that name.
class Numbers {
 public:
    explicit Numbers(const EngineFacts& facts);

    std::int32_t op(Op op) const { return ops_[static_cast<std::size_t>(op)]; }
    std::int32_t type(ElementType type) const { return types_[static_cast<std::size_t>(type)]; }
    /// The parameters of a node, with the engine's numbers in them; nothing when it lacks the kind.
    std::optional<OpParams> params(const Tensor& node) const;

 private:
    std::array<std::int32_t, kOpCount> ops_{};
    std::array<std::int32_t, 256> types_{};
    std::vector<std::int32_t> unaries_;
    std::vector<std::int32_t> glus_;
};

/// A question about one node: itself and what its sources are, by the engine's numbers.
struct Question {
    OpSupport known;  ///< refused when the engine need not be asked: it does not know the operation or a type
    WireGraph graph;
    std::string key;  ///< equal for equal questions
};
Question question_about(const OpQuery& query, const Engine& engine, std::uint32_t device);

/// Appends one graph to another.
void append(WireGraph& to, const WireGraph& from);

/// A tensor alone, for its size.
std::optional<WireGraph> size_question(const GraphView& graph, TensorId tensor, const Numbers& numbers);

/// Nodes to be computed with what they read, each in its place in this engine's memory. What nodes outside
/// read is marked as an output, so that the engine does not fuse it away. Errors: unsupported, no-buffer,
/// naming the tensor.
WireGraph placed_graph(const BoundGraph& graph, std::span<const TensorId> nodes, const Engine& engine,
                       const std::string& device);

/// A whole graph without places, for the engine's scheduler.
struct UnplacedGraph {
    ScheduleQuestion question;      ///< graph and leafs
    std::vector<TensorId> tensors;  ///< of the question's
};
/// By buffer of the graph: the engine's type and the usage.
struct DraftBuffer {
    std::int32_t type = -1;
    std::int32_t usage = 0;
};
/// Errors: unsupported, naming the tensor.
UnplacedGraph unplaced_graph(const Graph& graph, const std::vector<DraftBuffer>& buffers,
                             const Numbers& numbers);

}  // namespace splitscope::ggml
