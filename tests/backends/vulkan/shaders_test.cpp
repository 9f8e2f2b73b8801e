// SPDX-License-Identifier: MIT
// Properties of the SPIR-V of all shaders: required capabilities, loops that drivers can unroll.
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
                           {"_lanes", 11}, {"_sums", 8}, {"_dots", 4}, {"_halves", 6}, {"_matrices", 7}}));
}

bool reads_subgroup_size(std::span<const std::uint32_t> words) {
    constexpr std::size_t kHeader = 5;
    constexpr std::uint32_t kDecorate = 71;
    constexpr std::uint32_t kBuiltIn = 11;
    constexpr std::uint32_t kSubgroupSize = 36;
    for (std::size_t i = kHeader; i < words.size() && (words[i] >> 16) != 0; i += words[i] >> 16) {
        if ((words[i] & 0xFFFFU) == kDecorate && words[i + 2] == kBuiltIn && words[i + 3] == kSubgroupSize)
            return true;
    }
    return false;
}

/// Without a required size, drivers may run subgroups with fewer invocations than gl_SubgroupSize, as Intel's
/// do.
TEST(VulkanShaders, RequireTheSubgroupSizeIfTheyReadIt) {
    std::size_t readers = 0;
    for (const std::string_view name : shader_names()) {
        if (!reads_subgroup_size(spirv_of(name))) continue;
        EXPECT_TRUE(counts_on_subgroups(name)) << name;
        ++readers;
    }
    EXPECT_GT(readers, 0U);
}

/// The loops marked [[unroll]] that compare a sum or difference with a constant.
std::size_t shifted_loops_of(std::span<const std::uint32_t> words) {
    constexpr std::size_t kHeader = 5;
    constexpr std::uint32_t kConstant = 43;
    constexpr std::uint32_t kAdd = 128;
    constexpr std::uint32_t kSubtract = 130;
    constexpr std::uint32_t kFirstComparison = 172;
    constexpr std::uint32_t kLastComparison = 179;
    constexpr std::uint32_t kLoopMerge = 246;
    constexpr std::uint32_t kBranchConditional = 250;
    constexpr std::uint32_t kUnroll = 1;
    std::set<std::uint32_t> constants;
    std::set<std::uint32_t> sums;
    std::set<std::uint32_t> shifted;  // comparisons
    bool unroll = false;              // the loop whose condition follows
    std::size_t count = 0;
    for (std::size_t i = kHeader; i < words.size() && (words[i] >> 16) != 0; i += words[i] >> 16) {
        const std::uint32_t op = words[i] & 0xFFFFU;
        if (op == kConstant) constants.insert(words[i + 2]);
        if (op == kAdd || op == kSubtract) sums.insert(words[i + 2]);
        if (op >= kFirstComparison && op <= kLastComparison && sums.contains(words[i + 3]) &&
            constants.contains(words[i + 4])) {
            shifted.insert(words[i + 2]);
        }
        if (op == kLoopMerge) unroll = (words[i + 3] & kUnroll) != 0;
        if (op == kBranchConditional && unroll) {
            count += shifted.count(words[i + 1]);
            unroll = false;
        }
    }
    return count;
}

TEST(VulkanShaders, UnrolledLoopsCompareTheirCounter) {
    // Compilers do not unroll other loops; on lavapipe, one `i + 1 < n` made decoding three times slower.
    for (const std::string_view name : shader_names())
        EXPECT_EQ(shifted_loops_of(spirv_of(name)), 0U) << name;
}

}  // namespace
}  // namespace splitscope::vulkan
