// SPDX-License-Identifier: MIT
#include "engine/models/architectures.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/models/check_file.hpp"
#include "engine/models/keys.hpp"
#include "engine/models/known_tensors.hpp"
#include "engine/models/model.hpp"
#include "engine/models/name_list.hpp"
#include "engine/models/pooled_blocks.hpp"
#include "engine/models/required_tensors.hpp"
#include "engine/support/error.hpp"
#include "tests/formats/gguf_writer.hpp"

namespace splitscope {
namespace {

using test::GgufWriter;
using test::TemporaryFile;

TEST(Architectures, AreFoundByName) {
    const auto rows = architectures();
    EXPECT_TRUE(std::ranges::is_sorted(rows, {}, &Architecture::name));
    EXPECT_EQ(std::ranges::adjacent_find(rows, {}, &Architecture::name), rows.end());
    for (const Architecture& row : rows) EXPECT_EQ(find_architecture(row.name), &row);
    EXPECT_EQ(find_architecture("mystery"), nullptr);
}

TEST(Architectures, RequireTensorsWhereOthersAre) {
    for (const Architecture& row : architectures()) {
        for (const std::string_view kind : row.loader.required.split()) {
            EXPECT_TRUE(can_be_required(kind)) << row.name << ": " << kind;
            EXPECT_FALSE(lists(row.loader.absent, kind)) << row.name << ": " << kind;
        }
        for (const std::string_view kind : row.loader.optional.split())
            EXPECT_FALSE(lists(row.loader.absent, kind)) << row.name << ": " << kind;
    }
}

TEST(Architectures, RestrictTensorsThatTheyKnow) {
    for (const Architecture& row : architectures()) {
        const LoaderRules& rules = row.loader;
        for (const std::string_view kind : rules.required_predicting.split())
            EXPECT_TRUE(loader_names(row, kind) || lists(rules.predicting, kind)) << row.name << ": " << kind;
        for (const NameList& names : {rules.recurrent_only, rules.sparse_only, rules.trunk_only})
            for (const std::string_view kind : names.split())
                EXPECT_TRUE(loader_names(row, kind) || kind.ends_with(".bias")) << row.name << ": " << kind;
    }
}

TEST(Architectures, AreListedInTheGuide) {
    std::ifstream file(std::filesystem::path(SPLITSCOPE_SOURCE_DIR) / "docs" / "user-guide.md");
    std::stringstream text;
    text << file.rdbuf();
    std::string guide = text.str();
    guide = guide.substr(guide.find("\n## Architectures\n"));
    const auto built = std::ranges::count_if(architectures(), [](const Architecture& a) { return a.graph; });
    EXPECT_NE(guide.find(fmt::format("these {} architectures", built)), std::string::npos) << built;
    for (const Architecture& row : architectures()) {
        EXPECT_EQ(row.graph != nullptr, guide.find(fmt::format("`{}`", row.name)) != std::string::npos)
            << row.name;
    }
}

/// A model of one block (or `blocks`, of which only the first has tensors), width 8, two heads and 10 tokens.
class SmallModel {
 public:
    explicit SmallModel(std::string architecture, std::uint32_t blocks = 1) : name_(std::move(architecture)) {
        writer_.text("general.architecture", name_);
        number("block_count", blocks).number("embedding_length", 8).number("context_length", 32);
        number("attention.head_count", 2);
        tensor("token_embd.weight", {8, 10}).tensor("output_norm.weight", {8});
        for (const std::string part : {"attn_q", "attn_k", "attn_v", "attn_output"})
            tensor("blk.0." + part + ".weight", {8, 8});
        tensor("blk.0.attn_norm.weight", {8}).tensor("blk.0.ffn_norm.weight", {8});
    }
    SmallModel& number(const std::string& key, std::uint32_t value) {
        writer_.number(name_ + "." + key, value);
        return *this;
    }
    SmallModel& decimal(const std::string& key, float value) {
        writer_.decimal(name_ + "." + key, value);
        return *this;
    }
    SmallModel& sections(const std::vector<std::uint32_t>& sizes) {
        writer_.numbers(name_ + ".rope.dimension_sections", test::GgufType::u32, sizes);
        return *this;
    }
    SmallModel& tensor(const std::string& name, const std::vector<std::uint64_t>& ne,
                       std::uint32_t type = 0) {
        writer_.tensor(name, ne, type);
        return *this;
    }
    /// With what loaders require besides.
    SmallModel& loadable() {
        writer_.text("tokenizer.ggml.model", "none");
        return number("vocab_size", 10).decimal("attention.layer_norm_rms_epsilon", 1e-5F);
    }
    SmallModel& dense() {
        return tensor("blk.0.ffn_gate.weight", {8, 16})
            .tensor("blk.0.ffn_up.weight", {8, 16})
            .tensor("blk.0.ffn_down.weight", {16, 8});
    }

    TemporaryFile stored() const { return TemporaryFile(writer_.bytes()); }
    ModelGraph graph(const ModelGraphOptions& options = {}) const {
        const TemporaryFile stored(writer_.bytes());
        ModelPlacement placement;
        placement.weight_buffer = [](std::int32_t, const std::string&) { return std::string("weights"); };
        placement.cache_buffer = [](std::int32_t) { return std::string("cache"); };
        return make_model(GgufFile::open(stored.path()))->build_graph(options, placement);
    }
    /// Why loaders refuse the file.
    std::optional<Error> load_error() const {
        const TemporaryFile stored(writer_.bytes());
        return why_not_loadable(*GgufFile::open(stored.path()));
    }
    /// The place of a graph's refusal.
    std::string refusal() const {
        try {
            graph();
        } catch (const Error& error) {
            return error.where();
        }
        ADD_FAILURE() << "accepted";
        return {};
    }

 private:
    std::string name_;
    GgufWriter writer_;
};

bool has_node(const ModelGraph& model, std::string_view name) {
    return std::ranges::any_of(model.graph.nodes, [&](TensorId id) { return model.graph[id].name == name; });
}

/// A converted model whose attention became the linear one of RWKV 7.
SmallModel small_arwkv7(bool gated) {
    SmallModel model("arwkv7");
    model.number("wkv.head_size", 4).number("token_shift_count", 1);
    for (const std::string part : {"decay", "iclr", "value_residual_mix", "gate"})
        model.number("attention." + part + "_lora_rank", 2);
    model.tensor("output.weight", {8, 10}).dense();
    for (const std::string part : {"w", "a", "v"}) {
        model.tensor("blk.0.time_mix_" + part + "0.weight", {8})
            .tensor("blk.0.time_mix_" + part + "1.weight", {8, 2})
            .tensor("blk.0.time_mix_" + part + "2.weight", {2, 8});
    }
    if (gated) model.tensor("blk.0.time_mix_g1.weight", {8, 2}).tensor("blk.0.time_mix_g2.weight", {2, 8});
    model.tensor("blk.0.time_mix_lerp_fused.weight", {8, 1, 1, gated ? 6U : 5U});
    for (const std::string part : {"k_k", "k_a", "r_k"})
        model.tensor("blk.0.time_mix_" + part + ".weight", {8});
    for (const std::string part : {"key", "value", "receptance", "output"})
        model.tensor("blk.0.time_mix_" + part + ".weight", {8, 8});
    return model;
}

TEST(Architectures, ConvertedModelsMayHaveNoGate) {
    for (const bool gated : {false, true}) {
        const ModelGraph model = small_arwkv7(gated).graph();
        EXPECT_TRUE(has_node(model, "ffn_swiglu-0"));
        EXPECT_EQ(std::ranges::count_if(model.graph.nodes,
                                        [&](TensorId id) { return model.graph[id].op == Op::rwkv_wkv7; }),
                  1);
        // The state of a single token shift.
        EXPECT_EQ(model.graph[model.graph.find("cache_r_l0").value()].ne[0], 8);
    }
}

/// A decoder of audio tokens with `blocks` position blocks and one ConvNeXt block.
SmallModel small_vocoder(std::uint32_t blocks, std::uint32_t groups = 2) {
    SmallModel model("wavtokenizer-dec", blocks);
    model.number("features_length", 8).number("posnet.block_count", blocks).number("convnext.block_count", 1);
    model.number("posnet.embedding_length", 8).number("convnext.embedding_length", 8);
    model.number("attention.group_norm_groups", groups).decimal("attention.group_norm_epsilon", 1e-6F);
    model.number("feed_forward_length", 16);
    const auto convolution = [&](const std::string& name, std::uint64_t taps) {
        model.tensor(name + ".weight", {taps, 8, 8}).tensor(name + ".bias", {1, 8});
    };
    const auto norm = [&](const std::string& name) {
        model.tensor(name + ".weight", {1, 8}).tensor(name + ".bias", {1, 8});
    };
    convolution("conv1d", 7);
    for (std::uint32_t block = 0; block < blocks; ++block) {
        const std::string prefix = fmt::format("posnet.{}.", block);
        norm(prefix + "attn_norm");
        for (const std::string part : {"attn_q", "attn_k", "attn_v", "attn_output"})
            convolution(prefix + part, 1);
        for (const std::string part : {"1", "2"}) {
            norm(prefix + "norm" + part);
            convolution(prefix + "conv" + part, 3);
        }
    }
    model.tensor("convnext.0.dw.weight", {7, 1, 8}).tensor("convnext.0.dw.bias", {1, 8});
    model.tensor("convnext.0.pw1.weight", {8, 16}).tensor("convnext.0.pw1.bias", {16});
    model.tensor("convnext.0.pw2.weight", {16, 8});
    for (const std::string name :
         {"token_embd_norm.weight", "token_embd_norm.bias", "convnext.0.norm.weight", "convnext.0.norm.bias",
          "convnext.0.pw2.bias", "convnext.0.gamma.weight", "output_norm.bias", "output.bias"})
        model.tensor(name, {8});
    return model.tensor("output.weight", {8, 8});
}

TEST(Architectures, AudioDecodersConvolveTheWholeBatch) {
    ModelGraphOptions options;
    options.tokens = 5;
    const ModelGraph model = small_vocoder(6).graph(options);
    const auto count = [&](Op op) {
        return std::ranges::count_if(model.graph.nodes,
                                     [&](TensorId id) { return model.graph[id].op == op; });
    };
    // The input, two per residual block, four of attention, and a depthwise one.
    EXPECT_EQ(count(Op::im2col), 1 + 4 * 2 + 4 + 1);
    EXPECT_EQ(count(Op::group_norm), 4 * 2 + 1 + 1);
    EXPECT_EQ(count(Op::soft_max), 1);
    EXPECT_EQ(model.graph[model.logits].ne, (Shape{8, 5, 1, 1}));
    EXPECT_TRUE(model.caches.empty());
}

TEST(Architectures, AudioDecodersRefuseImpossibleBlocks) {
    EXPECT_NE(small_vocoder(7).refusal().find("posnet.block_count"), std::string::npos);
    EXPECT_NE(small_vocoder(1, 3).refusal().find("group_norm_groups"), std::string::npos);
}

/// One block with residual streams, a recurrent state and experts.
SmallModel gated_streams() {
    SmallModel model("qwen4exp");
    for (const auto& [key, value] :
         std::initializer_list<std::pair<const char*, std::uint32_t>>{{"ssm.conv_kernel", 2},
                                                                      {"ssm.inner_size", 8},
                                                                      {"ssm.state_size", 4},
                                                                      {"ssm.time_step_rank", 2},
                                                                      {"ssm.group_count", 2},
                                                                      {"hyper_connection.count", 2},
                                                                      {"hyper_connection.low_rank", 3},
                                                                      {"expert_count", 2},
                                                                      {"expert_used_count", 1}})
        model.number(key, value);
    for (const std::string part : {"hc_attn", "hc_ffn"}) {
        model.tensor("blk.0." + part + "_norm.weight", {16})
            .tensor("blk.0." + part + "_down.weight", {16, 3});
        model.tensor("blk.0." + part + "_up.weight", {3, 16});
        model.tensor("blk.0." + part + "_inject.weight", {16, 2});
    }
    model.tensor("output_hc_norm.weight", {8, 2}).tensor("output_hc_down.weight", {16, 3});
    model.tensor("output_hc_up.weight", {3, 16});
    model.tensor("blk.0.attn_qkv.weight", {8, 24}).tensor("blk.0.attn_gate.weight", {8, 8});
    model.tensor("blk.0.ssm_conv1d.weight", {2, 24}).tensor("blk.0.ssm_norm.weight", {4});
    model.tensor("blk.0.ssm_dt.bias", {2}).tensor("blk.0.ssm_a", {2}).tensor("blk.0.ssm_out.weight", {8, 8});
    model.tensor("blk.0.ssm_alpha.weight", {8, 2}).tensor("blk.0.ssm_beta.weight", {8, 2});
    model.tensor("blk.0.ffn_gate_inp.weight", {8, 2}).tensor("blk.0.ffn_gate_inp_shexp.weight", {8});
    for (const std::string part : {"gate", "up"}) {
        model.tensor("blk.0.ffn_" + part + "_exps.weight", {8, 4, 2});
        model.tensor("blk.0.ffn_" + part + "_shexp.weight", {8, 4});
    }
    return model.tensor("blk.0.ffn_down_exps.weight", {4, 8, 2})
        .tensor("blk.0.ffn_down_shexp.weight", {4, 8});
}

std::ptrdiff_t count_of(const ModelGraph& model, Op op) {
    return std::ranges::count_if(model.graph.nodes, [&](TensorId id) { return model.graph[id].op == op; });
}

TEST(Architectures, ReplaceOperationsOfStreamsThatADeviceLacks) {
    const SmallModel model = gated_streams();
    const ModelGraph fused = model.graph();
    EXPECT_EQ(count_of(fused, Op::dsv4_hc_pre), 2);
    EXPECT_EQ(count_of(fused, Op::dsv4_hc_post), 2);
    EXPECT_EQ(fused.fused.size(), 4U);
    ModelGraphOptions options;
    options.unfused = {Op::dsv4_hc_pre, Op::dsv4_hc_post};
    const ModelGraph plain = model.graph(options);
    EXPECT_EQ(count_of(plain, Op::dsv4_hc_pre) + count_of(plain, Op::dsv4_hc_post), 0);
    EXPECT_TRUE(plain.fused.empty());
    EXPECT_TRUE(has_node(plain, "l_last-0"));
}

TEST(Architectures, RefuseASingleStream) {
    EXPECT_NE(gated_streams().number("hyper_connection.count", 1).refusal().find("hyper_connection.count"),
              std::string::npos);
}

TEST(Architectures, OnePageServesSeveral) {
    for (const std::string name : {"internlm2", "ernie4_5", "xverse", "smollm3"}) {
        SCOPED_TRACE(name);
        const ModelGraph graph = SmallModel(name).dense().graph();
        EXPECT_EQ(graph.caches.size(), 2U);
        EXPECT_EQ(graph.graph[graph.logits].ne, (Shape{10, 1, 1, 1}));
    }
}

TEST(Architectures, NameMissingExperts) {
    SmallModel model("olmoe");
    model.number("expert_count", 4).number("expert_used_count", 2);
    model.tensor("blk.0.attn_q_norm.weight", {8}).tensor("blk.0.attn_k_norm.weight", {8});
    model.tensor("blk.0.ffn_gate_inp.weight", {8, 4});
    model.tensor("blk.0.ffn_gate_exps.weight", {8, 16, 4}).tensor("blk.0.ffn_up_exps.weight", {8, 16, 4});
    EXPECT_NE(model.refusal().find("blk.0.ffn_down_exps.weight"), std::string::npos);
    model.tensor("blk.0.ffn_down_exps.weight", {16, 8, 4});
    EXPECT_TRUE(has_node(model.graph(), "ffn_moe_topk-0"));
}

TEST(Architectures, ExpertWeightsHaveTheRoutersShape) {
    SmallModel model("olmoe");
    model.number("expert_count", 4).number("expert_used_count", 2);
    model.tensor("blk.0.attn_q_norm.weight", {8}).tensor("blk.0.attn_k_norm.weight", {8});
    model.tensor("blk.0.ffn_gate_inp.weight", {8, 4});
    for (const std::string part : {"gate", "up"})
        model.tensor("blk.0.ffn_" + part + "_exps.weight", {8, 16, 4});
    model.tensor("blk.0.ffn_down_exps.weight", {16, 8, 3});
    EXPECT_NE(model.refusal().find("blk.0.ffn_down_exps.weight"), std::string::npos);
}

TEST(Architectures, KeepCellsOfStreamsSeparate) {
    ModelGraphOptions options;
    options.tokens = options.outputs = options.sequences = options.streams = 4;
    options.cells = options.context = 16;
    const ModelGraph graph = SmallModel("internlm2").dense().graph(options);
    for (const TensorId id : graph.caches) EXPECT_EQ(graph.graph[id].ne[2], 4) << graph.graph[id].name;
}

TEST(Architectures, RefuseNewOnesInOlderGenerations) {
    ModelGraphOptions options;
    options.form = GraphForm::g2025_02;
    EXPECT_THROW(SmallModel("internlm2").dense().graph(options), Error);
    EXPECT_NO_THROW(SmallModel("llama").dense().graph(options));
}

TEST(Architectures, MultiplyProductsByTheScalesOfTheirWeights) {
    const auto multiplied_by = [](const ModelGraph& model, std::string_view scale) -> std::string {
        for (const TensorId id : model.graph.nodes) {
            const Tensor& node = model.graph[id];
            if (node.op != Op::mul || model.graph[node.src[1]].name != scale) continue;
            const std::string& product = model.graph[node.src[0]].name;
            return fmt::format("{} of {}", node.name, product.starts_with("node_") ? "an unnamed" : product);
        }
        return "none";
    };
    SmallModel model("qwen3");
    model.dense().tensor("blk.0.attn_q_norm.weight", {4}).tensor("blk.0.attn_k_norm.weight", {4});
    const std::size_t nodes = model.graph().graph.nodes.size();
    for (const std::string part : {"attn_q", "attn_output", "ffn_up", "ffn_down"})
        model.tensor("blk.0." + part + ".scale", {1}).tensor("blk.0." + part + ".input_scale", {1});
    const ModelGraph scaled = model.graph();
    EXPECT_EQ(scaled.graph.nodes.size(), nodes + 4);
    EXPECT_EQ(multiplied_by(scaled, "blk.0.attn_q.scale"), "Qcur-0 of an unnamed");
    EXPECT_EQ(multiplied_by(scaled, "blk.0.ffn_up.scale"), "ffn_up_s-0 of ffn_up-0");
    EXPECT_EQ(multiplied_by(scaled, "blk.0.ffn_down.scale"), "ffn_out-0 of an unnamed");
    EXPECT_NE(multiplied_by(scaled, "blk.0.attn_output.scale"), "none");
    EXPECT_EQ(multiplied_by(scaled, "blk.0.ffn_down.input_scale"), "none");
    // This architecture reads the scales of attention only.
    SmallModel other("internlm2");
    other.dense().tensor("blk.0.attn_q.scale", {1}).tensor("blk.0.ffn_up.scale", {1});
    EXPECT_EQ(multiplied_by(other.graph(), "blk.0.attn_q.scale"), "Qcur-0 of an unnamed");
    EXPECT_EQ(multiplied_by(other.graph(), "blk.0.ffn_up.scale"), "none");
}

TEST(Architectures, ScaleExpertsAfterTheirChoice) {
    SmallModel model("qwen3moe");
    model.number("expert_count", 4).number("expert_used_count", 2);
    model.tensor("blk.0.attn_q_norm.weight", {4}).tensor("blk.0.attn_k_norm.weight", {4});
    model.tensor("blk.0.ffn_gate_inp.weight", {8, 4}).tensor("blk.0.ffn_down_exps.weight", {16, 8, 4});
    model.tensor("blk.0.ffn_gate_exps.weight", {8, 16, 4}).tensor("blk.0.ffn_up_exps.weight", {8, 16, 4});
    const std::size_t nodes = model.graph().graph.nodes.size();
    model.tensor("blk.0.ffn_down_exps.scale", {4});
    const ModelGraph scaled = model.graph();
    // Reshaped, repeated for each token, the rows of the experts, their product.
    EXPECT_EQ(scaled.graph.nodes.size(), nodes + 4);
    EXPECT_TRUE(has_node(scaled, "ffn_moe_down_scaled-0"));
}

TEST(Architectures, KnowScalesBesideTheirWeights) {
    const auto refusal = [](const std::string& scale, const std::vector<std::uint64_t>& ne) {
        SmallModel model("internlm2");
        model.dense().loadable().number("feed_forward_length", 16);
        model.tensor("output.weight", {8, 10});
        if (!scale.empty()) model.tensor(scale, ne);
        const auto error = model.load_error();
        return error ? error->where() : std::string();
    };
    EXPECT_EQ(refusal("", {}), "");
    for (const std::string scale : {"blk.0.attn_q.scale", "blk.0.ffn_up.input_scale"}) {
        EXPECT_EQ(refusal(scale, {1}), "") << scale;
        EXPECT_NE(refusal(scale, {2}).find(scale), std::string::npos) << scale;
    }
    // Norms and weights of other types than NVFP4 outside of blocks have none, nor have absent weights.
    for (const std::string scale : {"token_embd.scale", "output.scale", "blk.0.attn_norm.scale",
                                    "blk.0.attn_qkv.scale", "blk.0.ffn_up_exps.scale"})
        EXPECT_NE(refusal(scale, {1}).find(scale), std::string::npos) << scale;
}

TEST(Architectures, RefuseScaledBiasesOfNvfp4) {
    constexpr std::uint32_t kNvfp4 = 40;
    for (const bool biased : {false, true}) {
        SmallModel model("llama");
        model.loadable().number("feed_forward_length", 64);
        model.tensor("blk.0.ffn_gate.weight", {8, 64}).tensor("blk.0.ffn_up.weight", {8, 64});
        model.tensor("blk.0.ffn_down.scale", {1});
        if (biased) model.tensor("blk.0.ffn_down.bias", {8});
        model.tensor("blk.0.ffn_down.weight", {64, 8}, kNvfp4);
        const auto error = model.load_error();
        EXPECT_EQ(error.has_value(), biased) << (error ? error->what() : "");
        if (error) {
            EXPECT_NE(error->where().find("blk.0.ffn_down.scale"), std::string::npos);
        }
    }
}

TEST(Architectures, NameTheLastStepOfProducts) {
    SmallModel model("step35");
    model.dense();
    EXPECT_TRUE(has_node(model.graph(), "Qcur-0"));
    SmallModel parallel("gptneox");
    parallel.decimal("attention.layer_norm_epsilon", 1e-5F).dense();
    const ModelGraph built = parallel.graph();
    const auto named = std::ranges::count_if(
        built.graph.nodes, [&](TensorId id) { return built.graph[id].name == "ffn_out-0"; });
    EXPECT_EQ(named, 2);
}

TEST(Architectures, ClampFeedForwardPerFile) {
    SmallModel model("step35");
    model.dense();
    const auto clamps = [&] {
        const ModelGraph built = model.graph();
        return std::ranges::count_if(built.graph.nodes,
                                     [&](TensorId id) { return built.graph[id].op == Op::clamp; });
    };
    EXPECT_EQ(clamps(), 0);
    model.decimal("swiglu_clamp_shexp", 7.0F);
    EXPECT_GT(clamps(), 0);
}

/// A model of one layer with compressed keys, whose residual has four streams.
SmallModel model_of_compressed_keys(std::uint32_t ratio = 4, std::uint32_t iterations = 2) {
    SmallModel model("deepseek4");
    model.number("attention.head_count_kv", 1).number("attention.sliding_window", 8);
    model.number("attention.q_lora_rank", 4).number("attention.compress_ratios", ratio);
    model.number("attention.indexer.head_count", 1).number("attention.indexer.key_length", 64);
    model.number("attention.indexer.top_k", 8).decimal("attention.compress_rope_freq_base", 1e5F);
    model.number("attention.output_group_count", 2).number("attention.output_lora_rank", 3);
    model.number("hyper_connection.count", 4).number("hyper_connection.sinkhorn_iterations", iterations);
    model.number("expert_count", 2).number("expert_used_count", 1).number("expert_gating_func", 4);
    model.decimal("swiglu_clamp_exp", 10.0F).tensor("output.weight", {8, 10});
    model.tensor("output_hc_fn.weight", {32, 4}).tensor("output_hc_base.weight", {4});
    model.tensor("output_hc_scale.weight", {1}).tensor("blk.0.attn_sinks.weight", {2});
    for (const std::string part : {"blk.0.hc_attn", "blk.0.hc_ffn"}) {
        model.tensor(part + "_fn.weight", {32, 24}).tensor(part + "_base.weight", {24});
        model.tensor(part + "_scale.weight", {3});
    }
    model.tensor("blk.0.attn_q_a.weight", {8, 4}).tensor("blk.0.attn_q_a_norm.weight", {4});
    model.tensor("blk.0.attn_q_b.weight", {4, 8}).tensor("blk.0.attn_kv.weight", {8, 4});
    model.tensor("blk.0.attn_kv_a_norm.weight", {4}).tensor("blk.0.attn_output_a.weight", {4, 6});
    model.tensor("blk.0.attn_output_b.weight", {6, 8});
    for (const auto& [part, head] : {std::pair<std::string, std::uint64_t>{"attn", 4}, {"indexer", 64}}) {
        const std::string prefix = "blk.0." + part + "_compressor_";
        model.tensor(prefix + "kv.weight", {8, 2 * head}).tensor(prefix + "gate.weight", {8, 2 * head});
        model.tensor(prefix + "ape.weight", {2 * head, 4}).tensor(prefix + "norm.weight", {head});
    }
    model.tensor("blk.0.indexer.proj.weight", {8, 1}).tensor("blk.0.indexer.attn_q_b.weight", {4, 64});
    model.tensor("blk.0.ffn_gate_inp.weight", {8, 2}).tensor("blk.0.exp_probs_b.bias", {2});
    model.tensor("blk.0.ffn_gate_exps.weight", {8, 16, 2}).tensor("blk.0.ffn_up_exps.weight", {8, 16, 2});
    model.tensor("blk.0.ffn_down_exps.weight", {16, 8, 2}).tensor("blk.0.ffn_gate_shexp.weight", {8, 16});
    model.tensor("blk.0.ffn_up_shexp.weight", {8, 16}).tensor("blk.0.ffn_down_shexp.weight", {16, 8});
    return model;
}

ModelGraphOptions options_with_window() {
    ModelGraphOptions options;
    options.window_cells = options.window_context = 256;
    return options;
}

std::size_t nodes_of(const ModelGraph& model, Op op) {
    return static_cast<std::size_t>(
        std::ranges::count_if(model.graph.nodes, [&](TensorId id) { return model.graph[id].op == op; }));
}

TEST(Architectures, CompressedKeysAndTheirStatesAreCached) {
    const ModelGraph graph = model_of_compressed_keys().graph(options_with_window());
    // The window, two states and their keys for attention, and the same for the indexer.
    EXPECT_EQ(graph.caches.size(), 7U);
    ASSERT_EQ(graph.compressed.size(), 3U);
    EXPECT_EQ(graph.compressed.front().cells, 256U);
    EXPECT_EQ(nodes_of(graph, Op::lightning_indexer), 1U);
    EXPECT_TRUE(has_node(graph, "attn_csa_lid-0"));
    EXPECT_EQ(graph.graph[graph.logits].ne, (Shape{10, 1, 1, 1}));
}

TEST(Architectures, StreamsAreMixedByOneOperationOrSeveral) {
    constexpr std::array kOps = {Op::dsv4_hc_pre, Op::dsv4_hc_comb, Op::dsv4_hc_post};
    ModelGraphOptions options = options_with_window();
    EXPECT_EQ(model_of_compressed_keys().graph(options).fused.size(), 6U);
    for (const Op op : kOps) {
        options.unfused = {op};
        const ModelGraph graph = model_of_compressed_keys().graph(options);
        for (const Op other : kOps) EXPECT_EQ(nodes_of(graph, other), other == op ? 0U : 2U);
        EXPECT_EQ(graph.fused.size(), 4U);
        EXPECT_TRUE(has_node(graph, "l_last-0"));
    }
}

TEST(Architectures, LimitTheIterationsOfMixedStreams) {
    EXPECT_NO_THROW(model_of_compressed_keys(4, 1024).graph(options_with_window()));
    const SmallModel many = model_of_compressed_keys(4, 1U << 30);
    EXPECT_NE(many.refusal().find("sinkhorn_iterations"), std::string::npos);
}

TEST(Architectures, RefuseMoreBlocksThanLlamaCppHasRoomFor) {
    // Blocks of any number would take minutes.
    for (const char* name : {"llama", "dots3note", "hy_v4", "unknown"}) {
        const auto error = SmallModel(name, 0xFFFFFFFF).load_error();
        ASSERT_TRUE(error) << name;
        EXPECT_NE(error->where().find("block_count"), std::string::npos) << error->what();
    }
    EXPECT_NE(SmallModel("llama", 513).load_error()->where().find("block_count"), std::string::npos);
}

TEST(Architectures, QueriesScaleAfterATrainedContext) {
    SmallModel model("mistral3");
    model.dense().decimal("attention.temperature_scale", 0.1F);
    EXPECT_TRUE(has_node(model.graph(), "Qcur_attn_temp_scaled-0"));
    model.number("rope.scaling.original_context_length", 0);
    EXPECT_NE(model.refusal().find("original_context_length"), std::string::npos);
}

TEST(Architectures, SectionsOfRopeFitHeads) {
    const auto reason = [](std::uint32_t first) {
        SmallModel model("qwen2vl");
        model.loadable().dense().number("feed_forward_length", 16).sections({first, 1, 1, 0});
        for (const std::string part : {"attn_q", "attn_k", "attn_v"})
            model.tensor("blk.0." + part + ".bias", {8});
        const TemporaryFile stored = model.stored();
        const auto found = make_model(GgufFile::open(stored.path()))->why_not_runnable();
        return found ? english(*found) : std::string();
    };
    EXPECT_EQ(reason(2), "");
    for (const std::uint32_t first : {3U, 1U << 30})
        EXPECT_NE(reason(first).find("sections of RoPE"), std::string::npos) << reason(first);
}

TEST(Architectures, LimitThePartsOfAllPooledBlocks) {
    const auto require = [](std::uint32_t heads, const std::vector<std::uint32_t>& blocks) {
        GgufWriter writer;
        writer.text("general.architecture", "qwen4exp");
        writer.number("qwen4exp.attention.indexer.head_count", heads);
        const TemporaryFile stored(writer.bytes());
        const auto file = GgufFile::open(stored.path());
        require_few_parts(Keys(*file), blocks);
    };
    EXPECT_NO_THROW(require(64, std::vector<std::uint32_t>(200, 128)));
    EXPECT_NO_THROW(require(1024, std::vector<std::uint32_t>(1000, 0)));
    EXPECT_THROW(require(1024, std::vector<std::uint32_t>(100, 1024)), Error);
}

TEST(Architectures, OtherRatiosOfCompressedKeysAreRefused) {
    for (const std::uint32_t ratio : {0U, 5U, 128U})
        EXPECT_NE(model_of_compressed_keys(ratio).refusal().find("attention.compress_ratios"),
                  std::string::npos);
}

TEST(Architectures, GraphsOfCompressedKeysDependOnThePosition) {
    const TemporaryFile stored = model_of_compressed_keys().stored();
    const auto model = make_model(GgufFile::open(stored.path()));
    const auto same = [&](std::uint32_t tokens, std::uint32_t a, std::uint32_t b) {
        ModelGraphOptions options = options_with_window();
        options.tokens = tokens;
        options.context = options.cells = 4096;
        options.first_cell = a;
        ModelGraphOptions other = options;
        other.first_cell = b;
        return model->same_graph(options, other);
    };
    EXPECT_TRUE(same(1, 0, 127));
    EXPECT_TRUE(same(200, 0, 256));
    // Two keys of 128 tokens are completed, not one.
    EXPECT_FALSE(same(200, 0, 200));
    // More than 256 keys of four tokens are visible.
    EXPECT_FALSE(same(1, 1000, 1027));
}

/// A reranker, with the tensors of its head that are named.
SmallModel reranker(const std::string& architecture, const std::vector<std::string>& head) {
    SmallModel model(architecture);
    model.number("pooling_type", 4).dense();
    for (const std::string& name : head) {
        const bool output = name.starts_with("cls.output");
        const bool matrix = name.ends_with(".weight") && name != "cls.norm.weight";
        const std::uint64_t rows = output ? 3 : 8;
        model.tensor(name, matrix ? std::vector<std::uint64_t>{8, rows} : std::vector<std::uint64_t>{rows});
    }
    return model;
}

/// The operations between the embeddings of tokens and the scores of sequences.
std::vector<Op> scoring_ops(const ModelGraph& model, std::string_view tokens) {
    const auto& nodes = model.graph.nodes;
    const auto found =
        std::ranges::find_if(nodes, [&](TensorId id) { return model.graph[id].name == tokens; });
    std::vector<Op> ops;
    if (found == nodes.end()) return ops;
    for (auto node = std::next(found); node != nodes.end(); ++node) ops.push_back(model.graph[*node].op);
    return ops;
}

std::vector<UnaryKind> unaries(const ModelGraph& model) {
    std::vector<UnaryKind> kinds;
    for (const TensorId id : model.graph.nodes) {
        const Tensor& t = model.graph[id];
        if (t.op == Op::unary) kinds.push_back(static_cast<UnaryKind>(t.op_params[0]));
    }
    return kinds;
}

TEST(Architectures, RerankersClassifyTheirFirstToken) {
    ModelGraphOptions options;
    options.embeddings = true;
    options.tokens = 6;
    options.sequences = 2;
    const auto graph = [&](const std::vector<std::string>& head) {
        return reranker("eurobert", head).graph(options);
    };
    using Ops = std::vector<Op>;
    const ModelGraph none = graph({});
    EXPECT_EQ(scoring_ops(none, "result_embd"), Ops{Op::get_rows});
    EXPECT_EQ(none.graph[none.logits].ne, (Shape{8, 2, 1, 1}));
    EXPECT_EQ(none.graph[none.logits].name, "result_embd_pooled");
    const ModelGraph last = graph({"cls.output.weight", "cls.output.bias"});
    EXPECT_EQ(scoring_ops(last, "result_embd"), (Ops{Op::get_rows, Op::mul_mat, Op::add}));
    EXPECT_EQ(last.graph[last.logits].ne, (Shape{3, 2, 1, 1}));
    const ModelGraph plain = graph({"cls.weight", "cls.output.weight"});
    EXPECT_EQ(scoring_ops(plain, "result_embd"), (Ops{Op::get_rows, Op::mul_mat, Op::unary, Op::mul_mat}));
    EXPECT_EQ(unaries(plain), std::vector{UnaryKind::tanh});
    const ModelGraph all =
        graph({"cls.weight", "cls.bias", "cls.norm.weight", "cls.output.weight", "cls.output.bias"});
    EXPECT_EQ(scoring_ops(all, "result_embd"),
              (Ops{Op::get_rows, Op::mul_mat, Op::add, Op::unary, Op::norm, Op::mul, Op::mul_mat, Op::add}));
    EXPECT_EQ(all.graph[all.logits].ne, (Shape{3, 2, 1, 1}));
    // The norm belongs to the first layer.
    EXPECT_EQ(scoring_ops(graph({"cls.norm.weight"}), "result_embd"), Ops{Op::get_rows});
    // One vector for each token.
    options.embeddings = false;
    EXPECT_EQ(scoring_ops(graph({"cls.weight"}), "result_embd"), Ops{});
}

TEST(Architectures, RerankersOfModernBertClassifyTheMean) {
    ModelGraphOptions options;
    options.embeddings = true;
    options.tokens = 6;
    options.sequences = 2;
    SmallModel model("modern-bert");
    model.number("pooling_type", 4).tensor("token_embd_norm.weight", {8});
    model.tensor("blk.0.ffn_up.weight", {8, 32}).tensor("blk.0.ffn_down.weight", {16, 8});
    model.tensor("cls.weight", {8, 8}).tensor("cls.output.weight", {8, 3});
    const ModelGraph graph = model.graph(options);
    EXPECT_EQ(scoring_ops(graph, "final_norm_out"),
              (std::vector{Op::transpose, Op::cont, Op::mul_mat, Op::mul_mat, Op::unary, Op::mul_mat}));
    EXPECT_EQ(unaries(graph), std::vector{UnaryKind::gelu});
    EXPECT_EQ(graph.graph[graph.logits].ne, (Shape{3, 2, 1, 1}));
}

SmallModel small_qwen3() {
    SmallModel model("qwen3");
    model.dense().tensor("output.weight", {8, 10});
    return model.tensor("blk.0.attn_q_norm.weight", {4}).tensor("blk.0.attn_k_norm.weight", {4});
}

TEST(Architectures, GenerativeModelsPoolTheirEmbeddings) {
    ModelGraphOptions options;
    options.tokens = options.outputs = 6;
    options.sequences = 2;
    using Ops = std::vector<Op>;
    EXPECT_EQ(scoring_ops(small_qwen3().graph(options), "result_norm"), Ops{Op::mul_mat});
    options.embeddings = true;
    const ModelGraph tokens = small_qwen3().graph(options);
    EXPECT_EQ(scoring_ops(tokens, "result_embd_pooled"), Ops{Op::mul_mat}) << "one vector per token";
    EXPECT_EQ(tokens.graph[tokens.logits].ne, (Shape{8, 6, 1, 1}));
    const ModelGraph last = small_qwen3().number("pooling_type", 3).graph(options);
    EXPECT_EQ(scoring_ops(last, "result_norm"), (Ops{Op::mul_mat, Op::get_rows}));
    EXPECT_EQ(last.graph[last.logits].ne, (Shape{8, 2, 1, 1}));
    EXPECT_TRUE(last.pools_last);
    options.pooling = Pooling::mean;
    EXPECT_EQ(scoring_ops(small_qwen3().number("pooling_type", 3).graph(options), "result_norm"),
              (Ops{Op::mul_mat, Op::transpose, Op::cont, Op::mul_mat}))
        << "the option replaces the file's pooling";
    options.pooling = Pooling::rank;
    const ModelGraph ranked = small_qwen3().tensor("cls.output.weight", {8, 2}).graph(options);
    EXPECT_EQ(scoring_ops(ranked, "result_norm"),
              (Ops{Op::mul_mat, Op::get_rows, Op::mul_mat, Op::soft_max}));
    EXPECT_EQ(ranked.graph[ranked.logits].ne, (Shape{2, 2, 1, 1}));
    EXPECT_TRUE(ranked.pools_last);
}

TEST(Architectures, DenseLayersFollowPooling) {
    ModelGraphOptions options;
    options.tokens = 6;
    options.sequences = 2;
    options.embeddings = true;
    SmallModel model("gemma-embedding");
    model.number("pooling_type", 1).number("attention.sliding_window", 8).dense();
    for (const char* name : {"attn_q_norm", "attn_k_norm"})
        model.tensor("blk.0." + std::string(name) + ".weight", {4});
    for (const char* name : {"post_attention_norm", "post_ffw_norm"})
        model.tensor("blk.0." + std::string(name) + ".weight", {8});
    model.tensor("dense_2.weight", {8, 12}).tensor("dense_3.weight", {12, 8});
    const ModelGraph graph = model.graph(options);
    EXPECT_EQ(scoring_ops(graph, "result_norm"),
              (std::vector{Op::transpose, Op::cont, Op::mul_mat, Op::mul_mat, Op::mul_mat}));
    EXPECT_EQ(graph.graph[graph.logits].name, "result_embd_pooled");
    EXPECT_EQ(graph.graph[graph.logits].ne, (Shape{8, 2, 1, 1}));
    options.embeddings = false;
    EXPECT_EQ(scoring_ops(model.graph(options), "result_norm"), std::vector<Op>{});
}

TEST(Architectures, DenseLayersHaveTheSizesOfTheMetadata) {
    const auto problem = [](std::uint64_t rows, std::uint32_t stated) {
        SmallModel model("gemma-embedding");
        model.loadable().number("attention.sliding_window", 8).number("feed_forward_length", 16);
        model.dense().tensor("dense_2.weight", {8, rows});
        for (const char* name : {"attn_q_norm", "attn_k_norm"})
            model.tensor("blk.0." + std::string(name) + ".weight", {4});
        for (const char* name : {"post_attention_norm", "post_ffw_norm"})
            model.tensor("blk.0." + std::string(name) + ".weight", {8});
        if (stated > 0) model.number("dense_2_feat_out", stated);
        const auto error = model.load_error();
        return error ? error->where() : "";
    };
    EXPECT_EQ(problem(12, 12), "");
    EXPECT_NE(problem(12, 16).find("dense_2.weight"), std::string::npos);
    EXPECT_NE(problem(12, 0).find("dense_2.weight"), std::string::npos);
}

TEST(Architectures, OlderFormsHaveNoEmbeddings) {
    ModelGraphOptions options;
    options.form = GraphForm::g2025_02;
    options.embeddings = true;
    EXPECT_THROW(small_qwen3().graph(options), Error);
}

TEST(Architectures, RefuseUnknownPooling) {
    ModelGraphOptions options;
    options.embeddings = true;
    SmallModel model("eurobert");
    model.number("pooling_type", 5).dense();
    EXPECT_THROW(model.graph(options), Error);
}

TEST(Architectures, CompressedKeysHaveOneCacheType) {
    ModelGraphOptions options = options_with_window();
    options.cache_type_k = ElementType::bf16;
    const ModelGraph graph = model_of_compressed_keys().graph(options);
    std::vector<std::pair<std::string, ElementType>> types;
    for (const TensorId id : graph.caches) types.emplace_back(graph.graph[id].name, graph.graph[id].type);
    std::ranges::sort(types);
    // Of the window, of attention and of the indexer.
    std::vector<std::pair<std::string, ElementType>> expected;
    for (const char* name : {"cache_k_l0", "cache_k_l0", "cache_k_l0"})
        expected.emplace_back(name, ElementType::bf16);
    for (const char* name : {"csa_state_kv", "csa_state_score", "lid_state_kv", "lid_state_score"})
        expected.emplace_back(fmt::format("dsv4_{}_l0", name), ElementType::f32);
    EXPECT_EQ(types, expected);
}

}  // namespace
}  // namespace splitscope
