// SPDX-License-Identifier: MIT
#include "backends/simulated/simulated_machine.hpp"

#include <gtest/gtest.h>

#include "backends/interface/offload_batch.hpp"
#include "engine/support/error.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

using test::GraphBuilder;

struct Fixture {
    Fixture() {
        x = b.input("x", {64, 40, 2, 1});
        w = b.stored("w", "weights-GPU0", {64, 64, 1, 1});
        b[w].type = ElementType::q8_0;
        y = b.node("y", Op::mul_mat, {w, x}, {64, 40, 2, 1});
        v = b.view("v", Op::reshape, y);
    }
    OpSupport ask(const Machine& machine, TensorId node, bool with_graph = false) {
        graph = b.finish();
        const SimulatedMachine simulated(std::make_shared<const Machine>(machine),
                                         with_graph ? graph.get() : nullptr);
        const GraphView view(*graph);
        return simulated.live().backends[0]->supports_op({view, node, {}});
    }
    bool offers(const Machine& machine, TensorId node) {
        graph = b.finish();
        const SimulatedMachine simulated(std::make_shared<const Machine>(machine));
        const GraphView view(*graph);
        return simulated.live().backends[0]->offload_op({view, node, {}});
    }
    GraphBuilder b;
    std::shared_ptr<const Graph> graph;
    TensorId x, w, y, v;
};

TEST(SimulatedDevice, RefusesListedOperationsAndTypesByRule) {
    Fixture f;
    Machine machine = test::simple_machine();
    EXPECT_TRUE(f.ask(machine, f.y));
    machine.backends[0].unsupported_types = {"q8_0", "unheard_of"};
    EXPECT_EQ(f.ask(machine, f.y), (OpSupport{RefusalRule::type, f.w, ElementType::q8_0}));
    EXPECT_TRUE(f.ask(machine, f.v)) << "views compute nothing";
    machine.backends[0].unsupported_types.clear();
    machine.backends[0].unsupported = {{"MUL_MAT", {"q8_0"}}, {"ADD", {"f32"}}};
    EXPECT_EQ(f.ask(machine, f.y).rule, RefusalRule::op_with_type);
    machine.backends[0].unsupported_ops = {"RESHAPE", "MUL_MAT"};
    EXPECT_EQ(f.ask(machine, f.y).rule, RefusalRule::op);
    EXPECT_EQ(f.ask(machine, f.v).rule, RefusalRule::op) << "unless listed";
}

TEST(SimulatedDevice, CanRequireEqualBatchesAndWholeBlocks) {
    Fixture f;
    const TensorId many = f.b.input("many", {64, 40, 1, 2});
    const TensorId product = f.b.node("product", Op::mul_mat, {f.w, many}, {64, 40, 1, 2});
    const TensorId turned = f.b.view("turned", Op::permute, f.w, {64, 64, 1, 1});
    f.b[turned].type = ElementType::q8_0;
    f.b[turned].nb = {34, 34, 68, 68 * 64};
    const TensorId copied = f.b.node("copied", Op::cont, {turned}, {64, 64, 1, 1});
    f.b[copied].type = ElementType::q8_0;
    Machine machine = test::simple_machine();
    EXPECT_TRUE(f.ask(machine, product));
    EXPECT_TRUE(f.ask(machine, copied));
    machine.backends[0].equal_batches = machine.backends[0].contiguous_blocks = true;
    f.b[f.w].nb = {34, 68, 68 * 64, 68 * 64};
    EXPECT_TRUE(f.ask(machine, f.y));
    f.b[f.w].nb[1] = 136;
    EXPECT_EQ(f.ask(machine, f.y).rule, RefusalRule::layout) << "rows lie apart";
    EXPECT_EQ(f.ask(machine, product).rule, RefusalRule::layout);
    EXPECT_EQ(f.ask(machine, copied).rule, RefusalRule::layout);
}

/// The cells of several streams, of which a graph reads a part (ggml_vk_dim01_contiguous).
TEST(SimulatedDevice, CanRequireWholeStreams) {
    Fixture f;
    const TensorId keys = f.b.stored("keys", "weights-GPU0", {64, 40, 1, 2});
    f.b[keys].type = ElementType::q8_0;
    const TensorId queries = f.b.input("queries", {64, 1, 4, 2});
    const TensorId product = f.b.node("kq", Op::mul_mat, {keys, queries}, {40, 1, 4, 2});
    Machine machine = test::simple_machine();
    machine.backends[0].contiguous_blocks = true;
    f.b[keys].nb = {34, 68, 68 * 40, 68 * 40};
    EXPECT_TRUE(f.ask(machine, product));
    f.b[keys].nb = {34, 68, 68, 68 * 40};
    EXPECT_EQ(f.ask(machine, product).rule, RefusalRule::layout);
    f.b[keys].type = ElementType::f16;
    f.b[keys].nb = {2, 128, 128, 128 * 40};
    EXPECT_TRUE(f.ask(machine, product)) << "not of blocks";
}

TEST(SimulatedDevice, CanRefuseAttentionThatMixesBf16) {
    Fixture f;
    const TensorId queries = f.b.input("queries", {64, 1, 4, 1});
    const TensorId keys = f.b.input("keys", {64, 40, 4, 1});
    const TensorId values = f.b.input("values", {64, 40, 4, 1});
    const TensorId mixed = f.b.node("mixed", Op::flash_attn_ext, {queries, keys, values}, {64, 4, 1, 1});
    f.b[keys].type = ElementType::bf16;
    f.b[values].type = ElementType::f16;
    Machine machine = test::simple_machine();
    EXPECT_TRUE(f.ask(machine, mixed));
    machine.backends[0].unmixed_bf16 = true;
    EXPECT_EQ(f.ask(machine, mixed).rule, RefusalRule::op_with_type);
    f.b[values].type = ElementType::bf16;
    EXPECT_TRUE(f.ask(machine, mixed));
    f.b[keys].type = f.b[values].type = ElementType::q8_0;
    EXPECT_TRUE(f.ask(machine, mixed));
}

TEST(SimulatedDevice, CanRefuseExpertsInFullPrecision) {
    Fixture f;
    const TensorId rows = f.b.input("rows", {64, 1, 40, 1});
    const TensorId ids = f.b.input("ids", {1, 40, 1, 1});
    const TensorId chosen = f.b.node("chosen", Op::mul_mat_id, {f.w, rows, ids}, {64, 1, 40, 1});
    Machine machine = test::simple_machine();
    machine.backends[0].half_experts = true;
    EXPECT_TRUE(f.ask(machine, chosen));
    f.b[chosen].op_params[3] = 10;
    EXPECT_EQ(f.ask(machine, chosen).rule, RefusalRule::op);
    machine.backends[0].half_experts = false;
    EXPECT_TRUE(f.ask(machine, chosen));
}

TEST(SimulatedDevice, NamesTheFirstRefusedPair) {
    Fixture f;
    Machine machine = test::simple_machine();
    const OpSupport weights{RefusalRule::op_with_type, f.w, ElementType::q8_0};
    const OpSupport node{RefusalRule::op_with_type, f.y, ElementType::f32};
    machine.backends[0].unsupported = {{"MUL_MAT", {"q8_0"}}, {"MUL_MAT", {"f32"}}};
    EXPECT_EQ(f.ask(machine, f.y), weights);
    machine.backends[0].unsupported = {{"MUL_MAT", {"f32"}}, {"MUL_MAT", {"q8_0"}}};
    EXPECT_EQ(f.ask(machine, f.y), node);
    machine.backends[0].unsupported = {{"MUL_MAT", {"q8_0", "f32"}}};
    EXPECT_EQ(f.ask(machine, f.y), node) << "of one pair the first of node and sources";
    machine.backends[0].unsupported = {{"ADD", {"f32"}}, {"MUL_MAT", {"f16", "q8_0"}}};
    machine.backends[0].unsupported.resize(100'000, {"MUL_MAT", {"q8_0", "f32"}});
    EXPECT_EQ(f.ask(machine, f.y), weights) << "repetitions change nothing";
}

TEST(SimulatedDevice, RecordedAnswersOverrideRules) {
    Fixture f;
    Machine machine = test::simple_machine();
    machine.backends[0].unsupported_ops = {"RESHAPE"};
    machine.backends[0].supports = {{0, false}, {1, true}, {99, false}};
    EXPECT_EQ(f.ask(machine, f.y, true).rule, RefusalRule::recorded);
    EXPECT_TRUE(f.ask(machine, f.v, true));
    EXPECT_EQ(f.ask(machine, f.v).rule, RefusalRule::op) << "they are about a certain graph";
}

TEST(SimulatedDevice, AlwaysSupportsOnlyOperationsWithoutRule) {
    Fixture f;
    const auto graph = f.b.finish();
    const auto always = [&](const Machine& machine, Op op) {
        const SimulatedMachine simulated(std::make_shared<const Machine>(machine), graph.get());
        return simulated.live().backends[0]->device().always_supported().contains(op);
    };
    Machine machine = test::simple_machine();
    EXPECT_TRUE(always(machine, Op::mul_mat));
    machine.backends[0].unsupported = {{"MUL_MAT", {"q4_0"}}};
    EXPECT_FALSE(always(machine, Op::mul_mat)) << "although it runs for other types";
    EXPECT_TRUE(always(machine, Op::add));
    machine.backends[0].unsupported_ops = {"ADD"};
    EXPECT_FALSE(always(machine, Op::add));
    EXPECT_TRUE(always(machine, Op::sqr));
    machine.backends[0].supports = {{0, false}};
    EXPECT_FALSE(always(machine, Op::sqr)) << "a tensor has its own answer";
}

TEST(SimulatedDevice, BatchSizeDependsOnTheRule) {
    Fixture f;
    Machine machine = test::simple_machine();
    EXPECT_FALSE(f.offers(machine, f.y)) << "no threshold: never";
    machine.backends[0].offload_min_batch = 41;
    EXPECT_FALSE(f.offers(machine, f.y));
    machine.backends[0].offload_min_batch = 40;
    EXPECT_TRUE(f.offers(machine, f.y));

    Tensor node = f.b[f.y];
    const auto batch = [&](Op op, OffloadRule rule) {
        node.op = op;
        return offload_batch(rule, node);
    };
    EXPECT_EQ(batch(Op::mul_mat_id, OffloadRule::format_default), 2);
    EXPECT_EQ(batch(Op::mul_mat_id, OffloadRule::g2024_10), 40);
    EXPECT_EQ(batch(Op::mul_mat_id, OffloadRule::g2026_08), 2);
    EXPECT_EQ(batch(Op::rope, OffloadRule::format_default), 40);
    EXPECT_EQ(batch(Op::rope, OffloadRule::g2026_08), 2);
    EXPECT_EQ(batch(Op::add, OffloadRule::g2026_08), 80);
    for (const OffloadRule rule :
         {OffloadRule::format_default, OffloadRule::g2024_10, OffloadRule::g2026_08}) {
        EXPECT_EQ(batch(Op::get_rows, rule), 0);
    }
}

TEST(SimulatedBufferTypeTest, SizesFollowPaddingAndRecords) {
    Fixture f;
    f.b.graph().alloc_sizes[{f.x, "GPU0"}] = 12345;
    f.graph = f.b.finish();
    Machine machine = test::simple_machine();
    machine.buffer_types[0].alloc_pad = 1000;
    const SimulatedMachine simulated(std::make_shared<const Machine>(machine), f.graph.get());
    const GraphView view(*f.graph);
    const BufferType& gpu = *simulated.live().buffer_types[0];
    const BufferType& cpu = *simulated.live().buffer_types[1];
    EXPECT_EQ(gpu.alloc_size(view, f.x), 12345u);
    EXPECT_EQ(cpu.alloc_size(view, f.x), 64u * 40 * 2 * 4);
    EXPECT_EQ(gpu.alloc_size(view, f.y), 21000u) << "20480 rounded up to 1000";
    EXPECT_EQ(gpu.max_size(), kUnlimited);
}

TEST(SimulatedBufferTypeTest, RecordedSizesApplyPerTensorAndType) {
    Fixture f;
    f.b.graph().alloc_sizes = {
        {{f.x, "CPU"}, 1}, {{f.x, "elsewhere"}, 2}, {{f.w, "GPU0"}, 3}, {{f.v, "GPU0"}, 4}};
    f.graph = f.b.finish();
    const SimulatedMachine simulated(std::make_shared<const Machine>(test::simple_machine()), f.graph.get());
    const GraphView view(*f.graph);
    const BufferType& gpu = *simulated.live().buffer_types[0];
    const BufferType& cpu = *simulated.live().buffer_types[1];
    EXPECT_EQ(cpu.alloc_size(view, f.x), 1u);
    EXPECT_EQ(cpu.alloc_size(view, f.w), byte_size((*f.graph)[f.w]));
    EXPECT_EQ(gpu.alloc_size(view, f.x), byte_size((*f.graph)[f.x]));
    EXPECT_EQ(gpu.alloc_size(view, f.w), 3u);
    EXPECT_EQ(gpu.alloc_size(view, f.y), byte_size((*f.graph)[f.y]));
    EXPECT_EQ(gpu.alloc_size(view, f.v), 4u);
}

TEST(SimulatedBufferTypeTest, RowsOfQuantisedTensorsEndWithPadding) {
    GraphBuilder b;
    // A copy of a weight on the device, as of experts that the CPU holds.
    const TensorId copy = b.input("copy", {2880, 4, 1, 1});
    const auto set_type = [&](ElementType type) {
        b[copy].type = type;
        b[copy].nb = contiguous_strides(type, b[copy].ne);
    };
    Machine machine = test::simple_machine();
    machine.buffer_types[0].row_pad = 512;
    const SimulatedMachine simulated(std::make_shared<const Machine>(machine));
    const BufferType& type = *simulated.live().buffer_types[0];
    const auto padding = [&] {
        const auto graph = b.finish();
        return type.alloc_size(GraphView(*graph), copy) - byte_size((*graph)[copy]);
    };
    // 2,880 elements fill five and a half steps of 512.
    set_type(ElementType::q8_0);
    EXPECT_EQ(padding(), 192U / 32 * 34);
    set_type(ElementType::mxfp4);
    EXPECT_EQ(padding(), 192U / 32 * 17);
    set_type(ElementType::f16);
    EXPECT_EQ(padding(), 0U);
    b[copy].ne[0] = 1024;
    set_type(ElementType::q8_0);
    EXPECT_EQ(padding(), 0U);
}

/// Attention of 8 heads of 128 on 2 heads of keys and 512 cells.
struct Attention {
    explicit Attention(ElementType cache, std::int64_t tokens, std::int64_t head = 128) {
        const TensorId q = b.input("q", {head, tokens, 8, 1});
        for (TensorId* const part : {&k, &v}) {
            *part = b.input(part == &k ? "k" : "v", {head, 512, 2, 1});
            b[*part].type = cache;
            b[*part].nb = contiguous_strides(cache, b[*part].ne);
        }
        const TensorId mask = b.input("mask", {512, tokens, 1, 1});
        b[mask].type = ElementType::f16;
        b[mask].nb = contiguous_strides(ElementType::f16, b[mask].ne);
        out = b.node("out", Op::flash_attn_ext, {q, k, v, mask}, {head, 8, tokens, 1});
    }
    /// Bytes behind the result.
    std::uint64_t copies(std::uint32_t compute_capability) const {
        Machine machine = test::simple_machine();
        machine.buffer_types[0].compute_capability = compute_capability;
        const SimulatedMachine simulated(std::make_shared<const Machine>(machine));
        const auto graph = b.finish();
        return simulated.live().buffer_types[0]->alloc_size(GraphView(*graph), out) -
               byte_size((*graph)[out]);
    }
    GraphBuilder b;
    TensorId k, v, out;
};

TEST(SimulatedBufferTypeTest, AttentionKeepsHalfCopiesOfOtherTypes) {
    constexpr std::uint64_t kCopy = 128U * 512 * 2 * 2;
    EXPECT_EQ(Attention(ElementType::q8_0, 32).copies(0), 0U);
    EXPECT_EQ(Attention(ElementType::f16, 32).copies(890), 0U);
    EXPECT_EQ(Attention(ElementType::q8_0, 32).copies(890), 2 * kCopy);
    EXPECT_EQ(Attention(ElementType::bf16, 32).copies(860), 2 * kCopy);
    // One token is computed from blocks in place, from Ada on two, but F32 is always copied.
    EXPECT_EQ(Attention(ElementType::q8_0, 1).copies(860), 0U);
    EXPECT_EQ(Attention(ElementType::q8_0, 2).copies(860), 2 * kCopy);
    EXPECT_EQ(Attention(ElementType::q8_0, 2).copies(890), 0U);
    EXPECT_EQ(Attention(ElementType::bf16, 1).copies(890), 0U);
    EXPECT_EQ(Attention(ElementType::bf16, 1).copies(860), 2 * kCopy);
    EXPECT_EQ(Attention(ElementType::f32, 1).copies(890), 2 * kCopy);
    // There is no kernel for few tokens of this size.
    EXPECT_EQ(Attention(ElementType::q8_0, 1, 96).copies(890), 2 * kCopy / 128 * 96);
    // Values within the keys are copied with them.
    Attention latent(ElementType::q8_0, 32);
    latent.b[latent.v].view_src = latent.k;
    EXPECT_EQ(latent.copies(890), kCopy);
}

TEST(SimulatedDevice, AttentionNeedsHeadsOfAListedSize) {
    Attention attention(ElementType::f16, 32);
    Machine machine = test::simple_machine();
    const auto answer = [&] {
        const auto graph = attention.b.finish();
        const SimulatedMachine simulated(std::make_shared<const Machine>(machine));
        const GraphView view(*graph);
        return simulated.live().backends[0]->supports_op({view, attention.out, {}});
    };
    EXPECT_TRUE(answer());
    machine.backends[0].attention_heads = {{64, 64}, {128, 64}};
    EXPECT_EQ(answer(), (OpSupport{RefusalRule::layout, attention.k, ElementType::f32}));
    machine.backends[0].attention_heads.push_back({128, 128});
    EXPECT_TRUE(answer());
    // Four heads share keys.
    machine.backends[0].attention_heads = {{128, 128, 4}};
    EXPECT_TRUE(answer());
    machine.backends[0].attention_heads = {{128, 128, 8}};
    EXPECT_FALSE(answer());
    machine.backends[0].attention_heads = {{128, 128, 1}};
    attention.b[attention.out].set_param_f32(1, 8.0F);
    EXPECT_FALSE(answer()) << "heads with a bias are not computed together";
}

TEST(SimulatedBufferTypeTest, EmptyTensorsCanWrapAround) {
    GraphBuilder b;
    const TensorId x = b.input("x", {64, 0, 1, 1});
    b[x].nb = {4, 512, 0, 0};
    const auto graph = b.finish();
    const auto machine = std::make_shared<const Machine>(test::simple_machine());
    const SimulatedMachine now(machine, graph.get());
    const SimulatedMachine early(machine, graph.get(), EmptyTensors::wrap_around);
    const GraphView view(*graph);
    EXPECT_EQ(now.live().buffer_types[0]->alloc_size(view, x), 0u);
    EXPECT_EQ(early.live().buffer_types[0]->alloc_size(view, x), static_cast<std::uint64_t>(256 - 512));
}

TEST(SimulatedMachineTest, BackendsLogTheirCalls) {
    Machine description = test::simple_machine();
    description.backends[0].async = description.backends[0].events = true;
    SimulatedMachine simulated(std::make_shared<const Machine>(description));
    Backend& gpu = *simulated.live().backends[0];
    Backend& cpu = *simulated.live().backends[1];
    EXPECT_EQ(cpu.device().new_event(), nullptr);
    const auto event = gpu.device().new_event();
    gpu.record(*event);
    gpu.wait(*event);
    event->synchronize();
    cpu.synchronize();
    const auto& calls = simulated.log().calls;
    ASSERT_EQ(calls.size(), 4u);
    EXPECT_EQ(calls[0], (Call{CallKind::record_event, "GPU0", {}, {}, 0}));
    EXPECT_EQ(calls[2].kind, CallKind::synchronize_event);
    EXPECT_EQ(calls[3].backend, "CPU");
    EXPECT_EQ(gpu.device().kind(), DeviceKind::gpu);
    EXPECT_EQ(gpu.guid(), cpu.guid());
    EXPECT_TRUE(gpu.supports_buffer_type(gpu.default_buffer_type()));
    EXPECT_FALSE(gpu.supports_buffer_type(cpu.default_buffer_type()));
}

}  // namespace
}  // namespace splitscope
