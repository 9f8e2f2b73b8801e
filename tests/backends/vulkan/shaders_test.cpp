// SPDX-License-Identifier: MIT
// The SPIR-V of all shaders: none needs more of a device than is checked when it is opened.
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "backends/vulkan/pipelines.hpp"

namespace splitscope::vulkan {
namespace {

std::set<std::uint32_t> capabilities_of(std::span<const std::uint32_t> words) {
    constexpr std::size_t kHeader = 5;
    constexpr std::uint32_t kCapability = 17;
    std::set<std::uint32_t> found;
    for (std::size_t i = kHeader; i < words.size(); i += words[i] >> 16) {
        if ((words[i] >> 16) == 0) break;
        if ((words[i] & 0xFFFFU) == kCapability) found.insert(words[i + 1]);
    }
    return found;
}

TEST(VulkanShaders, NeedNoMoreThanIsChecked) {
    // Devices without these are refused (physical_device.cpp); 8- and 16-bit numbers are only loaded and
    // stored.
    const std::map<std::uint32_t, std::string_view> needed = {
        {1, "Shader"}, {11, "Int64"}, {4433, "16-bit storage"}, {4448, "8-bit storage"}, {5347, "addresses"}};
    const std::map<std::uint32_t, std::string_view> subgroups = {
        {61, "GroupNonUniform"}, {63, "arithmetic"}, {64, "ballot"}};
    std::size_t with_subgroups = 0;
    for (const std::string_view name : shader_names()) {
        const auto words = spirv_of(name);
        ASSERT_GT(words.size(), 5U) << name;
        EXPECT_EQ(words[0], 0x07230203U) << name;
        // Chosen only for devices with subgroup operations.
        const bool may_use_subgroups =
            name.find("_lanes") != std::string_view::npos || name.find("_sums") != std::string_view::npos;
        bool uses_subgroups = false;
        for (const std::uint32_t capability : capabilities_of(words)) {
            uses_subgroups = uses_subgroups || subgroups.contains(capability);
            EXPECT_TRUE(needed.contains(capability) || (may_use_subgroups && subgroups.contains(capability)))
                << name << " needs capability " << capability;
        }
        with_subgroups += uses_subgroups ? 1 : 0;
    }
    EXPECT_EQ(with_subgroups, 15U)
        << "wide, narrow and attention for lanes, and sums for each family of types";
}

}  // namespace
}  // namespace splitscope::vulkan
