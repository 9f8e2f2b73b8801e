// SPDX-License-Identifier: MIT
// The kernels of other devices than the one at hand, as far as it can compute them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/vulkan/physical_device.hpp"

namespace splitscope {

struct KernelVariant {
    std::string name;
    vulkan::KernelTraits traits;
};

/// The device's own first.
inline std::vector<KernelVariant> kernel_variants(const vulkan::PhysicalDevice& device) {
    vulkan::KernelTraits plain;
    plain.shared_bytes = device.limits.maxComputeSharedMemorySize;
    plain.group_invocations = device.limits.maxComputeWorkGroupInvocations;
    plain.max_iterations = device.kernel_traits().max_iterations;
    vulkan::KernelTraits sums = plain;
    sums.summing_lanes = device.subgroup_size;
    sums.fixed_lanes = true;
    std::vector<KernelVariant> variants = {
        {"own", device.kernel_traits()}, {"sums within subgroups", sums}, {"no subgroups", plain}};
    if (device.features.integer_dot_product) {
        vulkan::KernelTraits dots = sums;
        dots.packed_dots = true;
        variants.push_back({"packed dot products", dots});
    }
    if (device.features.float16) {
        vulkan::KernelTraits halves = sums;
        halves.halves = true;
        variants.push_back({"halves", halves});
        vulkan::KernelTraits converted = halves;
        converted.min_conversions = 0;
        variants.push_back({"halves with converted columns", converted});
        // The least shared memory that Vulkan permits.
        constexpr std::uint32_t kLeast = 16384;
        halves.shared_bytes = kLeast;
        variants.push_back({"halves in little shared memory", halves});
        if (device.matrices.exists() && device.fixes_subgroup_size()) {
            // Debian 12's lavapipe has no cooperative matrices; later versions do.
            constexpr std::uint32_t kSubgroups = 8;
            vulkan::KernelTraits matrices = converted;
            matrices.matrices = device.matrices;
            matrices.matrix_lanes = device.subgroup_size;
            matrices.matrix_subgroups = kSubgroups;
            variants.push_back({"cooperative matrices with converted columns", matrices});
            matrices.min_conversions = vulkan::KernelTraits().min_conversions;
            variants.push_back({"cooperative matrices", matrices});
        }
    }
    return variants;
}

}  // namespace splitscope
