// SPDX-License-Identifier: MIT
#include "engine/models/architectures.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/models/model.hpp"
#include "engine/models/name_list.hpp"
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
            EXPECT_FALSE(lists(row.loader.optional, kind)) << row.name << ": " << kind;
        }
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

/// A model of one layer, width 8, two heads and 10 tokens.
class SmallModel {
 public:
    explicit SmallModel(std::string architecture) : name_(std::move(architecture)) {
        writer_.text("general.architecture", name_);
        number("block_count", 1).number("embedding_length", 8).number("context_length", 32);
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
    SmallModel& tensor(const std::string& name, const std::vector<std::uint64_t>& ne) {
        writer_.tensor(name, ne);
        return *this;
    }
    SmallModel& dense() {
        return tensor("blk.0.ffn_gate.weight", {8, 16})
            .tensor("blk.0.ffn_up.weight", {8, 16})
            .tensor("blk.0.ffn_down.weight", {16, 8});
    }

    ModelGraph graph(const ModelGraphOptions& options = {}) const {
        const TemporaryFile stored(writer_.bytes());
        ModelPlacement placement;
        placement.weight_buffer = [](std::int32_t, const std::string&) { return std::string("weights"); };
        placement.cache_buffer = [](std::int32_t) { return std::string("cache"); };
        return make_model(GgufFile::open(stored.path()))->build_graph(options, placement);
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

}  // namespace
}  // namespace splitscope
