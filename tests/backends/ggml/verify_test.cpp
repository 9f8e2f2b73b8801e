// SPDX-License-Identifier: MIT
// The engine's own scheduler compared with the simulated one, on the same graphs and devices.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backends/interface/machine_of_devices.hpp"
#include "backends/interface/registry.hpp"
#include "engine/messages/render.hpp"
#include "engine/session/open_session.hpp"
#include "engine/session/verify_schedule.hpp"
#include "engine/support/error.hpp"
#include "tests/backends/ggml/bridge_models_fixture.hpp"
#include "tests/golden/golden_kind.hpp"

namespace splitscope::ggml {
namespace {

class BridgeVerify : public RealEngineOnModels {
 protected:
    /// Runnable models and headers.
    std::vector<std::filesystem::path> models() const {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(*models_))
            if (entry.path().extension() == ".gguf") files.push_back(entry.path());
        std::ranges::sort(files);
        return files;
    }

    /// Both graphs of every model, without and with flash attention.
    void expect_no_difference(const std::vector<std::string>& devices, const std::filesystem::path& folder,
                              GpuLayers gpu_layers, std::vector<std::string> used = {}) const {
        const auto kinds = std::make_shared<BackendRegistry>();
        kinds->add(std::make_shared<GgmlBackendKind>(engine_options()));
        const Machine machine = machine_of_devices(devices, *kinds, {{"engine", folder.string()}});
        golden::Score score;
        for (const auto& file : models()) {
            Session session = open_session(file);
            session.kinds = kinds;
            session.machine = machine;
            session.generation = Generation::g2026_08;
            session.model_options.gpu_layers = gpu_layers;
            session.model_options.accelerators = used;
            for (const bool flash_attention : {false, true}) {
                session.model_options.flash_attention = flash_attention;
                for (const GraphKind kind : {GraphKind::prefill, GraphKind::decode}) {
                    session.model_options.kind = kind;
                    const ScheduleVerification v = verify_schedule(*analyse(session));
                    EXPECT_GT(v.tensors, 0U);
                    EXPECT_EQ(v.sizes.size(), machine.backends.size());
                    EXPECT_TRUE(v.same())
                        << file.filename() << (flash_attention ? ", flash attention" : "")
                        << (kind == GraphKind::prefill ? ", prompt: " : ", decode: ") << english(v.first);
                    score.add(v.same());
                }
            }
        }
        golden::report("verified on " + joined_names(machine), score);
        EXPECT_GT(score.total, 0U);
    }
};

TEST_F(BridgeVerify, EngineCpuMatches) {
    const auto folder = libraries("linux-x64");
    if (!folder) GTEST_SKIP() << kAbsent;
    expect_no_difference({"engine:CPU"}, *folder, 0);
}

TEST_F(BridgeVerify, TwoDevicesMatch) {
    const auto folder = libraries("linux-x64-vulkan");
    if (!folder) GTEST_SKIP() << kAbsent;
    ::setenv("GGML_VK_VISIBLE_DEVICES", "0", 1);
    GgmlBackendKind kind(engine_options());
    if (kind.open(*folder)->find("Vulkan0") == nullptr)
        GTEST_SKIP() << "NOT RUN: the engine found no Vulkan device";
    expect_no_difference({"engine:Vulkan0", "engine:CPU"}, *folder, GpuLayers::half());
    expect_no_difference({"engine:Vulkan0", "engine:CPU"}, *folder, GpuLayers::half(), {"none"});
}

TEST_F(BridgeVerify, RefusesDevicesWithoutAScheduler) {
    Session session = open_session(*models_ / "stories260K.gguf");
    session.kinds = std::make_shared<BackendRegistry>();
    EXPECT_THROW(verify_schedule(*analyse(session)), Error);
}

TEST_F(BridgeVerify, NamesTheDifference) {
    const auto folder = libraries("linux-x64");
    if (!folder) GTEST_SKIP() << kAbsent;
    const auto kinds = std::make_shared<BackendRegistry>();
    kinds->add(std::make_shared<GgmlBackendKind>(engine_options()));
    const std::vector<std::string> devices = {"engine:CPU"};
    Session session = open_session(*models_ / "stories260K.gguf");
    session.kinds = kinds;
    session.machine = machine_of_devices(devices, *kinds, {{"engine", folder->string()}});
    session.generation = Generation::g2026_08;
    auto analysis = *analyse(session);
    Schedule other = *analysis.schedule;
    const TensorId node = analysis.graph->nodes[3];
    other.backend[node.index()] = BackendId();
    analysis.schedule = std::make_shared<const Schedule>(other);
    const ScheduleVerification v = verify_schedule(analysis);
    EXPECT_FALSE(v.same());
    EXPECT_EQ(v.elsewhere, 1U);
    EXPECT_NE(english(v.first).find((*analysis.graph)[node].name), std::string::npos) << english(v.first);
}

}  // namespace
}  // namespace splitscope::ggml
