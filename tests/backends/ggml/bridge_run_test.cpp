// SPDX-License-Identifier: MIT
// Models run on the engine's devices, from our schedules.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backends/interface/machine_of_devices.hpp"
#include "backends/interface/registry.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/open_session.hpp"
#include "tests/backends/ggml/bridge_fixture.hpp"
#include "tests/golden/golden_kind.hpp"

namespace splitscope::ggml {
namespace {

class BridgeRun : public RealEngine {
 protected:
    void SetUp() override {
        models_ = golden::folder("models");
        if (!models_) GTEST_SKIP() << golden::absent("models");
    }

    /// The reference's prompt and the tokens that it goes on with.
    std::vector<std::int32_t> tokens_on(const std::vector<std::string>& devices,
                                        const std::filesystem::path& folder, const std::string& model,
                                        std::int32_t gpu_layers) const {
        const auto kinds = std::make_shared<BackendRegistry>();
        kinds->add(std::make_shared<GgmlKind>(engine_options()));
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
    std::optional<std::filesystem::path> models_;
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
    GgmlKind kind(engine_options());
    if (kind.open(*folder)->find("Vulkan0") == nullptr)
        GTEST_SKIP() << "NOT RUN: the engine found no Vulkan device";
    EXPECT_EQ(tokens_on({"engine:Vulkan0", "engine:CPU"}, *folder, "stories260K.gguf", 3), kReference);
    // With our own CPU beside it.
    EXPECT_EQ(tokens_on({"engine:Vulkan0"}, *folder, "stories260K.gguf", 3), kReference);
}

}  // namespace
}  // namespace splitscope::ggml
