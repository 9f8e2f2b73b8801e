// SPDX-License-Identifier: MIT
// Files beside the model: a projector, a draft model, adapters.
#include "engine/planning/companions.hpp"

#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/support/error.hpp"
#include "tests/planning/patched_model.hpp"

namespace splitscope {
namespace {

using test::GgufWriter;
using test::PatchedModel;
using test::TemporaryFile;
using Kind = Verdict::Kind;

struct OpenedBytes {
    explicit OpenedBytes(const std::string& bytes) : stored(bytes), file(GgufFile::open(stored.path())) {}
    TemporaryFile stored;
    std::shared_ptr<const GgufFile> file;
};

class CompanionsTest : public ::testing::Test {
 protected:
    CompanionsTest() : target(PatchedModel().bytes()), model(make_model(target.file)) {}

    ModelPlan plan(const PlacementFlags& flags = {}) const {
        return plan_model(*target.file, model.get(), hardware, flags, Generation::g2026_08);
    }
    std::vector<CompanionPlan> add(ModelPlan& to, Companion companion) const {
        return add_companions(to, *target.file, {std::move(companion)}, hardware, Generation::g2026_08);
    }

    OpenedBytes target;
    std::shared_ptr<const Model> model;
    Hardware hardware = hardware_of_presets({"rtx-3090"});
};

TEST_F(CompanionsTest, ProjectorIsOnTheFirstAcceleratorWithUnknownCompute) {
    const OpenedBytes projector(GgufWriter()
                                    .text("general.architecture", "clip")
                                    .tensor("v.a", {100})
                                    .tensor("v.b", {256, 4})
                                    .bytes());
    ModelPlan with = plan();
    const ModelPlan alone = with;
    const auto parts = add(with, {.kind = CompanionKind::projector, .file = projector.file});
    ASSERT_EQ(parts.size(), 1U);
    // Tensors are aligned to 128 bytes there.
    EXPECT_EQ(parts[0].bytes, (std::vector<std::uint64_t>{512 + 4096, 0}));
    EXPECT_FALSE(parts[0].complete);
    EXPECT_EQ(with.devices[0].total(), alone.devices[0].total() + 4608);
    EXPECT_TRUE(with.devices[0].complete) << "the model's own buffers are";
    EXPECT_FALSE(with.devices[0].fits());
    EXPECT_TRUE(*with.devices[1].fits());
    EXPECT_EQ(with.verdict.kind, Kind::not_known);
    EXPECT_NE(english(with.verdict.text()).find("projector"), std::string::npos);

    ModelPlan kept = plan();
    const auto on_cpu =
        add(kept, {.kind = CompanionKind::projector, .file = projector.file, .offload = false});
    EXPECT_EQ(on_cpu[0].bytes[0], 0U);
    EXPECT_GE(on_cpu[0].bytes[1], 4496U);
    EXPECT_THROW(add(kept, {.kind = CompanionKind::projector, .file = target.file}), Error);
}

TEST_F(CompanionsTest, DraftModelIsPlannedAsIfAlone) {
    PlacementFlags flags;
    flags.cache_type_k = ElementType::q8_0;
    flags.context = 512;
    ModelPlan with = plan(flags);
    const ModelPlan alone = with;
    flags.devices = {"CUDA0"};
    const PlacementFlags own = draft_flags(flags);
    EXPECT_TRUE(own.devices.empty()) << "all, unless its own are given";
    EXPECT_EQ(own.cache_type_k, ElementType::f16);
    EXPECT_EQ(own.context, 512U);
    const auto parts =
        add(with, {.kind = CompanionKind::draft, .file = target.file, .model = model, .flags = own});
    EXPECT_TRUE(parts.at(0).complete);
    const ModelPlan draft = plan(own);
    for (std::size_t d = 0; d < with.devices.size(); ++d) {
        EXPECT_EQ(parts[0].bytes[d], draft.devices[d].total());
        EXPECT_EQ(with.devices[d].total(), alone.devices[d].total() + draft.devices[d].total());
    }
    EXPECT_EQ(with.verdict.kind, Kind::fits) << with.verdict.text();

    ModelPlan unknown = plan();
    add(unknown, {.kind = CompanionKind::draft, .file = target.file, .model = nullptr, .flags = own});
    EXPECT_EQ(unknown.verdict.kind, Kind::not_known);
    ModelPlan older = plan();
    add_companions(older, *target.file,
                   {{.kind = CompanionKind::draft, .file = target.file, .model = model, .flags = own}},
                   hardware, Generation::g2025_06);
    EXPECT_EQ(older.verdict.kind, Kind::not_known);
}

TEST_F(CompanionsTest, CompanionsThatDoNotFitLackMemory) {
    Hardware small = hardware;
    ModelPlan with = plan();
    for (DevicePlan& d : with.devices) d.memory = d.total() + 1000;
    add_companions(with, *target.file,
                   {{.kind = CompanionKind::draft,
                     .file = target.file,
                     .model = model,
                     .flags = draft_flags(PlacementFlags())}},
                   small, Generation::g2026_08);
    EXPECT_EQ(with.verdict.kind, Kind::lacks);
    ASSERT_FALSE(with.verdict.shortages.empty());
    EXPECT_EQ(with.verdict.shortages[0].device, with.devices[0].name);
}

TEST_F(CompanionsTest, AdaptersFollowTheirWeights) {
    GgufWriter writer;
    writer.text("general.architecture", "llama").text("general.type", "adapter").text("adapter.type", "lora");
    writer.tensor("blk.0.attn_q.weight.lora_a", {64, 8}).tensor("blk.0.attn_q.weight.lora_b", {8, 64});
    // llama.cpp ignores norms.
    writer.tensor("blk.0.attn_norm.weight", {64});
    const OpenedBytes adapter(writer.bytes());
    ModelPlan with = plan();
    const auto parts = add(with, {.kind = CompanionKind::adapter, .file = adapter.file});
    EXPECT_EQ(parts.at(0).bytes, (std::vector<std::uint64_t>{2 * 2048, 0}));
    EXPECT_EQ(with.verdict.kind, Kind::not_known);
    EXPECT_FALSE(with.devices[0].complete);

    PlacementFlags flags;
    flags.gpu_layers = 0;
    ModelPlan on_cpu = plan(flags);
    EXPECT_EQ(add(on_cpu, {.kind = CompanionKind::adapter, .file = adapter.file}).at(0).bytes,
              (std::vector<std::uint64_t>{0, 2 * 2048}));

    EXPECT_THROW(add(with, {.kind = CompanionKind::adapter, .file = target.file}), Error);
}

/// llama.cpp refuses to load them.
TEST_F(CompanionsTest, AdaptersThatDoNotMatchCannotRun) {
    const auto reason = [&](auto write, const char* architecture = "llama", const char* type = "lora") {
        GgufWriter writer;
        writer.text("general.architecture", architecture).text("general.type", "adapter");
        writer.text("adapter.type", type);
        write(writer);
        const OpenedBytes adapter(writer.bytes());
        ModelPlan with = plan();
        add(with, {.kind = CompanionKind::adapter, .file = adapter.file});
        EXPECT_EQ(with.verdict.kind, Kind::cannot_run);
        EXPECT_FALSE(with.verdict.remedy.empty());
        return english(with.verdict.reason);
    };
    const auto pair = [](const char* name, const std::vector<std::uint64_t>& a,
                         const std::vector<std::uint64_t>& b) {
        return [=](GgufWriter& writer) {
            writer.tensor(std::string(name) + ".lora_a", a).tensor(std::string(name) + ".lora_b", b);
        };
    };
    const auto good = pair("blk.0.attn_q.weight", {64, 8}, {8, 64});
    EXPECT_EQ(reason(good, "qwen2"), "the adapter is for the architecture 'qwen2', the model is 'llama'");
    EXPECT_EQ(reason(good, "llama", "other"), "the type of the adapter is 'other' instead of 'lora'");
    const std::string shape =
        "the adapter's matrices for 'blk.0.attn_q.weight' do not have the shape of the model's";
    EXPECT_EQ(reason(pair("blk.0.attn_q.weight", {32, 8}, {8, 64})), shape);
    EXPECT_EQ(reason(pair("blk.0.attn_q.weight", {64, 8}, {8, 32})), shape);
    EXPECT_EQ(reason(pair("blk.0.attn_q.weight", {64, 8}, {4, 64})), shape) << "ranks differ";
    EXPECT_NE(reason(pair("token_embd.weight", {64, 8}, {8, 300})).find("shape"), std::string::npos);
    EXPECT_EQ(reason([](GgufWriter& writer) {
                  writer.tensor("blk.0.attn_q.weight.lora_a", {64, 8});
              }),
              "the adapter has only one of two matrices for 'blk.0.attn_q.weight'");
    EXPECT_EQ(reason(pair("blk.7.attn_q.weight", {64, 8}, {8, 64})),
              "the model lacks the tensor 'blk.7.attn_q.weight', which the adapter changes");
    EXPECT_EQ(reason([](GgufWriter& writer) { writer.tensor("blk.0.attn_q.bias", {64}); }),
              "the adapter's tensor 'blk.0.attn_q.bias' ends neither in .lora_a nor in .lora_b");
    // The matrices of embeddings are the other way round.
    GgufWriter writer;
    writer.text("general.architecture", "llama").text("general.type", "adapter").text("adapter.type", "lora");
    pair("token_embd.weight", {8, 300}, {8, 64})(writer);
    const OpenedBytes adapter(writer.bytes());
    ModelPlan with = plan();
    add(with, {.kind = CompanionKind::adapter, .file = adapter.file});
    EXPECT_EQ(with.verdict.kind, Kind::not_known);
}

}  // namespace
}  // namespace splitscope
