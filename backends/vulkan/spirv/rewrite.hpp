// SPDX-License-Identifier: MIT
// A build step: Debian 12's glslc supports cooperative matrices only through a vendor extension
// (SPV_NV_cooperative_matrix).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace splitscope::vulkan {

/// The module with SPV_KHR_cooperative_matrix instead of SPV_NV_cooperative_matrix. KHR matrix types also
/// declare their use (A, B or accumulator), which is derived from the multiplications. Throws
/// std::invalid_argument for modules that do not use the extension, are truncated, use a matrix type in two
/// ways or not at all, or have a layout that is not a constant.
std::vector<std::uint32_t> with_khr_matrices(std::span<const std::uint32_t> module);

}  // namespace splitscope::vulkan
