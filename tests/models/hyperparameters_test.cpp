// SPDX-License-Identifier: MIT
#include "engine/models/hyperparameters.hpp"

#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include "engine/support/error.hpp"
#include "tests/formats/gguf_writer.hpp"

namespace splitscope {
namespace {

using test::GgufType;
using test::GgufWriter;
using test::TemporaryFile;

/// A small model with attention; `skip` leaves one key out so that a test can write its own.
GgufWriter model_of(const std::string& architecture, std::string_view skip = {}) {
    GgufWriter writer;
    writer.text("general.architecture", architecture);
    const auto number = [&](std::string_view key, std::uint32_t value) {
        if (key != skip) writer.number(architecture + "." + std::string(key), value);
    };
    number("block_count", 2);
    number("embedding_length", 64);
    number("context_length", 128);
    number("attention.head_count", 4);
    number("attention.head_count_kv", 2);
    number("vocab_size", 10);
    return writer;
}
GgufWriter llama(std::string_view skip = {}) {
    return model_of("llama", skip);
}

Hyperparameters read(const GgufWriter& writer) {
    const TemporaryFile stored(writer.bytes());
    return read_hyperparameters(*GgufFile::open(stored.path()));
}

void expect_refusal(const GgufWriter& writer, const std::string& key) {
    try {
        read(writer);
        ADD_FAILURE() << "accepted: " << key;
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_file);
        EXPECT_NE(error.where().find("'" + key + "'"), std::string::npos) << error.what();
    }
}

TEST(Hyperparameters, UseTheFormatsDefaults) {
    const Hyperparameters h = read(llama());
    EXPECT_EQ(h.shape.architecture, "llama");
    EXPECT_EQ(h.shape.layers, 2U);
    EXPECT_EQ(h.shape.vocabulary, 10U);
    EXPECT_EQ(h.head_dim_k, 16U);
    EXPECT_EQ(h.k_row(1), 32U);
    EXPECT_EQ(h.rope.dims, 16);
    EXPECT_EQ(h.rope.original_context, 128);
    EXPECT_FLOAT_EQ(h.rope.base, 10000.0F);
    EXPECT_FLOAT_EQ(h.rope.scale, 1.0F);
    EXPECT_EQ(h.experts, 0U);
}

TEST(Hyperparameters, AcceptOneNumberPerLayer) {
    GgufWriter writer = llama("attention.head_count_kv");
    writer.numbers<std::int32_t>("llama.attention.head_count_kv", GgufType::i32, {4, 1});
    const Hyperparameters h = read(writer);
    EXPECT_EQ(h.kv_heads, (std::vector<std::uint32_t>{4, 1}));
}

TEST(Hyperparameters, NameRequiredKeys) {
    for (const std::string key :
         {"block_count", "embedding_length", "context_length", "attention.head_count"}) {
        expect_refusal(llama(key), "llama." + key);
        GgufWriter zero = llama(key);
        zero.number("llama." + key, 0);
        // A context may be chosen instead.
        if (key != "context_length") expect_refusal(zero, "llama." + key);
        GgufWriter huge = llama(key);
        huge.number("llama." + key, 0xffffffffU);
        expect_refusal(huge, "llama." + key);
        GgufWriter text = llama(key);
        text.text("llama." + key, "many");
        expect_refusal(text, "llama." + key);
    }
    expect_refusal(GgufWriter(), "general.architecture");
}

TEST(Hyperparameters, RequiredKeysFollowTheArchitecture) {
    expect_refusal(model_of("mamba"), "mamba.ssm.conv_kernel");
    GgufWriter oss = model_of("gpt-oss");
    oss.number("gpt-oss.attention.sliding_window", 128U);
    expect_refusal(oss, "gpt-oss.expert_count");
    GgufWriter llama_with_a_state = llama();
    llama_with_a_state.number("llama.ssm.inner_size", 64U);
    EXPECT_EQ(read(llama_with_a_state).heads.size(), 2U);
}

/// Some graphs of llama.cpp rotate whole heads only.
TEST(Hyperparameters, RotateWholeHeadsWhereGraphsDo) {
    for (const std::string name : {"llama", "qwen3", "gpt-oss"}) {
        GgufWriter part = model_of(name);
        if (name == "gpt-oss") part.number("gpt-oss.expert_count", 2).number("gpt-oss.expert_used_count", 1);
        part.number(name + ".rope.dimension_count", 8U);
        expect_refusal(part, name + ".rope.dimension_count");
    }
    GgufWriter stablelm = model_of("stablelm");
    stablelm.number("stablelm.rope.dimension_count", 8U);
    EXPECT_EQ(read(stablelm).rope.dims, 8);
}

TEST(Hyperparameters, LayersMayAllBeRecurrent) {
    const auto jamba = [](const std::vector<std::int32_t>& heads) {
        GgufWriter writer = model_of("jamba", "attention.head_count_kv");
        for (const char* key : {"conv_kernel", "inner_size", "state_size", "time_step_rank"})
            writer.number(std::string("jamba.ssm.") + key, 4U);
        writer.numbers<std::int32_t>("jamba.attention.head_count_kv", GgufType::i32, heads);
        return writer;
    };
    EXPECT_EQ(read(jamba({0, 0})).shape.kv_heads, 0U);
    GgufWriter none = model_of("granitehybrid", "attention.head_count");
    none.numbers<std::int32_t>("granitehybrid.attention.head_count", GgufType::i32, {0, 0});
    expect_refusal(none, "granitehybrid.ssm.conv_kernel");
}

TEST(Hyperparameters, NameInconsistentNumbers) {
    const auto with = [](std::string_view key, std::uint32_t value) {
        GgufWriter writer = llama(key);
        writer.number("llama." + std::string(key), value);
        return writer;
    };
    expect_refusal(with("attention.head_count_kv", 3), "llama.attention.head_count_kv");
    expect_refusal(with("attention.head_count_kv", 0), "llama.attention.head_count_kv");
    expect_refusal(with("attention.head_count", 65), "llama.attention.key_length");
    expect_refusal(with("expert_used_count", 2), "llama.expert_used_count");
    expect_refusal(with("expert_count", 1 << 20), "llama.expert_count");
    GgufWriter many = llama("block_count");
    many.number("llama.block_count", 4096U).number("llama.expert_count", 512U);
    many.number("llama.expert_used_count", 512U);
    expect_refusal(many, "llama.expert_used_count");
    for (const std::uint32_t dims : {0U, 3U, 18U}) {
        expect_refusal(with("rope.dimension_count", dims), "llama.rope.dimension_count");
    }
    GgufWriter nan = llama();
    nan.decimal("llama.rope.freq_base", std::nanf(""));
    expect_refusal(nan, "llama.rope.freq_base");
    GgufWriter few = llama("attention.head_count");
    few.numbers<std::uint32_t>("llama.attention.head_count", GgufType::u32, {4});
    expect_refusal(few, "llama.attention.head_count");
    GgufWriter negative = llama("attention.head_count");
    negative.numbers<std::int32_t>("llama.attention.head_count", GgufType::i32, {4, -4});
    expect_refusal(negative, "llama.attention.head_count");
}

TEST(Hyperparameters, KeysThatAreNotReadHaveNoEffect) {
    const auto with_caps = [](const std::string& architecture) {
        GgufWriter writer = model_of(architecture);
        writer.number(architecture + ".attention.sliding_window", 16U);
        writer.decimal(architecture + ".attn_logit_softcapping", 20.0F);
        writer.decimal(architecture + ".final_logit_softcapping", 10.0F);
        return read(writer);
    };
    EXPECT_EQ(with_caps("llama").output_soft_cap, std::nullopt);
    EXPECT_EQ(with_caps("llama").attention_soft_cap, std::nullopt);
    EXPECT_EQ(with_caps("gemma3").output_soft_cap, 10.0F);
    EXPECT_EQ(with_caps("gemma3").attention_soft_cap, std::nullopt);
    EXPECT_EQ(with_caps("gemma2").output_soft_cap, 10.0F);
    EXPECT_EQ(with_caps("gemma2").attention_soft_cap, 20.0F);
    EXPECT_EQ(with_caps("gemma3n").output_soft_cap, 30.0F);
    EXPECT_EQ(with_caps("grok").attention_soft_cap, std::nullopt);

    for (const auto& [architecture, dense] : {std::pair("maple", 0U), std::pair("deepseek2", 1U)}) {
        GgufWriter writer = model_of(architecture);
        writer.number(std::string(architecture) + ".attention.sliding_window", 16U);
        writer.number(std::string(architecture) + ".leading_dense_block_count", 1U);
        EXPECT_EQ(read(writer).leading_dense, dense) << architecture;
    }
}

TEST(Hyperparameters, CapsOfZeroAreAppliedByGemma2Only) {
    for (const std::string architecture : {"gemma2", "gemma4", "muse-glimmer"}) {
        GgufWriter writer = model_of(architecture);
        writer.number(architecture + ".attention.sliding_window", 16U);
        writer.decimal(architecture + ".final_logit_softcapping", 0.0F);
        EXPECT_EQ(read(writer).output_soft_cap.has_value(), architecture == "gemma2") << architecture;
    }
}

TEST(Hyperparameters, FilesSayWhetherAttentionIsCausal) {
    const auto causal = [](const std::string& architecture, bool value) {
        GgufWriter writer = model_of(architecture);
        writer.number(architecture + ".attention.sliding_window", 16U);
        writer.truth(architecture + ".attention.causal", value);
        return read(writer).causal;
    };
    EXPECT_FALSE(causal("llama", false));
    EXPECT_TRUE(causal("bert", true));
    EXPECT_FALSE(causal("dream", true));
    EXPECT_FALSE(causal("gemma-embedding", true));
}

TEST(Hyperparameters, SomeWindowsOfWidthZeroStay) {
    const auto with_zero = [](const std::string& architecture) {
        GgufWriter writer = model_of(architecture);
        writer.number(architecture + ".attention.sliding_window", 0U);
        return read(writer);
    };
    EXPECT_TRUE(with_zero("gemma2").slides(0));
    EXPECT_TRUE(with_zero("cohere2").slides(0));
    EXPECT_FALSE(with_zero("gemma3").has_window());
    EXPECT_FALSE(with_zero("olmo2").has_window());
    GgufWriter afmoe = model_of("afmoe");
    afmoe.number("afmoe.attention.sliding_window", 0U);
    expect_refusal(afmoe, "afmoe.attention.sliding_window");
    GgufWriter all_full = model_of("gemma2");
    all_full.number("gemma2.attention.sliding_window_pattern", 1U);
    expect_refusal(all_full, "gemma2.attention.sliding_window_pattern");
}

/// Base, scale, and whether YaRN is off.
using WindowRope = std::tuple<float, float, bool>;

WindowRope rope_of_window(const std::string& architecture, const std::string& scaling) {
    GgufWriter writer = model_of(architecture);
    writer.number(architecture + ".attention.sliding_window", 16U);
    writer.decimal(architecture + ".rope.freq_base", 5000.0F);
    writer.decimal(architecture + ".rope.freq_base_swa", 3000.0F);
    writer.text(architecture + ".rope.scaling.type", scaling);
    writer.decimal(architecture + ".rope.scaling.factor", 4.0F);
    const Hyperparameters h = read(writer);
    EXPECT_TRUE(h.slides(0) || h.slides(1));
    return {h.window_rope_base, h.window_rope_scale, h.window_rope_plain};
}

TEST(Hyperparameters, RopeOfLayersThatSlide) {
    EXPECT_EQ(rope_of_window("gemma2", "linear"), WindowRope(3000.0F, 0.25F, false));
    EXPECT_EQ(rope_of_window("cohere2", "linear"), WindowRope(5000.0F, 0.25F, false));
    EXPECT_EQ(rope_of_window("gemma3", "linear"), WindowRope(3000.0F, 1.0F, false));
    EXPECT_EQ(rope_of_window("muse-glimmer", "yarn"), WindowRope(3000.0F, 1.0F, false));
    EXPECT_EQ(rope_of_window("mellum", "yarn"), WindowRope(5000.0F, 1.0F, true));
    EXPECT_EQ(rope_of_window("olmo2", "yarn"), WindowRope(5000.0F, 1.0F, true));
    EXPECT_EQ(rope_of_window("laguna", "yarn"), WindowRope(3000.0F, 1.0F, true));
    // The factor holds although nothing else is scaled.
    EXPECT_EQ(rope_of_window("gemma2", "none"), WindowRope(3000.0F, 0.25F, false));
    EXPECT_EQ(rope_of_window("cohere2", "none"), WindowRope(5000.0F, 1.0F, false));
}

TEST(Hyperparameters, RecurrentModelsHaveNoGroupsOfExperts) {
    GgufWriter writer = model_of("mamba");
    for (const std::string key : {"conv_kernel", "inner_size", "state_size", "time_step_rank"})
        writer.number("mamba.ssm." + key, 4U);
    EXPECT_NO_THROW(read(writer));
    expect_refusal(writer.number("mamba.expert_group_count", 2U), "mamba.expert_group_count");
}

}  // namespace
}  // namespace splitscope
