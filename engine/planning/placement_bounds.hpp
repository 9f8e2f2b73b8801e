// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/planning/plan_model.hpp"

namespace splitscope {

/// What a search over placements chooses.
struct PlacementChoice {
    std::int32_t gpu_layers = 0;          ///< the output layer counts as one
    std::uint32_t cpu_expert_blocks = 0;  ///< the first so many blocks keep their experts on the CPU
    bool kv_offload = true;
    friend auto operator<=>(const PlacementChoice&, const PlacementChoice&) = default;
};

/// `flags` with the choice put in; the rules for experts come after the overrides that are there.
PlacementFlags flags_of(const PlacementFlags& flags, const PlacementChoice& choice);

/// A placement and what it costs at least, known without building or scheduling its graphs.
struct BoundedChoice {
    PlacementChoice choice;
    std::vector<std::uint64_t> memory;  ///< per backend: weights, caches and results, no compute buffers
    double decode_seconds = 0;          ///< of one token: weights read where they lie, caches, nothing else
};

/// Every choice that differs in effect from a simpler one. `sample` is a plan with a one-token graph of the
/// same model, machine and flags at any placement: it tells what reading each weight costs on each device.
/// The bound of time holds where operations run beside their weights, as the scheduler places them in
/// one-token graphs. Linear in choices × weights. Throws as plan_model.
std::vector<BoundedChoice> bounded_choices(const GgufFile& file, const Hardware& hardware,
                                           const PlacementFlags& flags, Generation generation,
                                           const ModelPlan& sample, const JobContext& job = {});

}  // namespace splitscope
