// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/models/placement/hardware.hpp"
#include "engine/models/placement/placement_flags.hpp"

namespace splitscope {

/// The accelerators that a model uses, in order (placement.md §1). Throws Error(usage) for an unknown name.
std::vector<BackendId> device_list(const Hardware& hardware, const PlacementFlags& flags);

/// Throws Error(usage) if programs of the generation do not start with this main GPU.
void require_main_gpu(const Hardware& hardware, const PlacementFlags& flags, Generation generation);

/// Machine::used with these accelerators: they, other backends that work in host memory, the CPU.
std::vector<BackendId> scheduled_backends(const Machine& machine, const std::vector<BackendId>& devices);

/// The device of each layer (placement.md §2).
class LayerDevices {
 public:
    LayerDevices(const Hardware& hardware, const PlacementFlags& flags, std::uint32_t layers);

    /// `layer`: -1 = input layer, 0 … layers-1 = blocks, `layers` = output layer.
    BackendId backend_of(std::int32_t layer) const;
    const std::vector<BackendId>& devices() const { return devices_; }
    BackendId cpu() const { return cpu_; }
    /// Layers on accelerators, the output layer counted as one.
    std::int32_t accelerated() const { return accelerated_; }
    /// All layers including the output layer are on accelerators.
    bool everything() const { return wanted_ > layers_ && !devices_.empty(); }

 private:
    std::vector<BackendId> devices_;
    BackendId cpu_;
    std::vector<float> cuts_;  ///< cumulative shares, ascending to 1
    std::int32_t layers_ = 0;
    std::int32_t wanted_ = 0;
    std::int32_t first_ = 0;
    std::int32_t accelerated_ = 0;
};

}  // namespace splitscope
