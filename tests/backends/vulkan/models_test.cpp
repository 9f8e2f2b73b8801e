// SPDX-License-Identifier: MIT
// The recorded logits and greedy tokens of small models, computed on a Vulkan device alone and by halves with
// the CPU.
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backends/interface/machine_of_devices.hpp"
#include "tests/backends/vulkan/vulkan_rig.hpp"
#include "tests/golden/golden_kind.hpp"
#include "tests/golden/recorded_logits.hpp"

namespace splitscope::golden {
namespace {

/// One recorded case of each model: the first, or the last.
std::vector<nlohmann::json> one_case_per_model(const nlohmann::json& cases, bool last) {
    std::map<std::string, nlohmann::json> chosen;
    for (const auto& recorded : cases) {
        const auto [entry, inserted] = chosen.try_emplace(recorded["model"].get<std::string>(), recorded);
        if (!inserted && last) entry->second = recorded;
    }
    std::vector<nlohmann::json> list;
    for (auto& [model, recorded] : chosen) list.push_back(std::move(recorded));
    return list;
}

/// The recorded results are also the CPU's: check that the device computed them.
void expect_products_on_the_device(Session session) {
    session.model_options.kind = GraphKind::decode;
    const auto analysis = analyse(session);
    std::size_t products = 0;
    std::size_t on_device = 0;
    for (const TensorId node : analysis->graph->nodes) {
        if ((*analysis->graph)[node].op != Op::mul_mat) continue;
        ++products;
        on_device += analysis->schedule->backend[node.index()] == BackendId(0) ? 1 : 0;
    }
    if (session.model_options.gpu_layers == GpuLayers::half()) {
        EXPECT_GT(on_device, 0U);
    } else {
        EXPECT_EQ(on_device, products);
    }
}

void check_logits(GpuLayers gpu_layers, bool flash_attention, const std::string& name) {
    const auto data_folder = folder("logits");
    if (!data_folder) GTEST_SKIP() << absent("logits");
    VulkanRig rig = make_vulkan_rig();
    if (!rig.why_not.empty()) GTEST_SKIP() << rig.why_not;
    const BackendKinds kinds = rig.kinds();
    const std::array<std::string, 2> names{"vulkan0", "cpu"};
    const Machine machine = machine_of_devices(names, *kinds);
    Score score;
    const nlohmann::json document = read_json(*data_folder / "logits.json");
    const bool last = gpu_layers == GpuLayers::half();
    for (const auto& recorded : one_case_per_model(document["cases"], last)) {
        Session session = recorded_settings(open_file(root() / recorded["model"].get<std::string>()));
        // Attention does not depend on the weights' type.
        if (flash_attention && nmse_limit(session.file->model->file()) > kF16Limit) continue;
        session.machine = machine;
        session.kinds = kinds;
        session.model_options.gpu_layers = gpu_layers;
        session.model_options.flash_attention = flash_attention;
        const std::string difference =
            logits_difference(recorded, *data_folder, session, Activations::kept).text;
        score.add(difference.empty());
        expect_products_on_the_device(session);
        EXPECT_EQ(difference, "") << recorded["name"];
    }
    report(name, score);
    for (const std::string& message : rig.kind->messages()) ADD_FAILURE() << message;
}

TEST(VulkanGoldenModels, LogitsOnTheDeviceAlone) {
    check_logits(GpuLayers::all(), false, "logits on Vulkan");
}

TEST(VulkanGoldenModels, LogitsWithHalfTheLayersOnTheCpu) {
    check_logits(GpuLayers::half(), false, "logits on Vulkan and CPU by halves");
}

TEST(VulkanGoldenModels, LogitsByFlashAttention) {
    check_logits(GpuLayers::all(), true, "logits on Vulkan by flash attention");
}

}  // namespace
}  // namespace splitscope::golden
