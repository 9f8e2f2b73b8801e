// SPDX-License-Identifier: MIT
// Every golden architecture, damaged in ways that llama.cpp v0.5.0 refuses: no verdict may be "fits".
#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/models/architectures.hpp"
#include "engine/models/check_file.hpp"
#include "engine/models/known_tensors.hpp"
#include "engine/models/name_list.hpp"
#include "engine/models/placement/cache_layout.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/lint.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/planning/verdict.hpp"
#include "engine/support/error.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/planning/edited_models.hpp"

namespace splitscope {
namespace {

namespace fs = std::filesystem;
using test::add_tensor;
using test::count_of;
using test::edited_graph;
using test::EditedHeader;
using test::golden_headers;
using test::verdict_of;
using test::with_key;
using test::without;

/// One of so many mutations is tried, each time others.
constexpr std::size_t kStride = 7;

/// Optional for some architectures.
constexpr std::string_view kOptional =
    "output.weight token_types.weight blk.attn_q.bias blk.attn_k.bias blk.attn_v.bias blk.attn_output.bias "
    "blk.ffn_up.bias blk.ffn_down.bias blk.attn_qkv.bias glm-dsa:blk.indexer.k_norm.weight "
    "glm-dsa:blk.indexer.k_norm.bias jina-bert-v2:blk.ffn_gate.weight";

class DamagedHeaders : public testing::Test {
 protected:
    /// Why the file is not planned; empty if it is.
    static std::string why_not(const std::string& bytes) {
        const test::TemporaryFile stored(bytes);
        std::shared_ptr<const GgufFile> file;
        try {
            file = GgufFile::open(stored.path());
        } catch (const Error& error) {
            return error.what();
        }
        std::shared_ptr<const Model> model;
        try {
            model = make_model(file);
        } catch (const Error&) {
        }
        const auto verdict = why_not_planned(*file, model.get());
        return verdict ? english(verdict->text()) : "";
    }

    void expect_refused(const std::string& what, const std::function<void(EditedHeader&)>& damage) {
        if (++seen_ % kStride != phase_) return;
        EditedHeader edited(*file_);
        damage(edited);
        ++tried_;
        EXPECT_NE(why_not(edited.bytes()), "") << file_->path().filename() << ": " << what;
    }

    void damage_keys() {
        for (std::size_t k = 0; k < file_->metadata().size(); ++k) {
            const auto& [key, value] = file_->metadata()[k];
            if (!key.starts_with(architecture_ + ".")) continue;
            if (const auto* number = std::get_if<std::uint32_t>(&value)) {
                const std::uint64_t wide = *number;
                expect_refused(key + " as u64", [&](EditedHeader& e) { e.keys[k].second = wide; });
            }
            if (std::holds_alternative<float>(value))
                expect_refused(key + " as u32",
                               [&](EditedHeader& e) { e.keys[k].second = std::uint32_t{1}; });
            if (std::holds_alternative<bool>(value))
                expect_refused(key + " as u8", [&](EditedHeader& e) { e.keys[k].second = std::uint8_t{1}; });
            if (key.ends_with("head_count") || key.ends_with("head_count_kv") ||
                key.ends_with(".feed_forward_length")) {
                expect_refused(key + " of many layers", [&](EditedHeader& e) {
                    e.keys[k].second = std::make_shared<const GgufArray>(
                        GgufArray{std::vector<std::uint32_t>(file_->tensors().size() + 1, 2)});
                });
            }
        }
    }

    void damage_tensors() {
        std::map<std::string, std::size_t> last;
        for (std::size_t t = 0; t < file_->tensors().size(); ++t)
            last[kind_of_tensor(file_->tensors()[t].name)] = t;
        for (const auto& [kind, index] : last) {
            const auto t = index;  // clang 14 captures no structured bindings
            const GgufTensor& tensor = file_->tensors()[t];
            if (!lists(kOptional, kind) && !lists(kOptional, architecture_ + ":" + kind))
                expect_refused(tensor.name + " removed", [&](EditedHeader& e) {
                    e.tensors.erase(e.tensors.begin() + static_cast<std::ptrdiff_t>(t));
                });
            for (std::size_t d = 0; d < tensor.ne.size(); ++d) {
                if (tensor.ne[d] == 1) continue;
                expect_refused(fmt::format("{} with twice dimension {}", tensor.name, d),
                               [&](EditedHeader& e) { e.tensors[t].ne[d] *= 2; });
            }
        }
        for (const char* name : {"unknown.weight", "blk.0.unknown.weight", "blk.999.attn_norm.weight"}) {
            expect_refused(fmt::format("{} added", name), [&](EditedHeader& e) {
                GgufTensor added = e.tensors.back();
                added.name = name;
                e.tensors.push_back(added);
            });
        }
    }

    std::shared_ptr<const GgufFile> file_;
    std::string architecture_;
    std::size_t seen_ = 0;
    std::size_t tried_ = 0;
    std::size_t phase_ = 0;
};

TEST_F(DamagedHeaders, NeverFit) {
    const fs::path folder = golden_headers();
    if (!fs::exists(folder)) GTEST_SKIP() << "*** NOT CHECKED: no golden headers; set SPLITSCOPE_GOLDEN ***";
    std::set<fs::path> headers;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".gguf") headers.insert(entry.path());
    for (const fs::path& path : headers) {
        file_ = GgufFile::open(path);
        architecture_ = file_->string_value("general.architecture").value();
        const Architecture* architecture = find_architecture(architecture_);
        if (architecture == nullptr || architecture->graph == nullptr) continue;
        phase_ = (phase_ + 1) % kStride;
        const std::string plain = why_not(EditedHeader(*file_).bytes());
        EXPECT_EQ(plain, "") << path.filename();
        damage_keys();
        damage_tensors();
    }
    fmt::print("{} mutations of {} headers, of {} possible\n", tried_, headers.size(), seen_);
    EXPECT_GT(tried_, headers.size() * 8);
}

/// Weights that are loaded although no graph of text reads them.
TEST(EditedHeaders, UnreadTensorsAreReported) {
    const fs::path path = golden_headers() / "cogvlm-dense.gguf";
    if (!fs::exists(path)) GTEST_SKIP() << "*** NOT CHECKED: no golden headers; set SPLITSCOPE_GOLDEN ***";
    const auto file = GgufFile::open(path);
    const auto model = make_model(file);
    const ModelPlan plan =
        plan_model(*file, model.get(), hardware_of_presets({"rtx-3090"}), {}, Generation::g2026_08);
    EXPECT_EQ(plan.verdict.kind, Verdict::Kind::fits) << plan.verdict.text();
    EXPECT_NE(english(plan.unread).find("10 tensors"), std::string::npos) << plan.unread;
    EXPECT_NE(english(plan.unread).find("blk.0.vis_attn_qkv"), std::string::npos) << plan.unread;
    const auto findings = lint(plan);
    EXPECT_TRUE(std::ranges::any_of(findings, [](const Finding& f) { return f.rule == "tensors-unread"; }));
}

class EditedVerdicts : public testing::Test {
 protected:
    void SetUp() override {
        if (!fs::exists(golden_headers()))
            GTEST_SKIP() << "*** NOT CHECKED: no golden headers; set SPLITSCOPE_GOLDEN ***";
    }
};

TEST_F(EditedVerdicts, EncodersAreReadAndChecked) {
    const auto file = GgufFile::open(golden_headers() / "t5-dense.gguf");
    const Hardware hardware = hardware_of_presets({"rtx-3090"});
    const ModelPlan plan = plan_model(*file, make_model(file).get(), hardware, {}, Generation::g2026_08);
    EXPECT_EQ(english(plan.unread), "");
    EXPECT_EQ(english(plan.verdict.text()), "Fits");
    EXPECT_EQ(verdict_of("t5-dense.gguf", without("enc.blk.0.ffn_norm.weight")),
              "Cannot run: tensor 'enc.blk.0.ffn_norm.weight': the file has no such tensor");
}

/// Graphs would divide by them.
TEST_F(EditedVerdicts, StateSizesOfZeroAreRefused) {
    for (const auto& [name, architecture] :
         {std::pair("falcon-h1-dense.gguf", "falcon-h1"), std::pair("qwen35-dense.gguf", "qwen35"),
          std::pair("qwen35moe-moe.gguf", "qwen35moe"), std::pair("plamo2-dense.gguf", "plamo2")})
        for (const char* key : {"time_step_rank", "state_size", "inner_size"})
            EXPECT_NE(
                verdict_of(name, with_key(fmt::format("{}.ssm.{}", architecture, key), std::uint32_t{0}))
                    .find("Cannot run"),
                std::string::npos)
                << name << key;
    EXPECT_NE(verdict_of("ernie4_5-moe-moe.gguf",
                         with_key("ernie4_5-moe.interleave_moe_layer_step", std::uint32_t{0}))
                  .find("Cannot run"),
              std::string::npos);
}

TEST_F(EditedVerdicts, Gemma4NeedsFactorsOfItsFullLayers) {
    const auto all_slide =
        with_key("gemma4.attention.sliding_window_pattern",
                 std::make_shared<const GgufArray>(GgufArray{std::vector<std::uint32_t>{1, 1, 1, 1, 1}}));
    EXPECT_EQ(verdict_of("gemma4-dense.gguf", without("rope_freqs.weight")),
              "Cannot run: tensor 'rope_freqs.weight': the file has no such tensor");
    EXPECT_NE(verdict_of("gemma4-dense.gguf", all_slide).find("rope_freqs.weight"), std::string::npos);
    EXPECT_EQ(verdict_of("gemma4-dense.gguf",
                         [&](EditedHeader& header) {
                             all_slide(header);
                             without("rope_freqs.weight")(header);
                         }),
              "Fits");
}

/// Of the length, llama.cpp only checks that it is at most 512; missing entries are false.
TEST_F(EditedVerdicts, WindowPatternsHaveAnyLength) {
    const auto with_pattern = [](const char* name, const char* architecture, const auto& values) {
        return verdict_of(name, with_key(fmt::format("{}.attention.sliding_window_pattern", architecture),
                                         std::make_shared<const GgufArray>(GgufArray{values})));
    };
    using Numbers = std::vector<std::uint32_t>;
    for (const auto& [name, architecture] :
         {std::pair("muse-glimmer-dense.gguf", "muse-glimmer"), std::pair("mellum-moe.gguf", "mellum"),
          std::pair("gemma3-dense.gguf", "gemma3")}) {
        EXPECT_EQ(with_pattern(name, architecture, Numbers{1}), "Fits") << name;
        EXPECT_EQ(with_pattern(name, architecture, Numbers(512, 1)), "Fits") << name;
        EXPECT_EQ(with_pattern(name, architecture, std::vector<bool>{true}), "Fits") << name;
        EXPECT_NE(with_pattern(name, architecture, Numbers(513, 1)), "Fits") << name;
        EXPECT_NE(with_pattern(name, architecture, Numbers{}), "Fits") << name;
        EXPECT_NE(with_pattern(name, architecture, std::vector<float>(2, 1)), "Fits") << name;
    }
    // Not read.
    EXPECT_EQ(with_pattern("exaone4-dense.gguf", "exaone4", std::vector<float>(9, 1)), "Fits");
    EXPECT_EQ(with_pattern("phi3-dense.gguf", "phi3", std::vector<std::string>{"x"}), "Fits");
    EXPECT_EQ(with_pattern("lfm2-dense.gguf", "lfm2", Numbers{0}), "Fits");
}

/// Shared caches are of the layer's own kind, with or without a window.
TEST_F(EditedVerdicts, Gemma3nSharesCachesOfTheSameKind) {
    const auto file = GgufFile::open(golden_headers() / "gemma3n-dense.gguf");
    const auto layers = file->unsigned_value("gemma3n.block_count").value_or(0);
    const auto slides =
        std::make_shared<const GgufArray>(GgufArray{std::vector<std::uint32_t>(layers - 1, 1)});
    EXPECT_NE(verdict_of("gemma3n-dense.gguf", with_key("gemma3n.attention.sliding_window_pattern", slides)),
              "Fits");
}

/// The caches of a golden header after an edit.
CacheLayout caches_of(const char* name, const PlacementFlags& flags,
                      const std::function<void(EditedHeader&)>& edit) {
    EditedHeader edited(*GgufFile::open(golden_headers() / name));
    edit(edited);
    const test::TemporaryFile stored(edited.bytes());
    return cache_layout(*GgufFile::open(stored.path()), flags, true);
}

/// The last blocks read the cache of the last block of their kind that has one.
TEST_F(EditedVerdicts, Gemma4CachesNothingForBlocksThatShare) {
    using Windows = std::vector<bool>;
    const auto shares = [](std::uint32_t count) {
        return [count](EditedHeader& header) {
            with_key("gemma4.attention.shared_kv_layers", count)(header);
            with_key("gemma4.attention.sliding_window_pattern",
                     std::make_shared<const GgufArray>(GgufArray{Windows{true, false, true, false, true}}))(
                header);
        };
    };
    for (const std::uint32_t count : {0U, 1U, 3U}) {
        std::vector<std::string> expected;
        for (std::uint32_t block = 0; block < 5 - count; ++block) {
            expected.push_back(fmt::format("cache_k_l{}", block));
            expected.push_back(fmt::format("cache_v_l{}", block));
        }
        std::vector<std::string> planned;
        for (const CacheTensor& cache : caches_of("gemma4-dense.gguf", {}, shares(count)).tensors) {
            planned.push_back(cache.name);
            EXPECT_EQ(cache.kind, cache.block % 2 == 0 ? CacheKind::window : CacheKind::attention)
                << cache.name;
        }
        EXPECT_EQ(planned, expected) << count;
        const auto graph = edited_graph("gemma4-dense.gguf", shares(count));
        std::set<std::string> built;
        for (const TensorId id : graph->caches) built.insert(graph->graph[id].name);
        EXPECT_EQ(built, std::set(expected.begin(), expected.end())) << count;
    }
    // Both kinds of cache are needed.
    EXPECT_NE(verdict_of("gemma4-dense.gguf", shares(4)), "Fits");
}

TEST_F(EditedVerdicts, CompressedKeysAreCachedInOneType) {
    const auto unchanged = [](EditedHeader&) {};
    PlacementFlags flags;
    flags.cache_type_k = flags.cache_type_v = ElementType::q8_0;
    std::size_t keys = 0;
    for (const CacheTensor& cache : caches_of("deepseek4-moe.gguf", flags, unchanged).tensors) {
        const bool state = cache.kind == CacheKind::recurrent;
        EXPECT_EQ(cache.type, state ? ElementType::f32 : ElementType::q8_0) << cache.name;
        keys += state ? 0 : 1;
    }
    // The windows of four blocks, the compressed keys of two, and those of an indexer.
    EXPECT_EQ(keys, 7U);
    EXPECT_EQ(verdict_of("deepseek4-moe.gguf", unchanged, flags), "Fits");
    flags.cache_type_v = ElementType::f16;
    EXPECT_NE(verdict_of("deepseek4-moe.gguf", unchanged, flags).find("cached in one type"),
              std::string::npos);
}

TEST_F(EditedVerdicts, ErnieNeedsAllPartsOfDenseLayers) {
    for (const char* part : {"blk.0.ffn_up.weight", "blk.0.ffn_gate.weight", "blk.0.ffn_down.weight"})
        EXPECT_NE(verdict_of("ernie4_5-moe-moe.gguf", without(part)), "Fits") << part;
}

TEST_F(EditedVerdicts, PlmNeedsFlashAttentionOff) {
    const auto file = GgufFile::open(golden_headers() / "plm-dense.gguf");
    const auto model = make_model(file);
    const Hardware hardware = hardware_of_presets({"rtx-3090"});
    PlacementFlags flags;
    for (const FlashAttention flash : {FlashAttention::automatic, FlashAttention::on}) {
        flags.flash_attention = flash;
        const Verdict verdict = plan_model(*file, model.get(), hardware, flags, Generation::g2026_08).verdict;
        EXPECT_EQ(verdict.kind, Verdict::Kind::cannot_run);
        EXPECT_NE(english(verdict.text()).find("flash attention for plm"), std::string::npos)
            << verdict.text();
    }
    flags.flash_attention = FlashAttention::off;
    EXPECT_EQ(plan_model(*file, model.get(), hardware, flags, Generation::g2026_08).verdict.kind,
              Verdict::Kind::fits);
}

/// Kinds of tensors that the graph uses: "blk.attn_q.bias".
std::set<std::string> used_kinds(const ModelGraph& graph) {
    std::set<std::string> kinds;
    for (const WeightBinding& weight : graph.weights)
        kinds.insert(kind_of_tensor(graph.graph[weight.tensor].name));
    return kinds;
}

/// Loaders accept biases that graphs do not add.
TEST_F(EditedVerdicts, SomeLoadedBiasesAreNotUsed) {
    const auto uses = [](const char* name, const std::string& tensor, const Shape& ne) {
        const auto graph = edited_graph(name, [&](EditedHeader& header) { add_tensor(header, tensor, ne); });
        return used_kinds(*graph).contains(kind_of_tensor(tensor));
    };
    const Shape width{256, 1, 1, 1};
    const Shape hidden{384, 1, 1, 1};
    EXPECT_FALSE(uses("ernie4_5-moe.gguf", "blk.0.attn_output.bias", width));
    EXPECT_FALSE(uses("ernie4_5-moe-moe.gguf", "blk.0.attn_output.bias", width));
    EXPECT_TRUE(uses("paddleocr-moe.gguf", "blk.0.attn_output.bias", width));
    EXPECT_FALSE(uses("falcon-h1-dense.gguf", "blk.0.attn_output.bias", width));
    EXPECT_TRUE(uses("falcon-h1-dense.gguf", "blk.0.ffn_down.bias", width));
    EXPECT_FALSE(uses("refact-dense.gguf", "blk.0.attn_output.bias", width));
    for (const char* name : {"refact-dense.gguf", "llada-dense.gguf", "nomic-bert-dense.gguf"}) {
        EXPECT_FALSE(uses(name, "blk.0.ffn_down.bias", width)) << name;
        EXPECT_FALSE(uses(name, "blk.0.ffn_up.bias", hidden)) << name;
    }
    EXPECT_TRUE(uses("rwkv6qwen2-dense.gguf", "output_norm.bias", width));
}

/// In layers of gemma3n without a cache of their own, and in those of Kimi delta attention.
TEST_F(EditedVerdicts, SomeLayersDoNotUseTheirBiases) {
    const auto biases = [](const char* name, std::string_view part) {
        const auto graph = edited_graph(name, [&](EditedHeader& header) {
            const auto tensors = header.tensors;
            for (const GgufTensor& tensor : tensors) {
                if (!tensor.name.ends_with(fmt::format(".{}.weight", part))) continue;
                const std::string bias = tensor.name.substr(0, tensor.name.rfind('.')) + ".bias";
                add_tensor(header, bias, {tensor.ne[1], 1, 1, 1});
            }
        });
        return std::ranges::count_if(graph->weights, [&](const WeightBinding& weight) {
            return graph->graph[weight.tensor].name.ends_with(fmt::format(".{}.bias", part));
        });
    };
    EXPECT_EQ(biases("gemma3n-dense.gguf", "attn_q"), 20);
    EXPECT_EQ(biases("kimi-linear-moe.gguf", "attn_k"), 0);
    EXPECT_EQ(biases("kimi-k3-moe.gguf", "attn_v"), 0);
    EXPECT_EQ(biases("bailingmoe3-moe.gguf", "attn_k"), 0);
}

TEST_F(EditedVerdicts, SecondNormOfJinaBertHasTheNameOfTheSum) {
    const auto graph = edited_graph("jina-bert-v2-dense.gguf", [](EditedHeader& header) {
        add_tensor(header, "blk.0.attn_norm_2.weight", {256, 1, 1, 1});
        add_tensor(header, "blk.0.attn_norm_2.bias", {256, 1, 1, 1});
    });
    EXPECT_EQ(std::ranges::count_if(graph->graph.nodes,
                                    [&](TensorId id) { return graph->graph[id].name == "ffn_inp-0"; }),
              1);
}

/// Keys that llama.cpp does not read for these architectures.
TEST_F(EditedVerdicts, UnreadKeysDoNotChangeTheGraph) {
    const auto nodes = [](const char* name, const std::function<void(EditedHeader&)>& edit) {
        return edited_graph(name, edit)->graph.nodes.size();
    };
    const auto plain = [](EditedHeader&) {};
    for (const auto& [name, architecture] :
         {std::pair("qwen35moe-moe.gguf", "qwen35moe"), std::pair("qwen3next-moe.gguf", "qwen3next"),
          std::pair("llama-moe.gguf", "llama"), std::pair("lfm2moe-moe.gguf", "lfm2moe")}) {
        const std::size_t usual = nodes(name, plain);
        const std::string prefix = fmt::format("{}.", architecture);
        EXPECT_EQ(nodes(name, with_key(prefix + "final_logit_softcapping", 30.0F)), usual) << name;
        EXPECT_EQ(nodes(name, with_key(prefix + "attn_logit_softcapping", 50.0F)), usual) << name;
        EXPECT_EQ(nodes(name, with_key(prefix + "expert_weights_scale", 2.5F)), usual) << name;
        EXPECT_EQ(nodes(name, with_key(prefix + "expert_weights_norm", false)), usual) << name;
        EXPECT_EQ(verdict_of(name, with_key(prefix + "attention.shared_kv_layers", std::uint32_t{1})), "Fits")
            << name;
    }
    const auto sigmoid = [&](const char* name, const std::function<void(EditedHeader&)>& edit) {
        const auto graph = edited_graph(name, edit);
        return std::ranges::any_of(graph->graph.nodes, [&](TensorId id) {
            const Tensor& node = graph->graph[id];
            return node.name.starts_with("ffn_moe_probs") && node.op == Op::unary;
        });
    };
    EXPECT_FALSE(sigmoid("qwen35moe-moe.gguf", with_key("qwen35moe.expert_gating_func", std::uint32_t{2})));
    EXPECT_TRUE(sigmoid("glm-dsa-moe.gguf", [](EditedHeader& header) {
        std::erase_if(header.keys, [](const auto& key) { return key.first == "glm-dsa.expert_gating_func"; });
    }));
}

/// Scales of 1 are applied, those of 0 are not.
TEST_F(EditedVerdicts, ScalesOfZeroAreLeftOut) {
    const auto scales = [](const char* name, const std::string& key, float value) {
        return count_of(*edited_graph(name, with_key(key, value)), Op::scale);
    };
    for (const auto& [name, key] : {std::pair("granite-dense.gguf", "granite.embedding_scale"),
                                    std::pair("granite-dense.gguf", "granite.residual_scale"),
                                    std::pair("hrm_text-dense.gguf", "hrm_text.embedding_scale")})
        EXPECT_GT(scales(name, key, 1.0F), scales(name, key, 0.0F)) << key;
}

/// Convolutions see the next tokens too.
TEST_F(EditedVerdicts, ConvolutionsAreCentredIfNotCausal) {
    const auto pads = [](bool causal) {
        return count_of(*edited_graph("lfm2-dense.gguf", with_key("lfm2.attention.causal", causal)), Op::pad);
    };
    EXPECT_EQ(pads(true), 0U);
    EXPECT_GT(pads(false), 0U);
}

/// The batch of models that are not causal is not limited by the context.
TEST_F(EditedVerdicts, BatchesOfOtherModelsAreLimitedByTheContext) {
    const auto batch = [](bool causal) {
        EditedHeader edited(*GgufFile::open(golden_headers() / "llama-dense.gguf"));
        with_key("llama.attention.causal", causal)(edited);
        const test::TemporaryFile stored(edited.bytes());
        PlacementFlags flags;
        flags.context = 256;
        flags.batch = 2048;
        return cache_layout(*GgufFile::open(stored.path()), flags, true).context.batch;
    };
    EXPECT_EQ(batch(true), 256U);
    EXPECT_EQ(batch(false), 2048U);
}

TEST_F(EditedVerdicts, WindowsOfWidthZeroHaveCachesOfTheirOwn) {
    const auto layout = [](const char* name, const std::string& key) {
        EditedHeader edited(*GgufFile::open(golden_headers() / name));
        with_key(key, std::uint32_t{0})(edited);
        const test::TemporaryFile stored(edited.bytes());
        return cache_layout(*GgufFile::open(stored.path()), {}, true);
    };
    EXPECT_GT(layout("gemma2-dense.gguf", "gemma2.attention.sliding_window").window_cells, 0U);
    EXPECT_EQ(layout("gemma3-dense.gguf", "gemma3.attention.sliding_window").window_cells, 0U);
}

/// With several sequences, states of the others are kept, but a token reads and writes one only.
TEST_F(EditedVerdicts, RecurrentModelsGenerateForOneSequence) {
    const Hardware hardware = hardware_of_presets({"rtx-3090"});
    std::size_t seen = 0;
    for (const auto& entry : fs::directory_iterator(golden_headers())) {
        if (entry.path().extension() != ".gguf") continue;
        const auto file = GgufFile::open(entry.path());
        const Architecture* architecture =
            find_architecture(file->string_value("general.architecture").value_or(""));
        const bool recurrent =
            architecture != nullptr && architecture->graph != nullptr &&
            (architecture->caches == CacheKinds::recurrent || architecture->caches == CacheKinds::hybrid);
        if (!recurrent) continue;
        ++seen;
        const auto model = make_model(file);
        const auto cost = [&](std::uint32_t sequences) {
            PlacementFlags flags;
            flags.context = 512;
            flags.unified_cache = true;
            flags.sequences = sequences;
            const ModelPlan plan = plan_model(*file, model.get(), hardware, flags, Generation::g2026_08);
            EXPECT_EQ(english(plan.verdict.text()), "Fits") << entry.path();
            return plan.decode ? plan.decode->cost.seconds : -1;
        };
        const double one = cost(1);
        // The reservation for one also clears its state.
        EXPECT_NEAR(cost(4), one, 0.02 * one) << entry.path();
    }
    EXPECT_GE(seen, 10U);
}

TEST_F(EditedVerdicts, CombinedProductsFollowTheLoader) {
    const auto combine = [](EditedHeader& header) {
        for (const char* part : {"weight", "bias"}) {
            std::erase_if(header.tensors, [&](const GgufTensor& t) {
                return t.name.ends_with(fmt::format("attn_k.{}", part)) ||
                       t.name.ends_with(fmt::format("attn_v.{}", part));
            });
            for (GgufTensor& tensor : header.tensors) {
                if (!tensor.name.ends_with(fmt::format("attn_q.{}", part))) continue;
                tensor.name.insert(tensor.name.size() - std::string(part).size() - 1, "kv");
                tensor.ne[std::string(part) == "weight" ? 1 : 0] *= 3;
            }
        }
    };
    EXPECT_EQ(verdict_of("qwen2-dense.gguf", combine), "Fits");
    EXPECT_EQ(verdict_of("olmo2-dense.gguf", combine), "Fits");
    // Latent attention has queries of its own.
    EXPECT_NE(verdict_of("kimi-k3-moe.gguf", combine).find("Cannot run"), std::string::npos);
    EXPECT_NE(verdict_of("bitnet-dense.gguf", combine).find("Cannot run"), std::string::npos);
    const auto divide = [](EditedHeader& header) {
        std::vector<GgufTensor> tensors;
        for (const GgufTensor& tensor : header.tensors) {
            const auto at = tensor.name.find("attn_qkv.");
            if (at == std::string::npos) {
                tensors.push_back(tensor);
                continue;
            }
            for (const char* part : {"attn_q", "attn_k", "attn_v"}) {
                tensors.push_back(tensor);
                tensors.back().name.replace(at, std::string("attn_qkv").size(), part);
                tensors.back().ne[tensor.name.ends_with(".bias") ? 0 : 1] /= 3;
            }
        }
        header.tensors = tensors;
    };
    const std::string divided = verdict_of("mpt-dense.gguf", divide);
    EXPECT_NE(divided.find("attn_qkv.weight"), std::string::npos) << divided;
}

/// llama.cpp loads this bias and does not use it.
TEST(EditedHeaders, LladaLeavesOutTheBiasAfterAttention) {
    const auto plain = edited_graph("llada-dense.gguf", [](EditedHeader&) {});
    const auto biased = edited_graph("llada-dense.gguf", [](EditedHeader& header) {
        for (const char* name : {"blk.0.attn_output.bias", "blk.1.attn_output.bias"})
            add_tensor(header, name, {256, 1, 1, 1});
    });
    if (!plain) GTEST_SKIP() << "*** NOT CHECKED: no golden headers; set SPLITSCOPE_GOLDEN ***";
    EXPECT_EQ(biased->graph.nodes.size(), plain->graph.nodes.size());
}

/// Of layers 0 to 2 with a step of 2, layer 1 routes to experts, and layer 2 only activates its input.
TEST(EditedHeaders, Ernie45LeavesOutExpertsBetweenSteps) {
    const auto graph = edited_graph("ernie4_5-moe-moe.gguf", [](EditedHeader& header) {
        for (auto& [key, value] : header.keys) {
            if (key == "ernie4_5-moe.block_count") value = std::uint32_t{3};
            if (key == "ernie4_5-moe.interleave_moe_layer_step") value = std::uint32_t{2};
            if (key == "ernie4_5-moe.leading_dense_block_count") value = std::uint32_t{1};
        }
        const std::vector<GgufTensor> tensors = header.tensors;
        for (const GgufTensor& tensor : tensors)
            if (tensor.name.starts_with("blk.1."))
                add_tensor(header, "blk.2." + tensor.name.substr(6), tensor.ne);
    });
    if (!graph) GTEST_SKIP() << "*** NOT CHECKED: no golden headers; set SPLITSCOPE_GOLDEN ***";
    EXPECT_EQ(count_of(*graph, Op::argsort), 1U);
    EXPECT_EQ(count_of(*graph, Op::mul_mat_id), 2U);
}

/// As the larger StableLM 2 models have them.
TEST(EditedHeaders, StableLmNormalisesEachHeadWithItsOwnWeights) {
    const auto plain = edited_graph("stablelm-dense.gguf", [](EditedHeader&) {});
    const auto normed = edited_graph("stablelm-dense.gguf", [](EditedHeader& header) {
        for (const char* block : {"blk.0.", "blk.1."})
            for (const char* part : {"attn_q_norm.weight", "attn_k_norm.weight"})
                add_tensor(header, std::string(block) + part, {128, 2, 1, 1});
    });
    if (!plain) GTEST_SKIP() << "*** NOT CHECKED: no golden headers; set SPLITSCOPE_GOLDEN ***";
    EXPECT_EQ(count_of(*normed, Op::norm), count_of(*plain, Op::norm) + 4);
}

/// llama.cpp loads these biases and does not use them.
TEST(EditedHeaders, Mimo2LeavesOutBiasesOfQueries) {
    const auto plain = edited_graph("mimo2-moe.gguf", [](EditedHeader&) {});
    const auto biased = edited_graph("mimo2-moe.gguf", [](EditedHeader& header) {
        for (const char* name : {"blk.0.attn_q.bias", "blk.1.attn_q.bias"})
            add_tensor(header, name, {256, 1, 1, 1});
    });
    if (!plain) GTEST_SKIP() << "*** NOT CHECKED: no golden headers; set SPLITSCOPE_GOLDEN ***";
    EXPECT_EQ(biased->graph.nodes.size(), plain->graph.nodes.size());
}

/// Each fourth layer does not rotate, but of four layers all do.
TEST(EditedHeaders, SmallThinkerRotatesByItsNumberOfLayers) {
    const auto rotations = [](std::uint32_t layers) -> std::optional<std::size_t> {
        const auto graph = edited_graph("smallthinker-moe.gguf", [&](EditedHeader& header) {
            for (auto& [key, value] : header.keys)
                if (key == "smallthinker.block_count") value = layers;
            const std::vector<GgufTensor> tensors = header.tensors;
            for (std::uint32_t layer = 2; layer < layers; ++layer)
                for (const GgufTensor& tensor : tensors)
                    if (tensor.name.starts_with("blk.1."))
                        add_tensor(header, fmt::format("blk.{}.{}", layer, tensor.name.substr(6)), tensor.ne);
        });
        return graph ? std::optional(count_of(*graph, Op::rope)) : std::nullopt;
    };
    const auto three = rotations(3);
    if (!three) GTEST_SKIP() << "*** NOT CHECKED: no golden headers; set SPLITSCOPE_GOLDEN ***";
    EXPECT_EQ(three, 4U);
    EXPECT_EQ(rotations(4), 8U);
    EXPECT_EQ(rotations(5), 6U);
}

}  // namespace
}  // namespace splitscope
