// SPDX-License-Identifier: MIT
// Whether a model fits, and the message if that is not known.
#include "engine/planning/verdict.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/lint.hpp"
#include "engine/planning/suggest.hpp"
#include "engine/session/model_placement.hpp"
#include "tests/planning/patched_model.hpp"

namespace splitscope {
namespace {

using test::PatchedModel;
using test::TemporaryFile;
using Kind = Verdict::Kind;

/// A model file, and its model if there is one.
struct PlannedFile {
    explicit PlannedFile(const std::string& bytes) : stored(bytes), file(GgufFile::open(stored.path())) {
        try {
            model = make_model(file);
        } catch (const Error&) {
        }
    }
    ModelPlan plan(const PlacementFlags& flags = {}) const {
        return plan_model(*file, model.get(), hardware, flags, Generation::g2026_08);
    }

    TemporaryFile stored;
    std::shared_ptr<const GgufFile> file;
    std::shared_ptr<const Model> model;
    Hardware hardware = hardware_of_presets({"rtx-3090"});
};

/// Every frontend reports the same.
void expect_verdict(const std::string& bytes, Kind kind, const std::string& part,
                    const PlacementFlags& flags = {}) {
    SCOPED_TRACE(part);
    const PlannedFile opened(bytes);
    const ModelPlan plan = opened.plan(flags);
    EXPECT_EQ(plan.verdict.kind, kind) << plan.verdict.text();
    EXPECT_NE(english(plan.verdict.text()).find(part), std::string::npos) << plan.verdict.text();
    EXPECT_FALSE(plan.fits());
    const auto findings = lint(plan);
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings.front().rule, kind == Kind::cannot_run ? "cannot-run" : "not-known");
    EXPECT_GE(findings.front().severity, Severity::warning);
    const Suggestion suggestion =
        suggest(*opened.file, opened.model.get(), opened.hardware, flags, Generation::g2026_08);
    EXPECT_FALSE(suggestion.best);
    EXPECT_EQ(suggestion.verdict.kind, kind) << suggestion.reason;
    for (const DevicePlan& d : plan.devices) {
        if (!plan.prompt) {
            EXPECT_FALSE(d.complete) << "compute that is not known is not nothing";
            EXPECT_FALSE(d.fits());
        }
    }
    if (flags == PlacementFlags()) {
        const auto said = why_not_planned(*opened.file, opened.model.get());
        ASSERT_TRUE(said);
        EXPECT_EQ(said->kind, kind) << said->text();
    }
}

TEST(Verdict, UnmodifiedModelFits) {
    const ModelPlan plan = PlannedFile(PatchedModel().bytes()).plan();
    EXPECT_EQ(plan.verdict.kind, Kind::fits) << plan.verdict.text();
    EXPECT_TRUE(plan.unread.empty()) << plan.unread;
}

TEST(Verdict, BadMetadataCannotRun) {
    expect_verdict(PatchedModel().set("llama.attention.head_count", 0U).bytes(), Kind::cannot_run,
                   "llama.attention.head_count");
    expect_verdict(PatchedModel().set("llama.rope.dimension_count", 31U).bytes(), Kind::cannot_run,
                   "llama.rope.dimension_count");
    expect_verdict(PatchedModel()
                       .set("llama.attention.layer_norm_rms_epsilon", std::numeric_limits<float>::quiet_NaN())
                       .bytes(),
                   Kind::cannot_run, "epsilon");
    expect_verdict(PatchedModel().set("llama.rope.freq_base", 0.0F).bytes(), Kind::cannot_run,
                   "llama.rope.freq_base");
    // llama.cpp requires the key.
    expect_verdict(
        PatchedModel().replace("llama.attention.layer_norm_rms", "llama.attention.layer_morn_rms").bytes(),
        Kind::cannot_run, "llama.attention.layer_norm_rms_epsilon");
    expect_verdict(PatchedModel().set("llama.feed_forward_length", 65U).bytes(), Kind::cannot_run,
                   "rows of 64");
}

TEST(Verdict, MissingTensorsAndContradictingShapesCannotRun) {
    expect_verdict(PatchedModel().replace("blk.1.ffn_up.weight", "blk.1.ffn_gate.bias").bytes(),
                   Kind::cannot_run, "blk.1.ffn_gate.bias");
    // The same number of elements in another shape.
    expect_verdict(PatchedModel()
                       .set_extent("blk.1.ffn_up.weight", 0, 32)
                       .set_extent("blk.1.ffn_up.weight", 1, 128)
                       .bytes(),
                   Kind::cannot_run, "shape");
}

TEST(Verdict, OverlappingTensorsCannotRun) {
    expect_verdict(PatchedModel().set_offset("blk.1.attn_q.weight", 64).bytes(), Kind::cannot_run,
                   "blk.1.attn_q.weight");
}

TEST(Verdict, UnknownArchitecturesAreNotKnown) {
    expect_verdict(PatchedModel().replace("llama", "lbama").bytes(), Kind::not_known, "'lbama'");
}

TEST(Verdict, WeightsOfAnUnknownArchitectureCanExceedMemory) {
    PlannedFile opened(PatchedModel().replace("llama", "lbama").bytes());
    opened.hardware = hardware_of_presets({"rtx-3090:0.0001"});
    const ModelPlan plan = opened.plan();
    EXPECT_EQ(plan.verdict.kind, Kind::lacks);
    ASSERT_EQ(plan.verdict.shortages.size(), 1U);
    EXPECT_EQ(plan.verdict.shortages[0].device, "CUDA0");
}

TEST(Verdict, ImpossibleCachesCannotRun) {
    PlacementFlags flags;
    flags.cache_type_k = ElementType::q6_K;
    expect_verdict(PatchedModel().bytes(), Kind::cannot_run, "q6_K", flags);
    flags.cache_type_k = ElementType::q8_0;
    // Heads of 16.
    expect_verdict(PatchedModel()
                       .set("llama.attention.head_count", 4U)
                       .set("llama.attention.head_count_kv", 4U)
                       .set("llama.rope.dimension_count", 16U)
                       .bytes(),
                   Kind::cannot_run, "heads of 16", flags);
    // With latent attention, both are in one cache.
    flags.cache_type_v = ElementType::f16;
    expect_verdict(PatchedModel().add("llama.attention.key_length_mla", 32U).bytes(), Kind::cannot_run,
                   "cached in one type", flags);
}

/// llama.cpp aborts: its buffer of results has room for a batch only.
TEST(Verdict, BatchesBelowTheSequencesCannotRun) {
    PlacementFlags flags;
    flags.sequences = 2;
    flags.batch = 1;
    expect_verdict(PatchedModel().bytes(), Kind::cannot_run, "2 sequences", flags);
}

TEST(Verdict, UnknownMemoryIsNotJudged) {
    PlannedFile opened(PatchedModel().bytes());
    opened.hardware = hardware_of(default_machine(), {}, nullptr);
    const ModelPlan plan = opened.plan();
    EXPECT_EQ(plan.verdict.kind, Kind::need_known) << plan.verdict.text();
    EXPECT_FALSE(plan.fits());
    const auto findings = lint(plan);
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings.front().rule, "memory-not-known");
}

/// Loaders refuse tensors that they do not ask for.
TEST(Verdict, UnknownTensorsCannotRun) {
    expect_verdict(PatchedModel().replace("blk.1.ffn_up.weight", "blk.1.ffn_uq.weight").bytes(),
                   Kind::cannot_run, "blk.1.ffn_uq.weight");
    // With one block fewer, those of the last are not asked for.
    expect_verdict(PatchedModel().set("llama.block_count", 1U).bytes(), Kind::cannot_run, "blk.1.");
}

TEST(Verdict, FilesWithoutVocabularyCannotRun) {
    expect_verdict(PatchedModel().replace("tokenizer.ggml.model", "tokenizer.ggml.modem").bytes(),
                   Kind::cannot_run, "tokenizer.ggml.model");
}

}  // namespace
}  // namespace splitscope
