// SPDX-License-Identifier: MIT
#include "engine/session/model_graph_memo.hpp"

#include <gtest/gtest.h>

#include "engine/formats/graph_json.hpp"
#include "engine/session/placed_graph.hpp"
#include "tests/formats/gguf_writer.hpp"

namespace splitscope {
namespace {

/// A model of one block whose queries, keys and values are clamped.
std::shared_ptr<const Model> clamped_model() {
    test::GgufWriter writer;
    writer.text("general.architecture", "olmo")
        .number("olmo.block_count", 1)
        .number("olmo.embedding_length", 8)
        .number("olmo.context_length", 256)
        .number("olmo.feed_forward_length", 16)
        .number("olmo.attention.head_count", 2)
        .decimal("olmo.attention.layer_norm_epsilon", 1e-5F)
        .decimal("olmo.attention.clamp_kqv", 8.0F)
        .tensor("token_embd.weight", {8, 10});
    for (const char* name : {"attn_q", "attn_k", "attn_v", "attn_output"})
        writer.tensor(std::string("blk.0.") + name + ".weight", {8, 8});
    writer.tensor("blk.0.ffn_gate.weight", {8, 16})
        .tensor("blk.0.ffn_up.weight", {8, 16})
        .tensor("blk.0.ffn_down.weight", {16, 8});
    const test::TemporaryFile stored(writer.bytes());
    return make_model(GgufFile::open(stored.path()));
}

/// The options of a kind of graph differ in each member, so each member distinguishes graphs.
TEST(ModelGraphMemo, OptionsThatDifferHaveGraphsOfTheirOwn) {
    const auto model = clamped_model();
    Hardware hardware;
    MachineBufferType memory;
    memory.name = "CPU";
    memory.alignment = 32;
    memory.is_host = true;
    hardware.machine.buffer_types = {memory};
    MachineBackend cpu;
    cpu.name = "CPU";
    cpu.buffer_type = BufferTypeId(std::size_t{0});
    cpu.supports_buffer_types = {cpu.buffer_type};
    hardware.machine.backends = {cpu};
    const auto layout = decide_layout(model->file(), model.get(), hardware, {}, Generation::g2026_08).layout;
    ModelGraphMemo memo(*model);
    std::vector<ModelGraphOptions> kinds(4, worst_case_prompt(*layout, Generation::g2026_08, 4));
    kinds[1].clamps_in_place = true;
    kinds[2].starts_sequence = !kinds[0].starts_sequence;
    kinds[3].values_in_rows = !kinds[0].values_in_rows;
    for (int pass = 0; pass < 2; ++pass) {
        for (const ModelGraphOptions& options : kinds) {
            const auto graph = memo.graph(options, *layout, "");
            const ModelGraph built = model->build_graph(options, layout->model_placement());
            EXPECT_EQ(write_graph_json(graph->graph), write_graph_json(built.graph));
            int clamps = 0;
            for (const Tensor& tensor : graph->graph.tensors) {
                if (tensor.op != Op::clamp) continue;
                EXPECT_EQ(tensor.is_view(), options.clamps_in_place);
                ++clamps;
            }
            EXPECT_EQ(clamps, 3);
        }
    }
}

}  // namespace
}  // namespace splitscope
