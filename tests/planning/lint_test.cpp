// SPDX-License-Identifier: MIT
#include "engine/planning/lint.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/planning/device_preset.hpp"
#include "engine/session/resources.hpp"

namespace splitscope {
namespace {

std::vector<LintFinding> findings(const PlacementFlags& flags, const std::vector<std::string>& devices) {
    const auto file = GgufFile::open(sample_model_path());
    const auto model = make_model(file);
    return lint(plan_model(*file, model.get(), hardware_of_presets(devices), flags, Generation::g2026_08));
}

bool has(const std::vector<LintFinding>& list, std::string_view rule) {
    return std::ranges::find(list, rule, &LintFinding::rule) != list.end();
}

TEST(Lint, NothingToRemarkWhenEverythingIsOnOneDevice) {
    for (const LintFinding& f : findings({}, {"rtx-3090"})) EXPECT_NE(f.severity, Severity::error) << f.what;
}

TEST(Lint, TellsMemoryThatLacks) {
    const auto list = findings({}, {"rtx-3090:0.0001"});
    ASSERT_TRUE(has(list, "does-not-fit"));
    EXPECT_EQ(list.front().severity, Severity::error);
}

TEST(Lint, TellsOverridesThatDoNothing) {
    PlacementFlags flags;
    flags.overrides = parse_overrides("no_such_tensor=CPU,ffn_=CPU,ffn_up=CPU");
    const auto list = findings(flags, {"rtx-3090", "rtx-3090"});
    EXPECT_TRUE(has(list, "override-matches-nothing"));
    EXPECT_TRUE(has(list, "override-shadowed"));
    EXPECT_TRUE(has(list, "overrides-stop-pipelining"));
}

TEST(Lint, TellsPipeliningAndUploads) {
    EXPECT_TRUE(has(findings({}, {"rtx-3090", "rtx-3090"}), "pipelining-multiplies-inputs"));
    PlacementFlags flags;
    flags.gpu_layers = 0;
    EXPECT_TRUE(has(findings(flags, {"rtx-3090"}), "weights-uploaded"));
    flags.op_offload = false;
    EXPECT_FALSE(has(findings(flags, {"rtx-3090"}), "weights-uploaded"));
}

TEST(Lint, TellsAttentionThatFallsToTheCpu) {
    PlacementFlags flags;
    flags.flash_attention = FlashAttention::on;
    flags.cache_type_k = ElementType::bf16;
    flags.cache_type_v = ElementType::bf16;
    EXPECT_TRUE(has(findings(flags, {"rtx-3090"}), "cpu-detour"));
}

}  // namespace
}  // namespace splitscope
