// SPDX-License-Identifier: MIT
// Runs of models on the engine's devices with Splitscope's schedules.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backends/interface/machine_of_devices.hpp"
#include "backends/interface/registry.hpp"
#include "engine/session/compare_backends.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/open_session.hpp"
#include "engine/session/simulate.hpp"
#include "engine/tensor/graph_builder.hpp"
#include "tests/backends/ggml/bridge_models_fixture.hpp"
#include "tests/support/under_sanitizer.hpp"

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
        EXPECT_TRUE(result.notes.empty()) << result.notes.front();
        return result.tokens;
    }

    static inline const std::vector<std::int32_t> kReference = {286, 399, 344, 444, 429};
};

TEST_F(BridgeRun, MatchesReferenceTokensOnTheEnginesCpu) {
    const auto folder = libraries("linux-x64");
    if (!folder) GTEST_SKIP() << kAbsent;
    EXPECT_EQ(tokens_on({"engine:CPU"}, *folder, "stories260K.gguf", 0), kReference);
}

/// Their kernels read these types in a layout of their own.
TEST_F(BridgeRun, RepackedWeightsMatchOurLogits) {
    const auto folder = libraries("linux-x64");
    if (!folder) GTEST_SKIP() << kAbsent;
    const auto kinds = std::make_shared<BackendRegistry>();
    kinds->add(std::make_shared<GgmlBackendKind>(engine_options()));
    for (const char* type : {"q4_0", "q8_0", "q4_K", "q6_K", "iq4_nl"}) {
        Session session = open_session(*models_ / fmt::format("tiny-llama256-{}.gguf", type));
        session.kinds = kinds;
        RunOptions run;
        run.prompt_tokens = {1, 403, 407, 261, 378, 270, 281};
        run.tokens = 2;
        run.sampling.temperature = 0;
        run.threads = 1;
        RunObserver observer;
        observer.want_logits = true;
        std::vector<std::vector<float>> logits;
        for (const char* device : {"cpu", "engine:CPU", "engine:CPU"}) {
            run.kind_options = {{"engine", folder->string()}};
            const std::vector<std::string> devices = {device};
            session.machine = machine_of_devices(devices, *kinds, run.kind_options);
            const RunResult result = run_model(session, run, observer);
            EXPECT_TRUE(result.notes.empty()) << result.notes.front();
            ASSERT_FALSE(result.logits.empty());
            logits.push_back(result.logits.front());
        }
        double error = 0;
        double power = 0;
        for (std::size_t i = 0; i < logits[0].size(); ++i) {
            error += (logits[1][i] - logits[0][i]) * (logits[1][i] - logits[0][i]);
            power += logits[0][i] * logits[0][i];
        }
        EXPECT_LT(error, 1e-3 * power) << type;
        // The second run finds them converted.
        EXPECT_EQ(logits[1], logits[2]) << type;
    }
}

TEST_F(BridgeRun, MatchesReferenceTokensOnTwoEngineDevices) {
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

TEST_F(BridgeRun, ComparesTwoBuildsNodeByNode) {
    const auto one = libraries("linux-x64");
    const auto other = older_libraries();
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

TEST_F(BridgeRun, EngineCpuMatchesOurs) {
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

/// 5,000 nodes: products, sums, norms and scales.
Graph layers() {
    constexpr int kLayers = 1250;
    constexpr std::int64_t kWidth = 256;
    GraphBuilder build("layers");
    TensorId x = build.new_input(ElementType::f32, {kWidth, 8, 1, 1}, "x");
    for (int layer = 0; layer < kLayers; ++layer) {
        const TensorId w =
            build.new_tensor(ElementType::q8_0, {kWidth, kWidth, 1, 1}, fmt::format("w-{}", layer));
        x = build.scale(build.add(build.mul_mat(w, build.rms_norm(x, 1e-5F)), x), 0.5F);
    }
    build.expand(x);
    return build.take();
}

double processor_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

TEST_F(BridgeRun, Schedules5000NodesWithCachedAnswersIn50Milliseconds) {
    const auto folder = libraries("linux-x64");
    if (!folder) GTEST_SKIP() << kAbsent;
    const auto kind = std::make_shared<GgmlBackendKind>(engine_options());
    BackendRegistry kinds;
    kinds.add(kind);
    const std::vector<std::string> devices = {"engine:CPU"};
    Machine machine = machine_of_devices(devices, kinds, {{"engine", folder->string()}});
    const auto graph = std::make_shared<const Graph>(layers());
    ASSERT_EQ(graph->nodes.size(), 5000U);
    const std::vector<bool> keep(machine.backends.size());
    record_support(machine, kinds, *graph, keep);
    EXPECT_EQ(machine.backends.front().supports.size(), graph->nodes.size());
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 5; ++i) {
        const double begin = processor_seconds();
        record_support(machine, kinds, *graph, keep);
        const Simulation simulation =
            simulate(graph, std::make_shared<const Machine>(machine), Generation::g2026_08);
        best = std::min(best, processor_seconds() - begin);
        EXPECT_FALSE(simulation.schedule->error);
    }
    fmt::print("5,000 nodes with known answers: {:.1f} ms\n", best * 1e3);
#ifdef __OPTIMIZE__
    if (!testing::kUnderSanitizer) {
        EXPECT_LT(best, 0.05);
    }
#endif
}

}  // namespace
}  // namespace splitscope::ggml
