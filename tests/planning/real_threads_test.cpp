// SPDX-License-Identifier: MIT
// Questions of public threads, answered by the plan.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/models/random_model.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/fitting.hpp"
#include "engine/planning/lint.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/session/model_placement.hpp"
#include "tests/formats/gguf_writer.hpp"

namespace splitscope {
namespace {

namespace fs = std::filesystem;

struct Planned {
    std::shared_ptr<const GgufFile> file;
    std::shared_ptr<const Model> model;
    ModelPlan plan(const std::vector<std::string>& devices, const PlacementFlags& flags) const {
        return plan_model(*file, model.get(), hardware_of_presets(devices), flags, Generation::g2026_08);
    }
};

Planned opened(const fs::path& path) {
    Planned planned;
    planned.file = GgufFile::open(path);
    planned.model = make_model(planned.file);
    return planned;
}

/// The shape of an 8B model, header only.
const Planned& eight_billion(ElementType type) {
    static std::map<ElementType, Planned> made;
    Planned& planned = made[type];
    if (planned.file == nullptr) {
        const test::TemporaryFile place("");
        RandomModelOptions options = kShapeOf8b;
        options.type = type;
        options.header_only = true;
        write_random_model(place.path(), options);
        planned = opened(place.path());
    }
    return planned;
}

fs::path golden_model(const char* name) {
    const char* chosen = std::getenv("SPLITSCOPE_GOLDEN");
    return fs::path(chosen != nullptr ? chosen : SPLITSCOPE_GOLDEN_DIR) / "models" / name;
}

bool has_rule(const std::vector<Finding>& list, std::string_view rule) {
    return std::ranges::find(list, rule, &Finding::rule) != list.end();
}

PlacementFlags server_flags() {
    PlacementFlags flags;
    flags.context = 8192;
    flags.flash_attention = FlashAttention::on;
    return flags;
}

/// llama.cpp#28455: a cache of q5_1 on CUDA moves attention of every block to the CPU; #27109: so do two
/// types.
TEST(RealThreads, CachesWithoutKernelsOnCuda) {
    const Planned& model = eight_billion(ElementType::q4_0);
    PlacementFlags flags = server_flags();
    flags.cache_type_k = flags.cache_type_v = ElementType::q8_0;
    const ModelPlan fine = model.plan({"rtx-4090"}, flags);
    EXPECT_EQ(fine.decode->splits, 2U);
    EXPECT_FALSE(has_rule(lint(fine), "attention-unsupported"));
    for (const auto& [k, v] :
         {std::pair(ElementType::q5_1, ElementType::q5_1), std::pair(ElementType::q8_0, ElementType::q4_0)}) {
        flags.cache_type_k = k;
        flags.cache_type_v = v;
        const ModelPlan plan = model.plan({"rtx-4090"}, flags);
        ASSERT_TRUE(plan.decode);
        // Back and forth in each of 32 blocks.
        EXPECT_EQ(plan.decode->splits, 2U + 2 * 32) << name_of(k) << "/" << name_of(v);
        EXPECT_TRUE(has_rule(lint(plan), "attention-unsupported"));
        EXPECT_GT(plan.decode->copied_bytes, fine.decode->copied_bytes);
    }
}

/// Weights that the CPU interleaves are in memory twice while the file is mapped.
TEST(RealThreads, RepackingDoublesHostMemory) {
    const Planned& model = eight_billion(ElementType::q4_0);
    PlacementFlags flags = server_flags();
    const auto weights = [&](const PlacementFlags& with) {
        return model.plan({"ryzen-5600-ddr4"}, with).devices.back().weights;
    };
    const std::uint64_t twice = weights(flags);
    flags.repack = false;
    const std::uint64_t once = weights(flags);
    // All but the embeddings, which are looked up.
    EXPECT_GT(twice, once + once * 8 / 10);
    EXPECT_LT(twice, 2 * once);
    // Read into memory instead of mapped, there is one copy of each.
    flags.repack = true;
    flags.memory_map = false;
    const std::uint64_t read = weights(flags);
    EXPECT_LT(read, once + once / 50);
    // A device's pinned memory has priority, so that nothing is repacked beside one (placement.md §3).
    flags.memory_map = true;
    flags.gpu_layers = 0;
    const std::uint64_t beside = model.plan({"rtx-4090", "ryzen-5600-ddr4"}, flags).devices.back().weights;
    EXPECT_LT(beside, once + once / 50);
    flags.pinned_host = false;
    EXPECT_GT(model.plan({"rtx-4090", "ryzen-5600-ddr4"}, flags).devices.back().weights, beside + beside / 2);
    // Types without such kernels stay where they are.
    PlacementFlags plain = server_flags();
    const Planned& other = eight_billion(ElementType::q8_0);
    const auto both = other.plan({"ryzen-5600-ddr4"}, plain).devices.back().weights;
    plain.repack = false;
    EXPECT_EQ(both, other.plan({"ryzen-5600-ddr4"}, plain).devices.back().weights);
}

/// Interleaved weights are not copied to a device for large batches.
TEST(RealThreads, RepackedWeightsAreNotUploaded) {
    const Planned& model = eight_billion(ElementType::q4_0);
    PlacementFlags flags = server_flags();
    flags.gpu_layers = 10;
    const std::vector<std::string> computer = {"rtx-4060-laptop", "core-13700h-ddr5"};
    EXPECT_GT(model.plan(computer, flags).prompt->uploaded_weight_bytes, std::uint64_t{1} << 30);
    flags.pinned_host = false;
    const ModelPlan repacked = model.plan(computer, flags);
    // Norms are not repacked, and are in host memory.
    EXPECT_LT(repacked.prompt->uploaded_weight_bytes, std::uint64_t{1} << 20);
    flags.repack = false;
    EXPECT_GT(model.plan(computer, flags).prompt->uploaded_weight_bytes, std::uint64_t{1} << 30);
}

/// Vulkan has no kernel for the scan of the first Mamba: each block comes back to the CPU.
TEST(RealThreads, MambaOnVulkan) {
    const fs::path path = golden_model("tiny-mamba.gguf");
    if (!fs::exists(path)) GTEST_SKIP() << "*** NOT CHECKED: no golden models; set SPLITSCOPE_GOLDEN ***";
    const Planned model = opened(path);
    PlacementFlags flags;
    const ModelPlan plan = model.plan({"rx-7900-xtx"}, flags);
    ASSERT_TRUE(plan.decode);
    EXPECT_EQ(plan.decode->splits, 2U + 2 * model.model->shape().layers);
}

/// llama.cpp#24355, #13751: two cards alternate with four copies of the inputs, and switches that prevent it.
TEST(RealThreads, TwoCardsOf24GiB) {
    const Planned& model = eight_billion(ElementType::q4_0);
    const std::vector<std::string> cards = {"rtx-3090", "rtx-3090"};
    const PlacementFlags all = server_flags();
    const ModelPlan plan = model.plan(cards, all);
    EXPECT_TRUE(plan.layout->pipeline.on);
    EXPECT_TRUE(plan.verdict.fits()) << plan.verdict.text();
    EXPECT_TRUE(has_rule(lint(plan), "pipelining-multiplies-inputs"));
    std::uint64_t cost = 0;
    for (const DevicePlan& device : plan.devices) cost += device.pipeline;
    EXPECT_GT(cost, 0U);
    const auto off_with = [&](auto change) {
        PlacementFlags flags = all;
        change(flags);
        const ModelPlan without = model.plan(cards, flags);
        EXPECT_FALSE(without.layout->pipeline.on) << without.layout->pipeline.reason;
        return without;
    };
    const ModelPlan partly = off_with([](PlacementFlags& flags) { flags.gpu_layers = 20; });
    EXPECT_EQ(partly.devices[0].pipeline, 0U);
    off_with([](PlacementFlags& flags) { flags.kv_offload = false; });
    off_with([](PlacementFlags& flags) { flags.overrides = parse_overrides("ffn_up=CPU"); });
    off_with([](PlacementFlags& flags) { flags.split_mode = SplitMode::none; });
}

/// Automatic changes of programs are reported, not guessed.
TEST(RealThreads, Fitting) {
    const Planned& model = eight_billion(ElementType::q4_0);
    const auto said = [&](const char* card, const GivenSwitches& given,
                          Program program = Program::llama_server) {
        const ModelPlan plan = model.plan({card}, server_flags());
        return english(fitting_notice(plan, given, program, Generation::g2026_08));
    };
    EXPECT_EQ(said("rtx-4090", {}), "");
    EXPECT_NE(said("rtx-4090:6", {}).find("lower the context"), std::string::npos);
    GivenSwitches given;
    given.context = 8192;
    EXPECT_NE(said("rtx-4090:6", given).find("move layers"), std::string::npos);
    const test::TemporaryFile place("");
    RandomModelOptions experts = kShapeOf8b;
    experts.experts = 4;
    experts.experts_used = 2;
    experts.header_only = true;
    write_random_model(place.path(), experts);
    const auto file = GgufFile::open(place.path());
    const auto sparse = make_model(file);
    const ModelPlan plan = plan_model(*file, sparse.get(), hardware_of_presets({"rtx-4090:6"}),
                                      server_flags(), Generation::g2026_08);
    EXPECT_NE(english(fitting_notice(plan, given, Program::llama_server, Generation::g2026_08))
                  .find("move experts, and layers only if that is not enough, to the CPU"),
              std::string::npos);
    given.gpu_layers = "99";
    EXPECT_NE(said("rtx-4090:6", given).find("will not change this"), std::string::npos);
    EXPECT_EQ(said("rtx-4090:2", {}, Program::llama_bench), "") << "it does not fit at all";
    const std::string tight = " of CUDA0 remain, less than the 1.00 GiB that llama.cpp (--fit) keeps free";
    EXPECT_NE(said("rtx-4090:6", {}, Program::llama_bench).find(tight), std::string::npos);
    EXPECT_EQ(said("rtx-4090", {}, Program::llama_bench), "");
    given = {};
    given.fit = false;
    EXPECT_NE(said("rtx-4090:6", given).find(tight), std::string::npos);
    EXPECT_EQ(said("rtx-4090", given), "");
    given.fit = true;
    given.fit_margin = 0;
    EXPECT_EQ(said("rtx-4090:8", given), "");
    given.fit_margin = std::uint64_t{20} << 30;
    EXPECT_NE(said("rtx-4090", given), "");
}

}  // namespace
}  // namespace splitscope
