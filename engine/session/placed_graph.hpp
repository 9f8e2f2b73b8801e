// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/messages/message.hpp"
#include "engine/models/placement/place_model.hpp"
#include "engine/session/model_graph_memo.hpp"
#include "engine/session/simulate.hpp"

namespace splitscope {

/// A model graph, scheduled and allocated with weights and caches as in the layout.
struct PlacedGraph {
    std::shared_ptr<const ModelGraph> model_graph;
    std::shared_ptr<const Machine>
        machine;  ///< with the layout's buffers and the graph builder's assignments
    Simulation simulation;

    std::shared_ptr<const Graph> graph() const { return {model_graph, &model_graph->graph}; }
};

/// Why the generation cannot schedule graphs of the model; empty if it can. Cheap.
std::optional<Message> why_not_scheduled(const Model& model, Generation generation);

/// The prompt graph with `tokens` tokens for which memory is reserved: full cache, and results of every token
/// (placement.md §7).
ModelGraphOptions worst_case_prompt(const ModelLayout& layout, Generation generation, std::uint32_t tokens);
/// The same of a decode graph: one token of every sequence.
ModelGraphOptions worst_case_decode(const ModelLayout& layout, Generation generation);

/// Size of the largest prompt graph: the micro-batch, limited by the context.
std::uint32_t prompt_tokens_at_once(const ModelLayout& layout);

/// Builds, schedules and allocates graphs of one model on one machine. Graphs that only differ in the
/// placement of weights and caches are not rebuilt. All references must outlive the object.
class GraphPlacer {
 public:
    /// Without `trace`, schedules have no decisions.
    GraphPlacer(const Model& model, const Hardware& hardware, Generation generation, bool trace = true)
        : hardware_(hardware), generation_(generation), trace_(trace), graphs_(model) {}

    /// See place_graph().
    PlacedGraph place(const ModelLayout& layout, const ModelGraphOptions& options,
                      std::span<const Assignment> users = {}, const JobContext& job = {});

 private:
    const Hardware& hardware_;
    Generation generation_;
    bool trace_;
    ModelGraphMemo graphs_;
};

/// Builds, schedules and allocates one graph. `users` are assignments that take precedence over the
/// builder's; they name tensors of this graph. Throws Error(unsupported) if the model has no such graph,
/// Error(bad_file) for invalid assignments, and Cancelled. Scheduling errors are in the result.
PlacedGraph place_graph(const Model& model, const Hardware& hardware, const ModelLayout& layout,
                        const ModelGraphOptions& options, Generation generation,
                        std::span<const Assignment> users = {}, const JobContext& job = {});

/// Flash attention that is not computed on its block's device.
struct MovedAttention {
    std::int32_t block = 0;
    TensorId node;
    BackendId wanted;
    BackendId computed;
};
std::vector<MovedAttention> moved_attentions(const ModelGraph& graph, const Schedule& schedule,
                                             const ModelLayout& layout);

/// A layout, with flash attention decided.
struct DecidedLayout {
    std::shared_ptr<const ModelLayout> layout;
    Message note;                       ///< why flash attention was disabled; else empty
    std::optional<PlacedGraph> decode;  ///< the one-token graph, if it was scheduled for the decision
};

/// Places weights and caches. With flash attention "auto", schedules a one-token graph first and disables
/// flash attention if a block's attention does not run on the block's device (placement.md §8). `model` may
/// be null without a graph builder. Throws Error(usage) for flags that contradict each other or the machine.
DecidedLayout decide_layout(const GgufFile& file, const Model* model, const Hardware& hardware,
                            const PlacementFlags& flags, Generation generation, const JobContext& job = {});
/// As above, with an existing placer of that model and machine; null without a graph builder.
DecidedLayout decide_layout(const GgufFile& file, GraphPlacer* placer, const Hardware& hardware,
                            const PlacementFlags& flags, Generation generation, const JobContext& job = {});

}  // namespace splitscope
