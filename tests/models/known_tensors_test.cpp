// SPDX-License-Identifier: MIT
#include "engine/models/known_tensors.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/formats/gguf_writer.hpp"

namespace splitscope {
namespace {

using test::GgufWriter;
using test::TemporaryFile;

/// Of a file with these tensors, the ones for which llama.cpp's loader does not ask (checked by loading
/// golden headers to which each had been added).
std::vector<std::string> unknown(const std::string& architecture, const std::vector<std::string>& tensors,
                                 std::uint32_t experts = 0, const std::string& scaling = "none") {
    GgufWriter writer;
    writer.text("general.architecture", architecture).number(architecture + ".block_count", 2);
    writer.number(architecture + ".expert_count", experts);
    writer.text(architecture + ".rope.scaling.type", scaling);
    for (const std::string& name : tensors) writer.tensor(name, {8, 8});
    const TemporaryFile stored(writer.bytes());
    const auto file = GgufFile::open(stored.path());
    const KnownTensors known(*file, *find_architecture(architecture));
    std::vector<std::string> out;
    for (const GgufTensor& tensor : file->tensors())
        if (!known.knows(tensor)) out.push_back(tensor.name);
    return out;
}

using Names = std::vector<std::string>;

TEST(KnownTensors, ScalesBelongToAWeightOfTheirBlock) {
    EXPECT_EQ(unknown("llama", {"blk.0.attn_q.weight", "blk.0.attn_q.scale", "blk.0.attn_q.input_scale"}),
              Names());
    EXPECT_EQ(unknown("llama", {"blk.0.attn_q.weight", "blk.1.attn_q.scale"}), Names{"blk.1.attn_q.scale"});
    // Only those of certain products, and of an output layer in NVFP4.
    EXPECT_EQ(unknown("llama", {"blk.0.ffn_gate_inp.weight", "blk.0.ffn_gate_inp.scale"}, 2),
              Names{"blk.0.ffn_gate_inp.scale"});
    EXPECT_EQ(unknown("llama", {"output.weight", "output.scale"}), Names{"output.scale"});
    EXPECT_EQ(unknown("gemma4", {"blk.0.ffn_gate_inp.weight", "blk.0.ffn_gate_inp.scale"}, 2), Names());
    EXPECT_EQ(unknown("minimax-01", {"blk.0.attn_gate.weight", "blk.0.attn_gate.scale"}),
              Names{"blk.0.attn_gate.scale"});
}

TEST(KnownTensors, BlocksAreDenseOrHaveExperts) {
    const Names sparse = {"blk.0.ffn_gate_inp.weight", "blk.0.ffn_gate_exps.weight"};
    EXPECT_EQ(unknown("llama", sparse, 2), Names());
    EXPECT_EQ(unknown("llama", sparse, 0), Names{"blk.0.ffn_gate_inp.weight"});
    EXPECT_EQ(unknown("llama", {"blk.0.ffn_gate_exps.weight"}, 2), Names{"blk.0.ffn_gate_exps.weight"});
    EXPECT_EQ(unknown("llama", {"blk.0.ffn_gate_inp.weight", "blk.0.ffn_up.weight"}, 2),
              Names{"blk.0.ffn_up.weight"});
    EXPECT_EQ(unknown("arctic", {"blk.0.ffn_gate_inp.weight", "blk.0.ffn_up.weight"}, 2), Names());
    EXPECT_EQ(unknown("deepseek2", {"blk.0.exp_probs_b.bias"}, 2), Names{"blk.0.exp_probs_b.bias"});
    EXPECT_EQ(unknown("llama", {"blk.0.ffn_gate_inp.weight", "blk.0.ffn_gate_shexp.weight"}, 2),
              Names{"blk.0.ffn_gate_shexp.weight"});
}

TEST(KnownTensors, ReplacePartsOfABlock) {
    EXPECT_EQ(unknown("llama", {"blk.0.attn_qkv.weight", "blk.0.attn_q.weight", "blk.1.attn_q.weight"}),
              Names{"blk.0.attn_q.weight"});
    EXPECT_EQ(
        unknown("qwen35moe",
                {"blk.1.ffn_gate_inp.weight", "blk.1.ffn_gate_up_exps.weight", "blk.1.ffn_up_exps.weight"},
                2),
        Names{"blk.1.ffn_up_exps.weight"});
    EXPECT_EQ(unknown("kimi-linear", {"blk.0.attn_q_a.weight", "blk.0.attn_q.weight"}),
              Names{"blk.0.attn_q.weight"});
}

TEST(KnownTensors, BlocksHaveAStateOrAttention) {
    EXPECT_EQ(unknown("qwen35", {"blk.0.ssm_conv1d.weight", "blk.0.attn_k.weight", "blk.1.attn_k.weight",
                                 "blk.1.ssm_a"}),
              (Names{"blk.0.attn_k.weight", "blk.1.ssm_a"}));
    EXPECT_EQ(unknown("kimi-k3", {"blk.0.attn_kv_a_mqa.weight", "blk.0.attn_q.bias"}),
              Names{"blk.0.attn_q.bias"});
    EXPECT_EQ(unknown("nemotron_h", {"blk.0.ffn_down.weight", "blk.0.ffn_up.weight", "blk.0.attn_k.weight"}),
              Names{"blk.0.attn_k.weight"});
    EXPECT_EQ(unknown("gemma4", {"blk.0.ffn_up.weight", "blk.0.post_ffw_norm_1.weight"}),
              Names{"blk.0.post_ffw_norm_1.weight"});
}

TEST(KnownTensors, DependOnTheArchitecture) {
    EXPECT_EQ(unknown("gpt2", {"blk.0.ffn_gate.weight", "blk.0.ffn_up.weight"}),
              Names{"blk.0.ffn_gate.weight"});
    EXPECT_EQ(unknown("qwen3", {"rope_freqs.weight"}), Names{"rope_freqs.weight"});
    EXPECT_EQ(unknown("qwen3", {"blk.0.exp_probs_b.bias"}), Names{"blk.0.exp_probs_b.bias"});
    EXPECT_EQ(unknown("qwen3", {"blk.1.nextn.enorm.weight"}), Names{"blk.1.nextn.enorm.weight"});
    EXPECT_EQ(unknown("olmo", {"output_norm.weight"}), Names{"output_norm.weight"});
}

TEST(KnownTensors, FactorsDependOnTheScaling) {
    EXPECT_EQ(unknown("llama", {"rope_freqs.weight"}), Names());
    EXPECT_EQ(unknown("llama", {"rope_freqs.weight"}, 0, "longrope"), Names{"rope_freqs.weight"});
    EXPECT_EQ(unknown("llama", {"rope_factors_long.weight"}), Names{"rope_factors_long.weight"});
    EXPECT_EQ(unknown("phi3", {"rope_factors_long.weight"}), Names());
}

}  // namespace
}  // namespace splitscope
