// SPDX-License-Identifier: MIT
// The SPIR-V of all shaders requires only capabilities that are checked when a device is opened.
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

TEST(VulkanShaders, RequireOnlyCheckedFeatures) {
    // Devices without these are refused (physical_device.cpp); 8- and 16-bit numbers are only loaded and
    // stored.
    const std::map<std::uint32_t, std::string_view> needed = {
        {1, "Shader"}, {11, "Int64"}, {4433, "16-bit storage"}, {4448, "8-bit storage"}, {5347, "addresses"}};
    // What else kernels of some devices need, by a part of their names.
    const std::map<std::uint32_t, std::string_view> subgroups = {
        {61, "GroupNonUniform"}, {63, "arithmetic"}, {64, "ballot"}};
    const std::map<std::uint32_t, std::string_view> halves = {{9, "Float16"}};
    const std::map<std::uint32_t, std::string_view> dots = {
        {61, "GroupNonUniform"}, {63, "arithmetic"}, {6018, "packed"}, {6019, "dot products"}};
    const std::map<std::uint32_t, std::string_view> matrices = {
        {9, "Float16"}, {61, "GroupNonUniform"}, {5345, "memory model"}, {6022, "cooperative matrices"}};
    const std::map<std::string_view, const std::map<std::uint32_t, std::string_view>*> kinds = {
        {"_lanes", &subgroups},
        {"_sums", &subgroups},
        {"_dots", &dots},
        {"_halves", &halves},
        {"_matrices", &matrices}};
    std::map<std::string_view, std::size_t> modules;
    for (const std::string_view name : shader_names()) {
        const auto words = spirv_of(name);
        ASSERT_GT(words.size(), 5U) << name;
        EXPECT_EQ(words[0], 0x07230203U) << name;
        auto allowed = needed;
        for (const auto& [part, more] : kinds) {
            if (name.find(part) == std::string_view::npos) continue;
            allowed.insert(more->begin(), more->end());
            ++modules[part];
        }
        for (const std::uint32_t capability : capabilities_of(words))
            EXPECT_TRUE(allowed.contains(capability)) << name << " needs capability " << capability;
    }
    EXPECT_EQ(modules, (std::map<std::string_view, std::size_t>{
                           {"_lanes", 9}, {"_sums", 8}, {"_dots", 4}, {"_halves", 6}, {"_matrices", 5}}));
}

}  // namespace
}  // namespace splitscope::vulkan
