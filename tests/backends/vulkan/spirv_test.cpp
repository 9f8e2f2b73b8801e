// SPDX-License-Identifier: MIT
// Cooperative matrices: the words into which modules are rewritten, and which devices get them.
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "backends/vulkan/cooperative_matrix.hpp"
#include "backends/vulkan/physical_device.hpp"
#include "backends/vulkan/pipelines.hpp"
#include "backends/vulkan/spirv/rewrite.hpp"

namespace splitscope::vulkan {
namespace {

using Words = std::vector<std::uint32_t>;

/// A header with the bound 40, and instructions of an opcode and operands.
Words module_of(const std::vector<Words>& instructions) {
    Words words = {0x07230203, 0x00010500, 0, 40, 0};
    for (const Words& instruction : instructions) {
        words.push_back(static_cast<std::uint32_t>(instruction.size()) << 16 | instruction[0]);
        words.insert(words.end(), instruction.begin() + 1, instruction.end());
    }
    return words;
}

Words text(std::uint32_t code, std::string_view letters) {
    Words instruction(2 + letters.size() / 4);
    instruction[0] = code;
    for (std::size_t i = 0; i < letters.size(); ++i)
        instruction[1 + i / 4] |= static_cast<std::uint32_t>(letters[i]) << 8 * (i % 4);
    return instruction;
}

/// Types 10, 11 and 12 of sizes 5, 6 and 7; two loads, a product, a length and a store.
std::vector<Words> product() {
    return {
        {17, 1},                                // Shader
        {17, 5357},                             // CooperativeMatrixNV
        text(10, "SPV_NV_cooperative_matrix"),  // OpExtension
        {20, 2},                                // %2 = bool
        {22, 3, 16},                            // %3 = F16
        {22, 4, 32},                            // %4 = F32
        {21, 1, 32, 0},                         // %1 = uint
        {43, 1, 8, 3},                          // %8 = 3, the scope
        {41, 2, 13},                            // %13 = true
        {42, 2, 14},                            // %14 = false
        {5358, 10, 3, 8, 5, 6},                 // A
        {5358, 11, 3, 8, 6, 7},                 // B
        {5358, 12, 4, 8, 5, 7},                 // sums
        {44, 12, 15, 4},                        // %15 = sums of one number
        {54, 9, 16, 0, 17},                     // OpFunction
        {5359, 10, 20, 30, 31, 14, 0x20, 8},    // %20 = load, row-major, memory operands
        {5359, 11, 21, 32, 31, 13},             // %21 = load, column-major
        {5361, 12, 22, 20, 21, 15},             // %22 = %20 · %21 + %15
        {62, 33, 22},                           // OpStore of it, elsewhere
        {5362, 1, 23, 12},                      // length
        {5360, 34, 22, 31, 13, 0x20, 8},        // store, column-major
        {56},                                   // OpFunctionEnd
    };
}

TEST(SpirvRewrite, GivesTheWordsOfTheOtherExtension) {
    Words expected = module_of({
        {17, 1},
        {17, 6022},
        text(10, "SPV_KHR_cooperative_matrix"),
        {20, 2},
        {22, 3, 16},
        {22, 4, 32},
        {21, 1, 32, 0},
        {43, 1, 8, 3},
        {41, 2, 13},
        {42, 2, 14},
        // 0, 1 and 2: uses, and the layouts.
        {43, 1, 40, 0},
        {43, 1, 41, 1},
        {43, 1, 42, 2},
        {4456, 10, 3, 8, 5, 6, 40},
        {4456, 11, 3, 8, 6, 7, 41},
        {4456, 12, 4, 8, 5, 7, 42},
        {44, 12, 15, 4},
        {54, 9, 16, 0, 17},
        {4457, 10, 20, 30, 40, 31, 0x20, 8},
        {4457, 11, 21, 32, 41, 31},
        {4459, 12, 22, 20, 21, 15},
        {62, 33, 22},
        {4460, 1, 23, 12},
        {4458, 34, 22, 41, 31, 0x20, 8},
        {56},
    });
    expected[3] = 43;
    EXPECT_EQ(with_khr_matrices(module_of(product())), expected);
}

std::string why_refused(const Words& words) {
    try {
        (void)with_khr_matrices(words);
        return "";
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

TEST(SpirvRewrite, RefusesWhatItCannotRewrite) {
    EXPECT_EQ(why_refused({1, 2, 3}), "cooperative matrices: the module is cut");
    Words cut = module_of(product());
    cut.back() = 9U << 16 | 56;
    EXPECT_EQ(why_refused(cut), "cooperative matrices: the module is cut");
    EXPECT_EQ(why_refused(module_of({{17, 1}})), "cooperative matrices: there is no matrix type");
    auto square = product();
    square[17] = {5361, 12, 22, 20, 20, 15};
    EXPECT_EQ(why_refused(module_of(square)), "cooperative matrices: a type has two uses");
    auto unused = product();
    unused.insert(unused.begin() + 13, {5358, 35, 3, 8, 7, 7});
    EXPECT_EQ(why_refused(module_of(unused)), "cooperative matrices: a type is in no product");
    auto dynamic = product();
    dynamic[15] = {5359, 10, 20, 30, 31, 36};
    EXPECT_EQ(why_refused(module_of(dynamic)), "cooperative matrices: a layout is not a constant");
    auto early = product();
    early.erase(early.begin() + 6);
    EXPECT_EQ(why_refused(module_of(early)),
              "cooperative matrices: no integer type precedes the matrix types");
    auto numbers = product();
    numbers[17] = {5361, 12, 22, 33, 21, 15};
    EXPECT_EQ(why_refused(module_of(numbers)), "cooperative matrices: a product is not of matrices");
    auto brief = product();
    brief[16] = {5359, 11, 21, 32};
    EXPECT_EQ(why_refused(module_of(brief)), "cooperative matrices: an instruction is cut");
}

/// The instructions of an embedded module, by opcode.
std::multimap<std::uint32_t, Words> instructions_of(std::string_view shader) {
    std::multimap<std::uint32_t, Words> found;
    const auto words = spirv_of(shader);
    for (std::size_t i = 5; i < words.size(); i += words[i] >> 16) {
        if ((words[i] >> 16) == 0) break;
        found.emplace(words[i] & 0xFFFFU,
                      Words(words.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                            words.begin() + static_cast<std::ptrdiff_t>(i + (words[i] >> 16))));
    }
    return found;
}

/// Debian 12's drivers do not know the extension: what they would be given is checked by its grammar.
TEST(SpirvRewrite, EmbeddedModulesFollowTheExtension) {
    std::size_t modules = 0;
    for (const std::string_view name : shader_names()) {
        if (name.find("_matrices_") == std::string_view::npos) continue;
        ++modules;
        const auto all = instructions_of(name);
        for (std::uint32_t code = 5358; code <= 5362; ++code) EXPECT_EQ(all.count(code), 0U) << name;
        EXPECT_EQ(all.count(4456), 3U) << name << ": one type for each use";
        EXPECT_GE(all.count(4457), 2U) << name;
        EXPECT_GE(all.count(4458), 1U) << name;
        EXPECT_GE(all.count(4459), 1U) << name;
        // OpMemoryModel PhysicalStorageBuffer64 Vulkan: what KHR and NV both permit.
        ASSERT_EQ(all.count(14), 1U);
        EXPECT_EQ(all.find(14)->second, (Words{5348, 3})) << name;

        std::map<std::uint32_t, std::uint32_t> constants;
        for (auto [i, end] = all.equal_range(43); i != end; ++i) constants[i->second[1]] = i->second[2];
        // A stride is a sum of a specialisation constant and 1, or of constants.
        std::set<std::uint32_t> sums;
        for (auto [i, end] = all.equal_range(52); i != end; ++i)
            if (i->second[2] == 128) sums.insert(i->second[1]);
        std::set<std::uint32_t> uses;
        std::map<std::uint32_t, std::uint32_t> use_of;
        for (auto [i, end] = all.equal_range(4456); i != end; ++i) {
            ASSERT_EQ(i->second.size(), 6U) << name;
            EXPECT_EQ(constants.at(i->second[2]), 3U) << name << ": the scope of a subgroup";
            use_of[i->second[0]] = constants.at(i->second[5]);
            uses.insert(constants.at(i->second[5]));
        }
        EXPECT_EQ(uses, (std::set<std::uint32_t>{0, 1, 2})) << name;
        // Weights, queries and results of attention lie in rows, columns and keys in columns, values in rows.
        const bool is_product = name.starts_with("mul_mat_");
        using Layouts = std::set<std::pair<std::uint32_t, std::uint32_t>>;
        Layouts layouts;
        std::set<std::uint32_t> strides;
        for (auto [i, end] = all.equal_range(4457); i != end; ++i) {
            // Stride and memory operands with their scope follow.
            ASSERT_GE(i->second.size(), 5U) << name;
            const std::uint32_t use = use_of.at(i->second[0]);
            layouts.emplace(use, constants.at(i->second[3]));
            if (use != 2U) strides.insert(i->second[4]);
        }
        EXPECT_EQ(layouts, is_product ? (Layouts{{0, 0}, {1, 1}}) : (Layouts{{0, 0}, {1, 0}, {1, 1}, {2, 0}}))
            << name;
        EXPECT_EQ(strides.size(), is_product ? 1U : 3U) << name << ": of each array in shared memory";
        for (const std::uint32_t stride : strides)
            EXPECT_TRUE(sums.contains(stride) || (!is_product && constants.contains(stride))) << name;
        for (auto [i, end] = all.equal_range(4458); i != end; ++i) {
            ASSERT_GE(i->second.size(), 4U) << name;
            EXPECT_EQ(constants.at(i->second[2]), is_product ? 1U : 0U) << name;
        }
        for (auto [i, end] = all.equal_range(4459); i != end; ++i) EXPECT_EQ(i->second.size(), 5U) << name;
    }
    EXPECT_EQ(modules, 5U + 2U) << "products of each family of types, attention over plain and small types";
}

CooperativeMatrixProperties matrix(std::uint32_t m, std::uint32_t n, std::uint32_t k, std::uint32_t input = 0,
                                   std::uint32_t result = 1, std::uint32_t scope = 3) {
    CooperativeMatrixProperties p;
    p.MSize = m;
    p.NSize = n;
    p.KSize = k;
    p.AType = p.BType = input;
    p.CType = p.ResultType = result;
    p.scope = scope;
    return p;
}

TEST(CooperativeMatrix, ChoosesTheLargestSuitableShape) {
    EXPECT_EQ(suitable_shape(std::span<const CooperativeMatrixProperties>{}), MatrixShape{});
    const std::array all = {matrix(8, 8, 16), matrix(16, 16, 16), matrix(16, 8, 16), matrix(16, 8, 8)};
    EXPECT_EQ(suitable_shape(all), (MatrixShape{16, 16, 16}));
    const std::array others = {
        matrix(16, 16, 16, 0, 0),     // sums of F16
        matrix(16, 16, 32, 3, 5),     // integers
        matrix(16, 16, 16, 0, 1, 2),  // of a work group
        matrix(32, 32, 16),           // larger than a quarter of a tile
        matrix(16, 16, 64),           // deeper than a tile
        matrix(12, 16, 16),           // does not divide it
        matrix(4, 16, 16),            // columns of F16 that are not multiples of 16 bytes
    };
    EXPECT_EQ(suitable_shape(others), MatrixShape{});
    const std::array wide = {others[0], others[3], matrix(8, 16, 16)};
    EXPECT_EQ(suitable_shape(wide), (MatrixShape{8, 16, 16}));
    CooperativeMatrixProperties saturating = matrix(16, 16, 16);
    saturating.saturatingAccumulation = VK_TRUE;
    EXPECT_EQ(suitable_shape(std::array{saturating}), MatrixShape{});
}

/// A GPU with everything.
PhysicalDevice large_device() {
    PhysicalDevice device;
    device.type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    device.subgroup_size = 32;
    device.subgroup_operations = true;
    device.subgroup_sizes = {32, 32, false};
    device.limits.maxComputeSharedMemorySize = 49152;
    device.limits.maxComputeWorkGroupInvocations = 1024;
    device.limits.maxComputeWorkGroupSize[0] = 1024;
    device.features.float16 = true;
    device.features.integer_dot_product = true;
    device.features.fast_integer_dot_product = true;
    device.features.cooperative_matrix = true;
    device.matrices = {16, 16, 16};
    return device;
}

TEST(KernelTraits, MatchTheDevice) {
    const KernelTraits all = large_device().kernel_traits();
    EXPECT_EQ(all.summing_lanes, 32U);
    EXPECT_EQ(all.reading_lanes, 0U);
    EXPECT_TRUE(all.packed_dots);
    EXPECT_TRUE(all.halves);
    EXPECT_EQ(all.matrices, (MatrixShape{16, 16, 16}));
    EXPECT_EQ(all.matrix_lanes, 32U);

    const auto without = [](auto change) {
        PhysicalDevice device = large_device();
        change(device);
        return device.kernel_traits();
    };
    using Device = PhysicalDevice;
    // Each of these alone forbids cooperative matrices.
    for (const auto& change : std::vector<void (*)(Device&)>{
             [](Device& d) { d.features.cooperative_matrix = false; }, [](Device& d) { d.matrices = {}; },
             [](Device& d) { d.features.float16 = false; }, [](Device& d) { d.subgroup_sizes = {}; },
             [](Device& d) { d.subgroup_operations = false; },
             [](Device& d) { d.limits.maxComputeWorkGroupInvocations = 127; },
             [](Device& d) { d.type = VK_PHYSICAL_DEVICE_TYPE_CPU; }}) {
        const KernelTraits traits = without(change);
        EXPECT_FALSE(traits.matrices.exists());
        EXPECT_EQ(traits.matrix_lanes, 0U);
    }
    // What matters is that subgroups have the assumed size, not how it is ensured.
    EXPECT_TRUE(without([](Device& d) { d.subgroup_sizes = {8, 64, true}; }).matrices.exists());
    EXPECT_FALSE(without([](Device& d) { d.subgroup_sizes = {8, 64, false}; }).matrices.exists());
    EXPECT_FALSE(without([](Device& d) { d.subgroup_sizes = {64, 64, true}; }).fixed_lanes);
    EXPECT_FALSE(without([](Device& d) { d.features.float16 = false; }).halves);
    EXPECT_FALSE(without([](Device& d) { d.features.fast_integer_dot_product = false; }).packed_dots);
    EXPECT_FALSE(without([](Device& d) { d.subgroup_operations = false; }).packed_dots);
    const KernelTraits software = without([](Device& d) { d.type = VK_PHYSICAL_DEVICE_TYPE_CPU; });
    EXPECT_FALSE(software.halves || software.packed_dots);
    EXPECT_EQ(software.reading_lanes, 32U);
}

}  // namespace
}  // namespace splitscope::vulkan
