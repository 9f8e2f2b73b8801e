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
    /// Layers of each device, their sum is gpu_layers; empty = divided as `flags` has it.
    std::vector<std::uint32_t> device_layers = {};
    friend auto operator<=>(const PlacementChoice&, const PlacementChoice&) = default;
};

/// `flags` with the choice put in; the rules for experts come after the overrides that are there.
PlacementFlags flags_of(const PlacementFlags& flags, const PlacementChoice& choice);

/// A placement and what it costs at least, known without building or scheduling its graphs.
struct BoundedChoice {
    PlacementChoice choice;
    /// Per backend: weights, caches, results and, where the output layer is, the prompt's logits.
    std::vector<std::uint64_t> memory;
    double decode_seconds = 0;  ///< of one token
};

/// Tells what placements cost at least. `sample` is a plan with a one-token graph of the same model, machine
/// and flags, everything on the devices: it tells what each weight costs where. The bound of time holds where
/// operations run beside their weights, and those between two operations of a device on that device, as the
/// scheduler places them in one-token graphs. Throws as plan_model.
class PlacementBounds {
 public:
    PlacementBounds(const GgufFile& file, const Hardware& hardware, const PlacementFlags& flags,
                    Generation generation, const ModelPlan& sample, const JobContext& job = {});

    /// Layers that can be on devices, the output layer included; 0 without devices.
    std::int32_t most_layers() const { return most_; }
    /// Devices that layers are divided between.
    const std::vector<BackendId>& devices() const { return devices_; }
    /// Of a prompt; part of the compute buffer of the output layer's device.
    std::uint64_t logits_bytes() const { return logits_bytes_; }
    /// Where layers can be divided otherwise than by the flags.
    bool divisible() const { return divisible_; }

    /// Blocks with experts that a rule can move.
    std::size_t expert_blocks() const;

    /// The choice itself, then those with the experts of `step`, 2·`step`, … and all blocks on the CPU.
    /// Linear in blocks.
    void add_with_experts(const PlacementChoice& choice, std::size_t step,
                          std::vector<BoundedChoice>& out) const;

    /// Layers per device that give each device, in their order from the first or from the last one, as many
    /// as it can take beside `compute` bytes per backend when the experts of some blocks are on the CPU.
    std::vector<std::uint32_t> filled(const PlacementChoice& choice, const std::vector<double>& usable,
                                      bool from_last) const;

 private:
    /// A layer with all it can have on one device.
    struct LayerCost {
        std::vector<std::uint64_t> bytes;         ///< per backend
        std::vector<std::uint64_t> expert_bytes;  ///< per backend, the part that a rule for experts moves
        double seconds = 0;                       ///< per token
        double expert_seconds = 0;                ///< more of them when its experts are on the CPU
        bool has_experts() const;
    };
    std::vector<BackendId> layer_backends(const PlacementChoice& choice) const;
    const LayerCost& cost(std::size_t layer, BackendId backend) const {
        return costs_[layer * backends_ + backend.index()];
    }
    void add_layers_on(const GgufFile& file, const ModelPlan& placed, BackendId device,
                       const std::vector<double>& seconds, const std::vector<double>& returns,
                       const std::vector<bool>& expert);

    const Hardware& hardware_;
    PlacementFlags flags_;
    std::size_t backends_ = 0;
    std::int32_t blocks_ = 0;
    std::int32_t most_ = 0;
    bool divisible_ = false;
    std::uint64_t logits_bytes_ = 0;
    std::vector<BackendId> devices_;
    std::vector<LayerCost> costs_;            ///< [layer][backend], the output layer is the last
    std::vector<std::uint64_t> base_bytes_;   ///< per backend: input layer and results
    std::vector<std::uint64_t> cache_bytes_;  ///< per block
    std::vector<double> cache_seconds_;       ///< per backend and byte of all cells
    std::vector<double> cache_node_seconds_;  ///< per block, when its cache is on a device
};

/// Every choice that differs in effect from a simpler one; of divisions between several devices all when they
/// are at most `most_choices`, else those that fill the devices from the first or from the last one.
struct ChoiceList {
    std::vector<BoundedChoice> choices;
    bool all_divisions = true;
    std::size_t expert_step = 1;  ///< blocks by which the numbers of those with experts on the CPU differ
};
ChoiceList bounded_choices(const PlacementBounds& bounds, const std::vector<double>& usable,
                           std::size_t most_choices, const JobContext& job = {});

}  // namespace splitscope
