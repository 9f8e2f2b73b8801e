// SPDX-License-Identifier: MIT
// VK_KHR_cooperative_matrix, which Debian 12's headers do not have.
#pragma once

#include <cstdint>
#include <span>

#include "backends/vulkan/api.hpp"

namespace splitscope::vulkan {

inline constexpr const char* kCooperativeMatrixExtension = "VK_KHR_cooperative_matrix";

/// VkPhysicalDeviceCooperativeMatrixFeaturesKHR.
struct CooperativeMatrixFeatures {
    VkStructureType sType = static_cast<VkStructureType>(1000506000);
    void* pNext = nullptr;
    VkBool32 cooperativeMatrix = VK_FALSE;
    VkBool32 cooperativeMatrixRobustBufferAccess = VK_FALSE;
};

/// VkCooperativeMatrixPropertiesKHR, with component types and scopes as numbers.
struct CooperativeMatrixProperties {
    VkStructureType sType = static_cast<VkStructureType>(1000506001);
    void* pNext = nullptr;
    std::uint32_t MSize = 0;
    std::uint32_t NSize = 0;
    std::uint32_t KSize = 0;
    std::uint32_t AType = 0;
    std::uint32_t BType = 0;
    std::uint32_t CType = 0;
    std::uint32_t ResultType = 0;
    VkBool32 saturatingAccumulation = VK_FALSE;
    std::uint32_t scope = 0;
};

/// Rows, columns and depth of a product of cooperative matrices; 0: none.
struct MatrixShape {
    std::uint32_t m = 0;
    std::uint32_t n = 0;
    std::uint32_t k = 0;

    bool exists() const { return m > 0; }
    bool operator==(const MatrixShape&) const = default;
};

/// The best of a device's shapes for products and attention: F16 operands, F32 accumulators, subgroup scope,
/// and sizes that divide their tiles.
MatrixShape suitable_shape(std::span<const CooperativeMatrixProperties> all);

/// Of a device with the extension and its feature.
MatrixShape suitable_shape(VkInstance instance, VkPhysicalDevice device);

}  // namespace splitscope::vulkan
