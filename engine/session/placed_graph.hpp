// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "engine/messages/message.hpp"
#include "engine/models/placement/place_model.hpp"
#include "engine/session/model_graph_memo.hpp"
#include "engine/session/simulate.hpp"

namespace splitscope {

/// A graph of a model, scheduled and allocated where the layout puts its weights and caches.
struct PlacedGraph {
    std::shared_ptr<const ModelGraph> model_graph;
    std::shared_ptr<const Machine> machine;  ///< with the layout's buffers and the builder's assignments
    Simulation simulation;

    std::shared_ptr<const Graph> graph() const { return {model_graph, &model_graph->graph}; }
};

/// The graph of `tokens` tokens that memory is reserved for: a full cache and a result of every token
/// (placement.md §7).
ModelGraphOptions worst_case(const ModelLayout& layout, Generation generation, std::uint32_t tokens);

/// Tokens of the longest prompt graph: the micro-batch as far as the context reaches.
std::uint32_t prompt_tokens_at_once(const ModelLayout& layout);

/// Builds, schedules and allocates graphs of one model on one machine. A graph that differs only in where its
/// weights and caches are is not built again. What is referred to has to outlive it.
class GraphPlacer {
 public:
    /// Without `trace` schedules hold no decisions.
    GraphPlacer(const Model& model, const Hardware& hardware, Generation generation, bool trace = true)
        : hardware_(hardware), generation_(generation), trace_(trace), graphs_(model) {}

    /// As place_graph().
    PlacedGraph place(const ModelLayout& layout, const ModelGraphOptions& options,
                      std::span<const Assignment> users = {}, const JobContext& job = {});

 private:
    const Hardware& hardware_;
    Generation generation_;
    bool trace_;
    ModelGraphMemo graphs_;
};

/// Builds, schedules and allocates one graph. `users` are assignments that win over the builder's own; they
/// name tensors of this graph. Throws Error(unsupported) when the model has no such graph, Error(bad_file)
/// for assignments that do not fit, and Cancelled. Errors of scheduling are in the result.
PlacedGraph place_graph(const Model& model, const Hardware& hardware, const ModelLayout& layout,
                        const ModelGraphOptions& options, Generation generation,
                        std::span<const Assignment> users = {}, const JobContext& job = {});

/// A layout after flash attention was decided.
struct DecidedLayout {
    std::shared_ptr<const ModelLayout> layout;
    Message note;                       ///< why flash attention was switched off; else empty
    std::optional<PlacedGraph> decode;  ///< the one-token graph, where it had to be scheduled to decide
};

/// Places weights and caches. With flash attention "automatic" a one-token graph is scheduled first: when a
/// block's attention does not run on the block's device, it is switched off for all (placement.md §8).
/// `model` may be null when there is no graph builder. Throws Error(usage) for flags that do not fit each
/// other or the machine.
DecidedLayout decide_layout(const GgufFile& file, const Model* model, const Hardware& hardware,
                            const PlacementFlags& flags, Generation generation, const JobContext& job = {});
/// The same with a placer of that model and machine; null when there is no graph builder.
DecidedLayout decide_layout(const GgufFile& file, GraphPlacer* placer, const Hardware& hardware,
                            const PlacementFlags& flags, Generation generation, const JobContext& job = {});

}  // namespace splitscope
