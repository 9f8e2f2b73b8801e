// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/planning/plan_model.hpp"

namespace splitscope {

/// The variables of the placement search.
struct PlacementChoice {
    std::int32_t gpu_layers = 0;          ///< the output layer counts as one
    std::uint32_t cpu_expert_blocks = 0;  ///< number of leading blocks whose experts are on the CPU
    bool kv_offload = true;
    /// Layers per device, with gpu_layers as their sum; empty = divided according to `flags`.
    std::vector<std::uint32_t> device_layers = {};
    bool op_offload = true;  ///< false = turned off, if the flags do not do so
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison with 0 for a pointer
    friend auto operator<=>(const PlacementChoice&, const PlacementChoice&) = default;
};

/// `flags` with the choice applied; expert rules follow the existing overrides.
PlacementFlags flags_of(const PlacementFlags& flags, const PlacementChoice& choice);

/// A placement with lower bounds of its cost, known without scheduling.
struct BoundedChoice {
    PlacementChoice choice;
    /// Per backend: weights, caches, results and, for the output layer's device, the prompt's logits.
    std::vector<std::uint64_t> memory;
    double decode_seconds = 0;  ///< of one token
};

/// Lower bounds for placements. `sample` is a plan with a one-token graph of the same model, machine and
/// flags and with everything on the devices; it provides the cost of each weight per device. The time bound
/// assumes that operations run where their weights are, and operations between two nodes of a device on that
/// device, as the scheduler places them in one-token graphs. Throws as plan_model().
class PlacementBounds {
 public:
    PlacementBounds(const GgufFile& file, const Hardware& hardware, const PlacementFlags& flags,
                    Generation generation, const ModelPlan& sample, const JobContext& job = {});

    /// Maximum number of layers on devices, the output layer included; 0 without devices.
    std::int32_t max_layers() const { return most_; }
    /// Devices among which layers are divided.
    const std::vector<BackendId>& devices() const { return devices_; }
    /// Logits of a prompt; part of the compute buffer of the output layer's device.
    std::uint64_t logits_bytes() const { return logits_bytes_; }
    /// Whether divisions other than that of the flags are possible.
    bool divisible() const { return divisible_; }

    /// Number of blocks with experts that a rule can move.
    std::size_t expert_blocks() const;

    /// Appends the choice itself, then variants with the experts of `step`, 2·`step`, … and all blocks on the
    /// CPU. O(blocks).
    void add_with_experts(const PlacementChoice& choice, std::size_t step,
                          std::vector<BoundedChoice>& out) const;

    /// Layers per device, filling devices from the first or from the last with as many as fit in addition to
    /// `compute` bytes per backend, with the experts of some blocks on the CPU.
    std::vector<std::uint32_t> filled(const PlacementChoice& choice, const std::vector<double>& usable,
                                      bool from_last) const;

 private:
    /// Costs of a layer on one device.
    struct LayerCost {
        std::vector<std::uint64_t> bytes;         ///< per backend
        std::vector<std::uint64_t> expert_bytes;  ///< per backend, the part that a rule for experts moves
        double seconds = 0;                       ///< per token
        double expert_seconds = 0;                ///< additional time if the layer's experts are on the CPU
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
    std::vector<double> cache_node_seconds_;  ///< per block, if its cache is on a device
};

/// All distinct choices. Divisions among several devices are complete up to `max_choices`; beyond that, only
/// those that fill devices from the first or from the last.
struct ChoiceList {
    std::vector<BoundedChoice> choices;
    bool all_divisions = true;
    std::size_t expert_step = 1;  ///< step between numbers of blocks with experts on the CPU
};
ChoiceList bounded_choices(const PlacementBounds& bounds, const std::vector<double>& usable,
                           std::size_t max_choices, const JobContext& job = {});

}  // namespace splitscope
