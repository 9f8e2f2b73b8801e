// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "backends/vulkan/fusion.hpp"
#include "backends/vulkan/node_block.hpp"
#include "backends/vulkan/op_table.hpp"

namespace splitscope::vulkan {

/// The input of a unit's shaders.
struct Kernel {
    NodeBlock block;
    std::vector<Pass> passes;
};

/// Errors: no_buffer, if a tensor is not on the device; unsupported, for a node that no shader computes.
Kernel kernel_of(const Unit& unit, const BoundTensors& tensors, const KernelTraits& device);

}  // namespace splitscope::vulkan
