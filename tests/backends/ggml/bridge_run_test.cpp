// SPDX-License-Identifier: MIT
// Runs of models on the engine's devices with Splitscope's schedules.
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backends/interface/machine_of_devices.hpp"
#include "backends/interface/registry.hpp"
#include "engine/session/compare_backends.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/open_session.hpp"
#include "tests/backends/ggml/bridge_models_fixture.hpp"

namespace splitscope::ggml {
namespace {

class BridgeRun : public RealEngineOnModels {
 protected:
    /// The reference's prompt and its generated tokens.
    std::vector<std::int32_t> tokens_on(const std::vector<std::string>& devices,
                                        const std::filesystem::path& folder, const std::string& model,
                                        GpuLayers gpu_layers) const {
        const auto kinds = std::make_shared<BackendRegistry>();
        kinds->add(std::make_shared<GgmlBackendKind>(engine_options()));
        const KindOptions options = {{"engine", folder.string()}};
        Session session = open_session(*models_ / model);
        session.kinds = kinds;
        session.machine = machine_of_devices(devices, *kinds, options);
        session.model_options.gpu_layers = gpu_layers;
        RunOptions run;
        run.prompt_tokens = {1, 403, 407, 261, 378, 270, 281};
        run.tokens = 5;
        run.sampling.temperature = 0;
        run.kind_options = options;
        run.threads = 1;
        const RunResult result = run_model(session, run);
        EXPECT_TRUE(result.note.empty()) << result.note;
        return result.tokens;
    }

    static inline const std::vector<std::int32_t> kReference = {286, 399, 344, 444, 429};
};

TEST_F(BridgeRun, OnTheEnginesCpuGivesTheReferencesTokens) {
    const auto folder = libraries("linux-x64");
    if (!folder) GTEST_SKIP() << kAbsent;
    EXPECT_EQ(tokens_on({"engine:CPU"}, *folder, "stories260K.gguf", 0), kReference);
}

TEST_F(BridgeRun, OnTwoDevicesOfTheEngineGivesTheReferencesTokens) {
    const auto folder = libraries("linux-x64-vulkan");
    if (!folder) GTEST_SKIP() << kAbsent;
    ::setenv("GGML_VK_VISIBLE_DEVICES", "0", 1);
    GgmlBackendKind kind(engine_options());
    if (kind.open(*folder)->find("Vulkan0") == nullptr)
        GTEST_SKIP() << "NOT RUN: the engine found no Vulkan device";
    EXPECT_EQ(tokens_on({"engine:Vulkan0", "engine:CPU"}, *folder, "stories260K.gguf", 3), kReference);
    // With Splitscope's CPU.
    EXPECT_EQ(tokens_on({"engine:Vulkan0"}, *folder, "stories260K.gguf", 3), kReference);
}

TEST_F(BridgeRun, TwoBuildsAreComparedNodeByNode) {
    const auto one = libraries("linux-x64");
    const auto other = libraries("linux-x64-vulkan");
    if (!one || !other) GTEST_SKIP() << kAbsent;
    const auto kinds = std::make_shared<BackendRegistry>();
    kinds->add(std::make_shared<GgmlBackendKind>(engine_options()));
    Session session = open_session(*models_ / "stories260K.gguf");
    session.kinds = kinds;
    BackendComparisonOptions options;
    options.threads = 1;
    const std::string tested = "engine:CPU@" + one->string();
    const std::string reference = "engine:CPU@" + other->string();
    const BackendComparison compared = compare_backends(session, tested, reference, options);
    EXPECT_TRUE(compared.same());
    EXPECT_GT(compared.compared, 100U);
    EXPECT_EQ(compared.refused, 0U);
    EXPECT_EQ(compared.tested, tested);
    EXPECT_EQ(compared.reference, reference);
    std::chrono::nanoseconds tested_time{};
    std::chrono::nanoseconds reference_time{};
    for (const NodeComparison& node : compared.graphs.front().nodes) {
        tested_time += node.tested_time;
        reference_time += node.reference_time;
    }
    EXPECT_GT(tested_time.count(), 0);
    EXPECT_GT(reference_time.count(), 0);
}

TEST_F(BridgeRun, TheEnginesCpuComputesAsOurs) {
    const auto folder = libraries("linux-x64");
    if (!folder) GTEST_SKIP() << kAbsent;
    const auto kinds = std::make_shared<BackendRegistry>();
    kinds->add(std::make_shared<GgmlBackendKind>(engine_options()));
    Session session = open_session(*models_ / "stories260K.gguf");
    session.kinds = kinds;
    BackendComparisonOptions options;
    options.threads = 1;
    options.kind_options = {{"engine", folder->string()}};
    const BackendComparison compared = compare_backends(session, "engine:CPU", "cpu", options);
    EXPECT_TRUE(compared.same()) << compared.exceeding << " of " << compared.compared;
    EXPECT_GT(compared.compared, 100U);
}

TEST_F(BridgeRun, KnownAnswersAreScheduledQuickly) {
    const auto folder = libraries("linux-x64");
    if (!folder) GTEST_SKIP() << kAbsent;
    const auto kind = std::make_shared<GgmlBackendKind>(engine_options());
    BackendRegistry kinds;
    kinds.add(kind);
    const std::vector<std::string> devices = {"engine:CPU"};
    Machine machine = machine_of_devices(devices, kinds, {{"engine", folder->string()}});
    Session session = open_session(*models_ / "header-llama-3-70b-q4_k_m.gguf");
    const std::shared_ptr<const Graph> graph = analyse(session)->graph;
    const std::vector<bool> keep(machine.backends.size());
    record_support(machine, kinds, *graph, keep);
    EXPECT_EQ(machine.backends.front().supports.size(), graph->nodes.size());
    auto best = std::chrono::nanoseconds::max();
    for (int i = 0; i < 5; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        record_support(machine, kinds, *graph, keep);
        best = std::min<std::chrono::nanoseconds>(best, std::chrono::steady_clock::now() - begin);
    }
    const double per_node = static_cast<double>(best.count()) / static_cast<double>(graph->nodes.size());
    fmt::print("known answers: {} nodes, {:.2f} us each\n", graph->nodes.size(), per_node / 1e3);
    // 5,000 nodes in 50 ms; sanitizers and busy machines take longer.
    EXPECT_LT(per_node, 5 * 10'000.0);
}

}  // namespace
}  // namespace splitscope::ggml
