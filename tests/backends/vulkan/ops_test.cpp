// SPDX-License-Identifier: MIT
// Every operation supported by the Vulkan backend against the reference engine's results (golden/ops).
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backends/vulkan/vulkan_backend.hpp"
#include "tests/backends/vulkan/kernel_variants.hpp"
#include "tests/backends/vulkan/vulkan_rig.hpp"
#include "tests/golden/golden_kind.hpp"
#include "tests/golden/op_vectors.hpp"

namespace splitscope::golden {
namespace {

TEST(VulkanGoldenOps, SupportedVectorsAreWithinTolerance) {
    const auto data_folder = folder("ops");
    if (!data_folder) GTEST_SKIP() << absent("ops");
    const VulkanRig rig = make_vulkan_rig(false);
    if (!rig.why_not.empty()) GTEST_SKIP() << rig.why_not;
    const auto backend = rig.device().new_backend();
    Score claimed;
    std::map<std::string, int> refused;
    int all = 0;
    for (const auto& path : op_files(*data_folder)) {
        for (OpVector& v : read_op_vectors(path)) {
            ++all;
            const std::string op(name_of(v.graph[v.result].op));
            if (!refusal(v, *backend).empty()) {
                ++refused[fmt::format("{} {}", op, types_of(v))];
                continue;
            }
            const std::string wrong = mismatch(v, *backend);
            claimed.add(wrong.empty());
            EXPECT_EQ(wrong, "") << op << " '" << v.name << "' " << types_of(v);
        }
    }
    for (const auto& [name, count] : refused) fmt::print("  refused: {} ({})\n", name, count);
    report(fmt::format("ops on {} (of {} vectors)", rig.device().description(), all), claimed);
    EXPECT_GT(claimed.total, 0U);
    EXPECT_EQ(rig.messages(), "");
}

/// Other devices choose other kernels for products and attention.
TEST(VulkanGoldenOps, EveryVariantOfProductsAndAttentionIsWithinItsTolerance) {
    const auto data_folder = folder("ops");
    if (!data_folder) GTEST_SKIP() << absent("ops");
    const VulkanRig rig = make_vulkan_rig(false);
    if (!rig.why_not.empty()) GTEST_SKIP() << rig.why_not;
    for (const KernelVariant& variant : kernel_variants(rig.device().logical()->physical())) {
        if (variant.name == "own") continue;
        VulkanBackend backend(rig.device());
        backend.set_kernels(variant.traits);
        Score claimed;
        for (const auto& path : op_files(*data_folder)) {
            const std::string op = path.stem().string();
            if (op != "MUL_MAT" && op != "MUL_MAT_ID" && op != "FLASH_ATTN_EXT") continue;
            for (OpVector& v : read_op_vectors(path)) {
                if (!refusal(v, backend).empty()) continue;
                const std::string wrong = mismatch(v, backend);
                claimed.add(wrong.empty());
                EXPECT_EQ(wrong, "") << variant.name << ": " << op << " '" << v.name << "' " << types_of(v);
            }
        }
        report("products and attention, " + variant.name, claimed);
        EXPECT_GT(claimed.total, 0U);
    }
    EXPECT_EQ(rig.messages(), "");
}

}  // namespace
}  // namespace splitscope::golden
