// SPDX-License-Identifier: MIT
// A step of the build: Debian 12's glslc compiles cooperative matrices for the extension of one manufacturer
// only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace splitscope::vulkan {

/// The module with SPV_KHR_cooperative_matrix instead of SPV_NV_cooperative_matrix. The use of each matrix
/// type (A, B or accumulator), which only the former states, follows from its products. Throws
/// std::invalid_argument for modules that do not use the extension, are cut, have a type of two uses or none,
/// or a layout that is not a constant.
std::vector<std::uint32_t> with_khr_matrices(std::span<const std::uint32_t> module);

}  // namespace splitscope::vulkan
