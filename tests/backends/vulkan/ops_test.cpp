// SPDX-License-Identifier: MIT
// Every operation supported by the Vulkan backend against the reference engine's results (golden/ops).
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backends/vulkan/op_table.hpp"
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

/// A variant of the kernels, with a backend that chooses them.
struct VariantBackend {
    KernelVariant variant;
    std::unique_ptr<VulkanBackend> backend;
    Score claimed;
};

/// Other devices choose other kernels for products and attention.
TEST(VulkanGoldenOps, EveryVariantOfProductsAndAttentionIsWithinItsTolerance) {
    const auto data_folder = folder("ops");
    if (!data_folder) GTEST_SKIP() << absent("ops");
    const VulkanRig rig = make_vulkan_rig(false);
    if (!rig.why_not.empty()) GTEST_SKIP() << rig.why_not;
    std::vector<VariantBackend> all;
    for (KernelVariant& variant : kernel_variants(rig.device().logical()->physical())) {
        all.push_back({std::move(variant), std::make_unique<VulkanBackend>(rig.device()), {}});
        all.back().backend->set_kernels(all.back().variant.traits);
    }
    for (const std::string op : {"MUL_MAT", "MUL_MAT_ID", "FLASH_ATTN_EXT"}) {
        for (OpVector& v : read_op_vectors(*data_folder / (op + ".json"))) {
            if (!refusal(v, *all.front().backend).empty()) continue;
            // Kernels of an earlier variant, the first of which the test above computes.
            std::set<std::pair<std::string_view, vulkan::Constants>> computed;
            for (VariantBackend& each : all) {
                std::vector<vulkan::Pass> passes;
                const GraphView graph(v.graph);
                vulkan::find_op(graph[v.result].op)->plan({graph, v.result, each.variant.traits}, passes);
                bool is_new = false;
                for (const vulkan::Pass& pass : passes)
                    is_new = computed.emplace(pass.shader, pass.constants).second || is_new;
                if (!is_new || &each == &all.front()) continue;
                const std::string wrong = mismatch(v, *each.backend);
                each.claimed.add(wrong.empty());
                EXPECT_EQ(wrong, "") << each.variant.name << ": " << op << " '" << v.name << "' "
                                     << types_of(v);
            }
        }
    }
    for (const VariantBackend& each : all) {
        if (&each == &all.front()) continue;
        report("products and attention, " + each.variant.name, each.claimed);
        EXPECT_GT(each.claimed.total, 0U) << each.variant.name;
    }
    EXPECT_EQ(rig.messages(), "");
}

}  // namespace
}  // namespace splitscope::golden
