// SPDX-License-Identifier: MIT
// Variants of golden models without recordings: MTP blocks, experts in dense models, fused weights. Expected
// values were measured with llama.cpp v0.5.0.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/planning/device_preset.hpp"
#include "engine/planning/plan_model.hpp"
#include "tests/planning/edited_models.hpp"

namespace splitscope {
namespace {

using test::add_tensor;
using test::edited_graph;
using test::EditedHeader;
using test::golden_headers;
using test::verdict_of;

std::uint32_t number_in(const EditedHeader& header, const std::string& key) {
    for (const auto& [name, value] : header.keys)
        if (name == key) return std::get<std::uint32_t>(value);
    ADD_FAILURE() << key;
    return 0;
}

void set_key(EditedHeader& header, const std::string& key, GgufValue value) {
    test::with_key(key, std::move(value))(header);
}

/// Appends a copy of the last block as one for multi-token prediction.
void add_prediction(EditedHeader& header, const std::string& architecture, bool with_tensors = true) {
    const std::uint32_t last = number_in(header, architecture + ".block_count") - 1;
    const std::string from = fmt::format("blk.{}.", last);
    const std::string to = fmt::format("blk.{}.", last + 1);
    set_key(header, architecture + ".block_count", last + 2);
    set_key(header, architecture + ".nextn_predict_layers", std::uint32_t{1});
    if (!with_tensors) return;
    const std::vector<GgufTensor> tensors = header.tensors;
    for (GgufTensor tensor : tensors) {
        if (!tensor.name.starts_with(from)) continue;
        tensor.name.replace(0, from.size(), to);
        header.tensors.push_back(tensor);
    }
    const std::int64_t width = number_in(header, architecture + ".embedding_length");
    add_tensor(header, to + "nextn.eh_proj.weight", {2 * width, width, 1, 1});
    for (const char* norm : {"enorm", "hnorm", "shared_head_norm"})
        add_tensor(header, fmt::format("{}nextn.{}.weight", to, norm), {width, 1, 1, 1});
}

struct Bytes {
    std::uint64_t weights = 0;
    std::uint64_t caches = 0;
    bool operator==(const Bytes&) const = default;
};

/// Of a plan for the CPU without a mapped file.
Bytes bytes_of(const std::string& name, const std::function<void(EditedHeader&)>& edit) {
    EditedHeader header(*GgufFile::open(golden_headers() / name));
    edit(header);
    const test::TemporaryFile stored(header.bytes());
    const auto file = GgufFile::open(stored.path());
    PlacementFlags flags;
    flags.memory_map = false;
    flags.gpu_layers = GpuLayers(0);
    const ModelPlan plan = plan_model(*file, make_model(file).get(), hardware_of_presets({"rtx-3090"}), flags,
                                      Generation::g2026_08);
    Bytes bytes;
    for (const LayoutBuffer& buffer : plan.layout->buffers)
        (buffer.purpose == BufferPurpose::weights ? bytes.weights : bytes.caches) += buffer.used;
    return bytes;
}

class ModelVariants : public ::testing::Test {
 protected:
    void SetUp() override {
        if (!std::filesystem::exists(golden_headers()))
            GTEST_SKIP() << "*** NOT CHECKED: no golden headers; set SPLITSCOPE_GOLDEN ***";
    }
};

TEST_F(ModelVariants, PredictionBlocksAreNeitherLoadedNorCached) {
    for (const auto& [name, architecture] :
         {std::pair("glm4moe-moe.gguf", "glm4moe"), std::pair("deepseek2-moe.gguf", "deepseek2"),
          std::pair("exaone4-dense.gguf", "exaone4"), std::pair("qwen35-dense.gguf", "qwen35")}) {
        const Bytes plain = bytes_of(name, [](EditedHeader&) {});
        // clang 14 captures no structured bindings.
        const std::string copied = architecture;
        const Bytes predicting = bytes_of(name, [&](EditedHeader& h) { add_prediction(h, copied); });
        EXPECT_EQ(predicting, plain) << name;
    }
}

TEST_F(ModelVariants, SomeTensorsOfPredictionBlocksAreLoaded) {
    const auto loaded = [](const char* name, const char* architecture) {
        const Bytes plain = bytes_of(name, [](EditedHeader&) {});
        const Bytes predicting = bytes_of(name, [&](EditedHeader& h) { add_prediction(h, architecture); });
        EXPECT_EQ(predicting.caches, plain.caches) << name;
        return predicting.weights - plain.weights;
    };
    // The norm of the head; those of queries and keys come in addition, with 32 elements each.
    EXPECT_EQ(loaded("cohere2moe-moe.gguf", "cohere2moe"), 1024U);
    EXPECT_EQ(loaded("hy_v3-moe.gguf", "hy_v3"), 1024U);
}

TEST_F(ModelVariants, PredictionBlocksOfDeepseek4AreCached) {
    const Bytes plain = bytes_of("deepseek4-moe.gguf", [](EditedHeader&) {});
    const Bytes predicting =
        bytes_of("deepseek4-moe.gguf", [](EditedHeader& h) { add_prediction(h, "deepseek4"); });
    EXPECT_EQ(predicting.weights, plain.weights);
    EXPECT_GT(predicting.caches, plain.caches);
}

TEST_F(ModelVariants, SomeFilesMayLackTheirPredictionBlocks) {
    const auto without_tensors = [](const char* architecture) {
        return [architecture](EditedHeader& header) { add_prediction(header, architecture, false); };
    };
    EXPECT_EQ(verdict_of("glm4moe-moe.gguf", without_tensors("glm4moe")), "Fits");
    EXPECT_EQ(bytes_of("glm4moe-moe.gguf", without_tensors("glm4moe")),
              bytes_of("glm4moe-moe.gguf", [](EditedHeader&) {}));
    EXPECT_NE(verdict_of("exaone4-dense.gguf", without_tensors("exaone4")).find("Cannot run"),
              std::string::npos);
    // Architectures without MTP load no blocks beyond the trunk.
    EXPECT_NE(verdict_of("qwen3-dense.gguf",
                         [](EditedHeader& header) {
                             set_key(header, "qwen3.nextn_predict_layers", std::uint32_t{1});
                         })
                  .find("Cannot run"),
              std::string::npos);
}

/// Turns the feed-forward of a block into experts.
void add_experts(EditedHeader& header, const std::string& block, std::int64_t width, std::int64_t hidden,
                 bool gated) {
    std::erase_if(header.tensors, [&](const GgufTensor& t) {
        return t.name == block + "ffn_gate.weight" || t.name == block + "ffn_up.weight" ||
               t.name == block + "ffn_down.weight";
    });
    constexpr std::int64_t kExperts = 8;
    if (gated) add_tensor(header, block + "ffn_gate_exps.weight", {width, hidden, kExperts, 1});
    add_tensor(header, block + "ffn_up_exps.weight", {width, hidden, kExperts, 1});
    add_tensor(header, block + "ffn_down_exps.weight", {hidden, width, kExperts, 1});
}

void add_router(EditedHeader& header, const std::string& architecture, const std::string& block,
                std::int64_t width) {
    set_key(header, architecture + ".expert_count", std::uint32_t{8});
    set_key(header, architecture + ".expert_used_count", std::uint32_t{2});
    add_tensor(header, block + "ffn_gate_inp.weight", {width, 8, 1, 1});
}

/// The names of the nodes of a kind, in the order of the graph.
std::vector<std::string> names_of(const ModelGraph& graph, Op op) {
    std::vector<std::string> names;
    for (const TensorId node : graph.graph.nodes)
        if (graph.graph[node].op == op) names.push_back(graph.graph[node].name);
    return names;
}

/// The only one of the name; an empty one fails the test.
Tensor node_named(const ModelGraph& graph, const std::string& name) {
    std::vector<TensorId> found;
    std::ranges::copy_if(graph.graph.nodes, std::back_inserter(found),
                         [&](TensorId node) { return graph.graph[node].name == name; });
    EXPECT_EQ(found.size(), 1U) << name;
    return found.empty() ? Tensor() : graph.graph[found[0]];
}

void make_nemotron_sparse(EditedHeader& header, std::int64_t latent) {
    constexpr std::int64_t kWidth = 256;
    const std::int64_t width = latent > 0 ? latent : kWidth;
    add_router(header, "nemotron_h_moe", "blk.2.", kWidth);
    set_key(header, "nemotron_h_moe.expert_feed_forward_length", std::uint32_t{128});
    set_key(header, "nemotron_h_moe.expert_shared_feed_forward_length", std::uint32_t{192});
    add_experts(header, "blk.2.", width, 128, false);
    add_tensor(header, "blk.2.exp_probs_b.bias", {8, 1, 1, 1});
    add_tensor(header, "blk.2.ffn_up_shexp.weight", {kWidth, 192, 1, 1});
    add_tensor(header, "blk.2.ffn_down_shexp.weight", {192, kWidth, 1, 1});
    if (latent == 0) return;
    add_tensor(header, "blk.2.ffn_latent_down.weight", {kWidth, latent, 1, 1});
    add_tensor(header, "blk.2.ffn_latent_up.weight", {latent, kWidth, 1, 1});
}

/// Nemotron 3 Nano.
std::function<void(EditedHeader&)> with_tensor(const std::string& name, const Shape& ne) {
    return [name, ne](EditedHeader& header) { add_tensor(header, name, ne); };
}

TEST_F(ModelVariants, PredictionBlocksNeedTheirTensors) {
    const auto edited = [](const char* architecture, const std::function<void(EditedHeader&)>& edit) {
        return [architecture, edit](EditedHeader& header) {
            add_prediction(header, architecture);
            edit(header);
        };
    };
    const auto lacking = [&](const char* architecture, const char* tensor) {
        return edited(architecture, test::without(tensor));
    };
    EXPECT_EQ(verdict_of("glm4moe-moe.gguf", lacking("glm4moe", "blk.2.attn_q.weight")), "Fits");
    EXPECT_NE(verdict_of("glm4moe-moe.gguf", lacking("glm4moe", "blk.2.attn_norm.weight")).find("attn_norm"),
              std::string::npos);
    EXPECT_NE(verdict_of("qwen35-dense.gguf", lacking("qwen35", "blk.2.nextn.enorm.weight")).find("enorm"),
              std::string::npos);
    // Their feed-forward has no experts.
    EXPECT_NE(
        verdict_of("exaone-moe-moe.gguf", edited("exaone-moe", [](EditedHeader&) {})).find("Cannot run"),
        std::string::npos);
    const auto widened = [](EditedHeader& header) {
        for (GgufTensor& tensor : header.tensors)
            if (tensor.name == "blk.2.attn_output.weight") tensor.ne[0] += 32;
    };
    EXPECT_NE(verdict_of("glm4moe-moe.gguf", edited("glm4moe", widened)).find("attn_output"),
              std::string::npos);
}

TEST_F(ModelVariants, BlocksOfDeepseek4WithoutPredictionAreOrdinary) {
    const auto ordinary = [](EditedHeader& header) {
        add_prediction(header, "deepseek4");
        std::erase_if(header.tensors,
                      [](const GgufTensor& t) { return t.name.find(".nextn.") != std::string::npos; });
    };
    const Bytes plain = bytes_of("deepseek4-moe.gguf", [](EditedHeader&) {});
    EXPECT_GT(bytes_of("deepseek4-moe.gguf", ordinary).weights, plain.weights);
}

TEST_F(ModelVariants, TensorsThatNoGraphReadsHaveTheirShapes) {
    const auto rope = [](std::int64_t length) { return with_tensor("rope_freqs.weight", {length, 1, 1, 1}); };
    EXPECT_EQ(verdict_of("cogvlm-dense.gguf", rope(64)), "Fits");
    EXPECT_NE(verdict_of("cogvlm-dense.gguf", rope(96)).find("rope_freqs"), std::string::npos);
    EXPECT_NE(verdict_of("falcon-h1-dense.gguf", rope(1)).find("rope_freqs"), std::string::npos);
    EXPECT_NE(verdict_of("qwen3-dense.gguf", with_tensor("cls.output.weight", {256, 2, 1, 1})).find("cls."),
              std::string::npos);
    EXPECT_NE(verdict_of("falcon-dense.gguf", with_tensor("blk.1.attn_norm_2.bias", {8, 1, 1, 1}))
                  .find("attn_norm_2"),
              std::string::npos);
}

TEST_F(ModelVariants, ContextsHaveToBeChosenWhereNoneIsGiven) {
    const auto zero = test::with_key("llama.context_length", std::uint32_t{0});
    PlacementFlags flags;
    EXPECT_NE(verdict_of("llama-dense.gguf", zero, flags).find("context_length"), std::string::npos);
    flags.context = 512;
    EXPECT_EQ(verdict_of("llama-dense.gguf", zero, flags), "Fits");
}

TEST_F(ModelVariants, KeysOfBailingMoe3HaveASign) {
    EXPECT_NE(verdict_of("bailingmoe3-moe.gguf", test::with_key("bailingmoe3.kda.safe_gate", false))
                  .find("kda.safe_gate"),
              std::string::npos);
    EXPECT_NE(verdict_of("bailingmoe3-moe.gguf", test::with_key("bailingmoe3.kda.gate_lower_bound", 0.0F))
                  .find("kda.gate_lower_bound"),
              std::string::npos);
}

TEST_F(ModelVariants, NemotronSquaresWithinExperts) {
    const auto graph = edited_graph("nemotron_h_moe-dense.gguf",
                                    [](EditedHeader& header) { make_nemotron_sparse(header, 0); });
    EXPECT_EQ(names_of(*graph, Op::sqr), (std::vector<std::string>{"ffn_moe_relu_sqr-2", "ffn_sqr(relu)-2"}));
}

/// Nemotron 3 Super.
TEST_F(ModelVariants, NemotronProjectsTheInputOfItsExperts) {
    const auto graph = edited_graph("nemotron_h_moe-dense.gguf",
                                    [](EditedHeader& header) { make_nemotron_sparse(header, 64); });
    EXPECT_EQ(graph->graph[node_named(*graph, "ffn_moe_logits-2").src[1]].ne[0], 256);
    EXPECT_EQ(graph->graph[node_named(*graph, "ffn_moe_up-2").src[1]].ne[0], 64);
    EXPECT_EQ(node_named(*graph, "ffn_moe_out-2").ne[0], 64);
    EXPECT_EQ(node_named(*graph, "l_out-2").ne[0], 256);
}

TEST_F(ModelVariants, NemotronChoosesExpertsByBlock) {
    const auto using_experts = [](std::vector<std::uint32_t> counts) {
        return [counts = std::move(counts)](EditedHeader& header) {
            make_nemotron_sparse(header, 0);
            set_key(header, "nemotron_h_moe.expert_used_count",
                    std::make_shared<const GgufArray>(GgufArray{counts}));
        };
    };
    const auto graph = edited_graph("nemotron_h_moe-dense.gguf", using_experts({0, 0, 3}));
    EXPECT_EQ(node_named(*graph, "ffn_moe_topk-2").ne[0], 3);
    EXPECT_NE(verdict_of("nemotron_h_moe-dense.gguf", using_experts({3, 3, 0})).find("expert_used_count"),
              std::string::npos);
}

/// Gemma 4 26B.
TEST_F(ModelVariants, Gemma4AddsExpertsToItsFeedForward) {
    const auto graph = edited_graph("gemma4-dense.gguf", [](EditedHeader& header) {
        constexpr std::int64_t kWidth = 128;
        set_key(header, "gemma4.expert_feed_forward_length", std::uint32_t{64});
        for (int block = 0; block < 5; ++block) {
            const std::string prefix = fmt::format("blk.{}.", block);
            add_router(header, "gemma4", prefix, kWidth);
            add_tensor(header, prefix + "ffn_gate_inp.scale", {kWidth, 1, 1, 1});
            add_tensor(header, prefix + "ffn_gate_up_exps.weight", {kWidth, 128, 8, 1});
            add_tensor(header, prefix + "ffn_down_exps.weight", {64, kWidth, 8, 1});
            for (const char* norm : {"pre_ffw_norm_2", "post_ffw_norm_1", "post_ffw_norm_2"})
                add_tensor(header, fmt::format("{}{}.weight", prefix, norm), {kWidth, 1, 1, 1});
        }
    });
    const auto products = names_of(*graph, Op::mul_mat);
    EXPECT_EQ(std::ranges::count(products, "ffn_moe_logits-0"), 1);
    EXPECT_EQ(std::ranges::count(products, "ffn_out-0"), 0);
    EXPECT_EQ(names_of(*graph, Op::mul_mat_id).size(), 10U);
}

TEST_F(ModelVariants, HunyuanBiasesTheChoiceOfExperts) {
    const auto graph = edited_graph("hy_v3-moe.gguf", [](EditedHeader& header) {
        for (const char* block : {"blk.0.", "blk.1."}) {
            add_tensor(header, fmt::format("{}ffn_gate_inp.weight", block), {256, 2, 1, 1});
            for (const char* part : {"gate", "up"})
                add_tensor(header, fmt::format("{}ffn_{}_exps.weight", block, part), {256, 384, 2, 1});
            add_tensor(header, fmt::format("{}ffn_down_exps.weight", block), {384, 256, 2, 1});
            add_tensor(header, fmt::format("{}exp_probs_b", block), {2, 1, 1, 1});
        }
    });
    const auto sums = names_of(*graph, Op::add);
    EXPECT_EQ(std::ranges::count(sums, "ffn_moe_probs_biased-0"), 1);
    // A missing shared expert activates its input instead.
    EXPECT_EQ(std::ranges::count(names_of(*graph, Op::unary), "ffn_shared_out-0"), 1);
}

TEST_F(ModelVariants, GraniteSwaCombinesGateAndUpOfItsSharedExpert) {
    const auto graph = edited_graph("granite_swa-dense.gguf", [](EditedHeader& header) {
        set_key(header, "granite_swa.expert_shared_feed_forward_length", std::uint32_t{192});
        for (const char* block : {"blk.0.", "blk.1."}) {
            add_router(header, "granite_swa", block, 256);
            add_experts(header, block, 256, 384, true);
            add_tensor(header, fmt::format("{}ffn_up_shexp.weight", block), {256, 384, 1, 1});
            add_tensor(header, fmt::format("{}ffn_down_shexp.weight", block), {192, 256, 1, 1});
        }
    });
    EXPECT_EQ(std::ranges::count(names_of(*graph, Op::add), "ffn_out-0"), 1);
    EXPECT_EQ(std::ranges::count(names_of(*graph, Op::glu), "ffn_swiglu-0"), 1);
}

/// As `convert_hf_to_gguf.py --fuse-qkv` writes them; biases stay separate if `biases` is false.
void fuse_qkv(EditedHeader& header, bool biases) {
    std::vector<GgufTensor> tensors;
    const auto rows = [&](const std::string& name, std::size_t dimension) {
        const auto found = std::ranges::find(header.tensors, name, &GgufTensor::name);
        return found == header.tensors.end() ? 0 : found->ne[dimension];
    };
    for (GgufTensor tensor : header.tensors) {
        const bool bias = tensor.name.ends_with(".bias");
        const std::size_t at = tensor.name.find(".attn_");
        const std::string part = at == std::string::npos ? "" : tensor.name.substr(at, 8);
        const bool one = (part == ".attn_q." || part == ".attn_k." || part == ".attn_v.") &&
                         rows(tensor.name.substr(0, at) + ".attn_v.weight", 1) > 0;
        if (one && (!bias || biases)) {
            if (part != ".attn_q.") continue;
            const std::string block = tensor.name.substr(0, at);
            const std::string suffix = bias ? "bias" : "weight";
            const std::size_t dimension = bias ? 0 : 1;
            for (const char* other : {"k", "v"})
                tensor.ne[dimension] += rows(fmt::format("{}.attn_{}.{}", block, other, suffix), dimension);
            tensor.name = fmt::format("{}.attn_qkv.{}", block, suffix);
        }
        tensors.push_back(tensor);
    }
    header.tensors = tensors;
}

TEST_F(ModelVariants, QueriesKeysAndValuesMayBeOneProduct) {
    for (const char* name : {"qwen2-dense.gguf", "olmo2-dense.gguf", "qwen3next-moe.gguf", "step35-moe.gguf",
                             "kimi-linear-moe.gguf", "gemma3n-dense.gguf", "mimo2-moe.gguf"}) {
        const auto graph = edited_graph(name, [](EditedHeader& header) { fuse_qkv(header, true); });
        const auto plain = edited_graph(name, [](EditedHeader&) {});
        EXPECT_LT(test::count_of(*graph, Op::mul_mat), test::count_of(*plain, Op::mul_mat)) << name;
    }
}

TEST_F(ModelVariants, SeparateBiasesOfOneProductAreConcatenated) {
    const auto graph =
        edited_graph("qwen2-dense.gguf", [](EditedHeader& header) { fuse_qkv(header, false); });
    EXPECT_EQ(test::count_of(*graph, Op::concat), 4U);
    EXPECT_EQ(std::ranges::count(names_of(*graph, Op::add), "wqkv_b-0"), 1);
}

/// DeepSeek V2 Lite has 27 layers.
TEST_F(ModelVariants, QueriesOfDeepseek2HaveALowRankUnlessItIsLite) {
    const auto without_rank = [](std::uint32_t blocks) {
        return [blocks](EditedHeader& header) {
            std::vector<GgufTensor> tensors;
            for (GgufTensor tensor : header.tensors) {
                if (tensor.name.find("attn_q_a") != std::string::npos) continue;
                if (tensor.name.ends_with("attn_q_b.weight")) {
                    tensor.name.replace(tensor.name.find("attn_q_b"), std::string("attn_q_b").size(),
                                        "attn_q");
                    tensor.ne[0] = number_in(header, "deepseek2.embedding_length");
                }
                tensors.push_back(tensor);
            }
            header.tensors = tensors;
            std::erase_if(header.keys, [](const auto& key) { return key.first.ends_with("q_lora_rank"); });
            const std::uint32_t old = number_in(header, "deepseek2.block_count");
            for (std::uint32_t block = old; block < blocks; ++block)
                for (const GgufTensor& tensor : tensors)
                    if (const std::string last = fmt::format("blk.{}.", old - 1);
                        tensor.name.starts_with(last))
                        add_tensor(header, fmt::format("blk.{}.{}", block, tensor.name.substr(last.size())),
                                   tensor.ne);
            set_key(header, "deepseek2.block_count", std::max(blocks, old));
        };
    };
    EXPECT_EQ(verdict_of("deepseek2-moe.gguf", without_rank(27)), "Fits");
    EXPECT_NE(verdict_of("deepseek2-moe.gguf", without_rank(28)).find("attention.q_lora_rank"),
              std::string::npos);
}

TEST_F(ModelVariants, SomeLoadersWantExpertsInEveryBlock) {
    const auto dense_first = [](EditedHeader& header) {
        std::erase_if(header.tensors,
                      [](const GgufTensor& t) { return t.name.starts_with("blk.0.ffn_gate_inp"); });
        for (GgufTensor& tensor : header.tensors) {
            const std::size_t at = tensor.name.find("_exps.weight");
            if (!tensor.name.starts_with("blk.0.") || at == std::string::npos) continue;
            tensor.name.erase(at, std::string("_exps").size());
            tensor.ne[2] = 1;
        }
    };
    EXPECT_NE(verdict_of("llama-moe.gguf", dense_first).find("Cannot run"), std::string::npos);
    EXPECT_NE(verdict_of("granitemoe-moe.gguf", dense_first).find("Cannot run"), std::string::npos);
}

TEST_F(ModelVariants, CountedSharedExpertsAreRequired) {
    const auto without_shared = [](std::uint32_t count) {
        return [count](EditedHeader& header) {
            std::erase_if(header.tensors,
                          [](const GgufTensor& t) { return t.name.find("_shexp") != std::string::npos; });
            set_key(header, "glm4moe.expert_shared_count", count);
        };
    };
    EXPECT_NE(verdict_of("glm4moe-moe.gguf", without_shared(1)).find("Cannot run"), std::string::npos);
    EXPECT_EQ(verdict_of("glm4moe-moe.gguf", without_shared(0)), "Fits");
}

}  // namespace
}  // namespace splitscope
