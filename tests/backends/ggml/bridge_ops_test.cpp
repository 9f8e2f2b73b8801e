// SPDX-License-Identifier: MIT
// Every operation supported by the engine's devices, through the bridge, against the recordings
// (golden/ops).
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backends/ggml/ggml_backend.hpp"
#include "tests/backends/ggml/bridge_fixture.hpp"
#include "tests/golden/golden_kind.hpp"
#include "tests/golden/op_vectors.hpp"

namespace splitscope::ggml {
namespace {

using namespace splitscope::golden;

class BridgeOps : public RealEngine {
 protected:
    /// The installed build is newer than the recordings and gives different results for this operation.
    static bool is_changed(const OpVector& v) { return v.graph[v.result].op == Op::dsv4_hc_pre; }

    /// Computes the supported vectors; returns the number of correct ones.
    static Score compute_claimed(GgmlDevice& device, const std::filesystem::path& data_folder) {
        // More threads than processors would wait for each other.
        GgmlBackend backend(device, 1);
        Score claimed;
        std::map<std::string, int> refused;
        for (const auto& path : op_files(data_folder)) {
            for (OpVector& v : read_op_vectors(path)) {
                const std::string op(name_of(v.graph[v.result].op));
                if (is_changed(v)) {
                    fmt::print("  NOT COMPARED, computed otherwise by this build: {} '{}'\n", op, v.name);
                    continue;
                }
                if (!refusal(v, backend).empty()) {
                    ++refused[fmt::format("{} {}", op, types_of(v))];
                    continue;
                }
                const std::string wrong = mismatch(v, backend);
                claimed.add(wrong.empty());
                EXPECT_EQ(wrong, "") << op << " '" << v.name << "' " << types_of(v);
            }
        }
        for (const auto& [name, count] : refused) fmt::print("  refused: {} ({})\n", name, count);
        return claimed;
    }
};

TEST_F(BridgeOps, OnTheEnginesCpuAreWithinTheirTolerance) {
    const auto data_folder = folder("ops");
    if (!data_folder) GTEST_SKIP() << absent("ops");
    const auto engine = libraries("linux-x64");
    if (!engine) GTEST_SKIP() << kAbsent;
    GgmlBackendKind kind(engine_options());
    GgmlDevice* const cpu = kind.open(*engine)->find("CPU");
    ASSERT_NE(cpu, nullptr);
    const Score claimed = compute_claimed(*cpu, *data_folder);
    report("ops on " + cpu->name(), claimed);
    EXPECT_GT(claimed.total, 1000U);
}

/// A software device compiles a shader for nearly every vector, and takes minutes for the largest shaders:
/// one vector per operation and types, and slow operations are skipped with a message.
TEST_F(BridgeOps, OneOfEachKindOnTheEnginesVulkanIsWithinItsTolerance) {
    const auto data_folder = folder("ops");
    if (!data_folder) GTEST_SKIP() << absent("ops");
    const auto engine = libraries("linux-x64-vulkan");
    if (!engine) GTEST_SKIP() << kAbsent;
    ::setenv("GGML_VK_VISIBLE_DEVICES", "0", 1);
    EngineOptions impatient = engine_options();
    impatient.compute_limit = std::chrono::seconds(5);
    GgmlBackendKind kind(impatient);
    if (kind.open(*engine)->find("Vulkan0") == nullptr)
        GTEST_SKIP() << "NOT RUN: the engine found no Vulkan device";
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(50);
    Score claimed;
    std::set<std::string> seen;
    std::size_t left_out = 0;
    std::shared_ptr<EngineDevices> devices;
    std::unique_ptr<GgmlBackend> backend;
    for (const auto& path : op_files(*data_folder)) {
        for (OpVector& v : read_op_vectors(path)) {
            if (devices == nullptr || !devices->engine().is_alive()) {
                backend.reset();
                devices = kind.open(*engine);
                backend = std::make_unique<GgmlBackend>(*devices->find("Vulkan0"), 1);
            }
            const std::string op(name_of(v.graph[v.result].op));
            if (is_changed(v) || !refusal(v, *backend).empty() || !seen.insert(op + types_of(v)).second)
                continue;
            if (Clock::now() > end) {
                ++left_out;
                continue;
            }
            const std::string wrong = mismatch(v, *backend);
            if (!devices->engine().is_alive()) {
                fmt::print("  NOT COMPARED, its shader takes longer than 5 s: {} {}\n", op, types_of(v));
                continue;
            }
            claimed.add(wrong.empty());
            EXPECT_EQ(wrong, "") << op << " '" << v.name << "' " << types_of(v);
        }
    }
    if (left_out > 0) fmt::print("  NOT COMPARED, the time is up: {} operations and types\n", left_out);
    report("ops on engine:Vulkan0", claimed);
    EXPECT_GT(claimed.total, 100U);
}

}  // namespace
}  // namespace splitscope::ggml
