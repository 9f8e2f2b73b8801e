// SPDX-License-Identifier: MIT
#include "backends/vulkan/cooperative_matrix.hpp"

#include <bit>
#include <vector>

namespace splitscope::vulkan {

MatrixShape suitable_shape(std::span<const CooperativeMatrixProperties> all) {
    constexpr std::uint32_t kF16 = 0;       // VK_COMPONENT_TYPE_FLOAT16_KHR
    constexpr std::uint32_t kF32 = 1;       // VK_COMPONENT_TYPE_FLOAT32_KHR
    constexpr std::uint32_t kSubgroup = 3;  // VK_SCOPE_SUBGROUP_KHR
    // A subgroup has at least a quarter of a tile of 32 × 32, 32 deep, and keeps one matrix of sums in shared
    // memory. Rows and columns in memory begin at multiples of 16 bytes.
    constexpr std::uint32_t kMin = 8;
    constexpr std::uint32_t kMax = 16;
    constexpr std::uint32_t kDeepest = 32;
    MatrixShape best;
    for (const CooperativeMatrixProperties& p : all) {
        const bool has_types = p.AType == kF16 && p.BType == kF16 && p.CType == kF32 && p.ResultType == kF32;
        const auto suits = [](std::uint32_t size, std::uint32_t most) {
            return std::has_single_bit(size) && size >= kMin && size <= most;
        };
        const bool divides = suits(p.MSize, kMax) && suits(p.NSize, kMax) && suits(p.KSize, kDeepest);
        if (!has_types || !divides || p.scope != kSubgroup || p.saturatingAccumulation != VK_FALSE) continue;
        // Larger ones need fewer loads for the same products.
        const MatrixShape shape{p.MSize, p.NSize, p.KSize};
        if (shape.m * shape.n * shape.k > best.m * best.n * best.k) best = shape;
    }
    return best;
}

MatrixShape suitable_shape(VkInstance instance, VkPhysicalDevice device) {
    using Function = VkResult(VKAPI_PTR*)(VkPhysicalDevice, std::uint32_t*, CooperativeMatrixProperties*);
    const auto enumerate = reinterpret_cast<Function>(
        vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR"));
    std::uint32_t count = 0;
    if (enumerate == nullptr || enumerate(device, &count, nullptr) != VK_SUCCESS) return {};
    std::vector<CooperativeMatrixProperties> all(count);
    if (enumerate(device, &count, all.data()) != VK_SUCCESS) return {};
    all.resize(count);
    return suitable_shape(all);
}

}  // namespace splitscope::vulkan
