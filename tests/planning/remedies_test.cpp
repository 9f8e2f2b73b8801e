// SPDX-License-Identifier: MIT
#include "engine/planning/remedies.hpp"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "backends/interface/registry.hpp"
#include "engine/messages/render.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/suggest.hpp"
#include "engine/planning/this_computer.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/resources.hpp"
#include "tests/support/golden_models.hpp"

namespace splitscope {
namespace {

using test::golden_models;

Session sample_on(const std::vector<std::string>& presets) {
    Session session = default_session(open_file(sample_model_path()));
    use_presets(session, presets);
    use_defaults(session, Program::llama_server);
    return session;
}

/// Llama 3.1 8B on a laptop with four blocks on the CPU, whose weights op offload uploads.
Session llama_with_uploads() {
    Session session = default_session(open_file(golden_models() / "header-llama-3.1-8b-q4_k_m.gguf"));
    use_presets(session, {"rtx-4060-laptop", "core-13700h-ddr5"});
    use_defaults(session, Program::llama_server);
    session.model_options.context = 16384;
    session.model_options.gpu_layers = 29;
    session.model_options.kind = GraphKind::prefill;
    return session;
}

std::vector<Finding> findings_of(const Session& session) {
    const ModelPlan plan = plan_session(session);
    return lint(*analyse(session), &plan);
}

std::optional<Finding> finding(const Session& session, const std::string& rule) {
    const auto all = findings_of(session);
    const auto found = std::ranges::find(all, rule, &Finding::rule);
    return found == all.end() ? std::nullopt : std::optional(*found);
}

/// The remedy of a finding removes it.
void expect_remedied(const Session& session, const std::string& rule) {
    SCOPED_TRACE(rule);
    const auto found = finding(session, rule);
    ASSERT_TRUE(found);
    const auto remedy = remedy_of(*found, session);
    ASSERT_TRUE(remedy);
    EXPECT_FALSE(remedy->what.empty());
    EXPECT_FALSE(finding(remedy->changed, rule));
}

TEST(Remedies, RemoveTheirFinding) {
    Session rule = sample_on({"rtx-3060"});
    rule.model_options.overrides = {{"attn", "CPU", "--override-tensor"},
                                    {"nothing", "CPU", "--override-tensor"}};
    expect_remedied(rule, "override-matches-nothing");
    EXPECT_EQ(
        remedy_of(*finding(rule, "override-matches-nothing"), rule)->changed.model_options.overrides.size(),
        1U);
    Session attention = sample_on({"rtx-3060"});
    attention.model_options.flash_attention_if_supported = false;
    attention.model_options.cache_type = ElementType::q5_1;
    attention.model_options.cache_type_v = ElementType::f16;
    expect_remedied(attention, "attention-unsupported");
    // llama.cpp refuses quantised values without flash attention.
    attention.model_options.cache_type_v = ElementType::q5_1;
    const auto unsupported = finding(attention, "attention-unsupported");
    ASSERT_TRUE(unsupported);
    EXPECT_FALSE(remedy_of(*unsupported, attention));
    expect_remedied(sample_on({"rtx-3060", "rtx-3060"}), "pipelining-multiplies-inputs");
    Session requested = sample_on({"rtx-3060", "rtx-3060"});
    requested.machine.parallel = true;
    const auto multiplied = finding(requested, "pipelining-multiplies-inputs");
    ASSERT_TRUE(multiplied);
    EXPECT_FALSE(remedy_of(*multiplied, requested)->changed.machine.parallel);
    Session caches = sample_on({"rtx-3060"});
    caches.machine.backends.front().attention_heads.clear();
    caches.model_options.flash_attention_if_supported = false;
    caches.model_options.kv_offload = false;
    expect_remedied(caches, "caches-uploaded");
    Session uploads = sample_on({"rtx-3060"});
    uploads.model_options.kind = GraphKind::prefill;
    uploads.model_options.gpu_layers = 1;
    expect_remedied(uploads, "weights-uploaded");
}

TEST(Remedies, OfUploadsReadPromptsFaster) {
    if (!std::filesystem::is_directory(golden_models()))
        GTEST_SKIP() << "*** NOT CHECKED: no golden models; set SPLITSCOPE_GOLDEN ***";
    const auto speed = [](const Session& session) {
        return plan_session(session).prompt_tokens_per_second();
    };
    Session session = llama_with_uploads();
    for (const char* rule : {"weights-uploaded", "caches-uploaded"}) {
        SCOPED_TRACE(rule);
        const auto found = finding(session, rule);
        ASSERT_TRUE(found);
        EXPECT_NE(english(found->remedy).find("-ub 2048 -b 2048"), std::string::npos) << found->remedy;
        EXPECT_EQ(english(found->remedy).find("--no-op-offload"), std::string::npos) << found->remedy;
        const auto larger = remedy_of(*found, session);
        ASSERT_TRUE(larger);
        EXPECT_EQ(larger->changed.model_options.batch, 2048U);
        EXPECT_TRUE(larger->changed.machine.op_offload);
        EXPECT_GT(speed(larger->changed), speed(session));
        EXPECT_TRUE(plan_session(larger->changed).fits());
        // Neither is faster.
        const auto best = finding(larger->changed, rule);
        ASSERT_TRUE(best);
        EXPECT_EQ(english(best->remedy).find("-ub"), std::string::npos) << best->remedy;
        EXPECT_FALSE(remedy_of(*best, larger->changed));
    }
    // A device that is slower at prompts than the CPU.
    session.devices.at("CUDA0").flops_f16 = session.devices.at("CUDA0").flops_f32 = 1e10;
    const auto slow = finding(session, "weights-uploaded");
    ASSERT_TRUE(slow);
    EXPECT_NE(english(slow->remedy).find("--no-op-offload"), std::string::npos) << slow->remedy;
    const auto off = remedy_of(*slow, session);
    ASSERT_TRUE(off);
    EXPECT_FALSE(off->changed.machine.op_offload);
    EXPECT_GT(speed(off->changed), speed(session));
}

/// A larger compute buffer must not exceed the memory.
TEST(Remedies, OfUploadsFit) {
    if (!std::filesystem::is_directory(golden_models()))
        GTEST_SKIP() << "*** NOT CHECKED: no golden models; set SPLITSCOPE_GOLDEN ***";
    Session session = llama_with_uploads();
    const ModelPlan plan = plan_session(session);
    ASSERT_TRUE(plan.fits());
    session.devices.at("CUDA0").memory_free = plan.devices.front().total();
    const auto found = finding(session, "weights-uploaded");
    ASSERT_TRUE(found);
    EXPECT_FALSE(remedy_of(*found, session)) << found->remedy;
}

/// As few experts as possible are moved, and then it fits.
TEST(Remedies, KeepExpertsOnTheCpu) {
    if (!std::filesystem::is_directory(golden_models()))
        GTEST_SKIP() << "*** NOT CHECKED: no golden models; set SPLITSCOPE_GOLDEN ***";
    Session session = default_session(open_file(golden_models() / "header-qwen3-30b-a3b-q4_k_m.gguf"));
    use_presets(session, {"rtx-4060-laptop"});
    use_defaults(session, Program::llama_server);
    session.model_options.gpu_layers = GpuLayers::all();
    expect_remedied(session, "does-not-fit");
    const auto found = finding(session, "does-not-fit");
    ASSERT_TRUE(found);
    EXPECT_TRUE(is_searched_for(*found));
    Session changed = remedy_of(*found, session)->changed;
    const std::uint32_t blocks = changed.model_options.cpu_expert_blocks;
    ASSERT_GT(blocks, 1U);
    EXPECT_NE(english(found->remedy).find("--n-cpu-moe " + std::to_string(blocks) + ")"), std::string::npos)
        << found->remedy;
    // With the margin of the search.
    EXPECT_TRUE(fits_with_margin(plan_session(changed), SuggestOptions().margin));
    changed.model_options.cpu_expert_blocks = blocks - 1;
    EXPECT_FALSE(fits_with_margin(plan_session(changed), SuggestOptions().margin));
    // Not even all experts are enough.
    session.devices.at("CUDA0").memory_free = std::uint64_t{2} << 30;
    const auto none = finding(session, "does-not-fit");
    ASSERT_TRUE(none);
    EXPECT_TRUE(is_searched_for(*none));
    EXPECT_FALSE(remedy_of(*none, session));
}

TEST(Remedies, KeepNoExpertsOfADenseModel) {
    Session session = sample_on({"rtx-3060"});
    session.model_options.cpu_expert_blocks = 3;
    expect_remedied(session, "cpu-experts-no-effect");
    session.model_options.cpu_experts = true;
    expect_remedied(session, "cpu-experts-no-effect");
}

TEST(Remedies, SearchForAPlacementThatFits) {
    Session session = sample_on({"rtx-3060"});
    session.devices.at("CUDA0").memory_free = 1 << 20;
    const auto found = finding(session, "does-not-fit");
    ASSERT_TRUE(found);
    EXPECT_TRUE(is_searched_for(*found));
    EXPECT_FALSE(remedy_of(*found, session));
}

TEST(ThisComputer, UsesProductNames) {
    for (const DevicePreset& preset : device_presets()) {
        const std::string product = product_name(preset.facts.title);
        EXPECT_FALSE(product.empty()) << preset.facts.title;
        EXPECT_EQ(product.find(','), std::string::npos) << product;
        EXPECT_EQ(product_name(product), product);
    }
    EXPECT_EQ(product_name("NVIDIA GeForce RTX 4060 Laptop GPU"), "RTX 4060 Laptop");
    EXPECT_NE(product_name("NVIDIA GeForce RTX 4060 Ti 16GB"), product_name("NVIDIA GeForce RTX 4060"));
}

TEST(ThisComputer, EndsWithTheCpu) {
    const ThisComputer computer = this_computer(nullptr, {});
    ASSERT_FALSE(computer.known.machine.backends.empty());
    EXPECT_EQ(computer.known.machine.backends.back().device, DeviceKind::cpu);
}

}  // namespace
}  // namespace splitscope
