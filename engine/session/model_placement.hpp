// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/session/session.hpp"

namespace splitscope {

/// Which backend each part of a model is placed on (placement.md §2): the input layer on the CPU, and as many
/// layers as wanted on the accelerators, counted from the output layer backwards, in equal shares.
class LayerPlacement {
 public:
    LayerPlacement(const Machine& machine, std::uint32_t layers, std::int32_t gpu_layers);

    /// `layer`: -1 = input layer, 0 … layers-1 = blocks, `layers` = output layer.
    BackendId backend_of(std::int32_t layer) const;
    /// Layers on accelerators, the output layer counted as one.
    std::int32_t accelerated() const { return accelerated_; }

 private:
    BackendId cpu_;
    std::vector<BackendId> accelerators_;
    std::int32_t first_ = 0;        ///< first accelerated index
    std::int32_t accelerated_ = 0;  ///< how many from there on
};

/// A model's graph on the session's machine, and that machine with the buffers the graph uses.
struct PlacedModel {
    ModelGraph graph;
    Machine machine;
};

PlacedModel place_model(const Session& session, const ModelGraphOptions& options);

/// The graph options that show the session's worst case: a full cache.
ModelGraphOptions graph_options(const Session& session);

/// Cells of the KV cache of a session.
std::uint32_t context_cells(const Session& session);

}  // namespace splitscope
