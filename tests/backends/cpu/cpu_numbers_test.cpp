// SPDX-License-Identifier: MIT
// Results do not depend on the number of threads, NaN and infinities follow IEEE 754, and empty tensors are
// supported.
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "backends/cpu/cpu_backend.hpp"
#include "backends/interface/tensor_access.hpp"
#include "engine/messages/render.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

using test::GraphBuilder;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

/// A graph built by hand, in the CPU's memory.
class CpuNumbers : public testing::Test {
 protected:
    TensorId leaf(ElementType type, const Shape& ne) {
        const TensorId id = b_.leaf("leaf", ne);
        return retyped(id, type);
    }
    TensorId floats(const Shape& ne) { return leaf(ElementType::f32, ne); }
    TensorId node(Op op, std::initializer_list<TensorId> sources, const Shape& ne) {
        return b_.node("result", op, sources, ne);
    }
    TensorId retyped(TensorId id, ElementType type) {
        b_[id].type = type;
        b_[id].nb = contiguous_strides(type, b_[id].ne);
        return id;
    }

    /// Allocates memory for every tensor.
    void bind() {
        graph_ = b_.finish();
        places_.resize(graph_->tensors.size());
        bound_ = std::make_unique<BoundGraph>(GraphView(*graph_), places_);
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (graph_->tensors[i].is_view()) continue;
            buffers_.push_back(device_.buffer_type().allocate(byte_size(graph_->tensors[i]) + 64));
            buffers_.back()->clear(std::byte{0});
            tensor_alloc({*bound_, TensorId(i)}, *buffers_.back(), 0);
        }
    }
    void set(TensorId id, const std::vector<float>& values) const {
        std::vector<std::byte> bytes(byte_size(graph_->tensors[id.index()]));
        quantise(graph_->tensors[id.index()].type, values, bytes);
        tensor_set({*bound_, id}, bytes);
    }
    template <class T>
    void set_raw(TensorId id, const std::vector<T>& values) const {
        tensor_set({*bound_, id}, std::as_bytes(std::span(values)));
    }
    void randomise(TensorId id, std::uint32_t seed) const {
        std::mt19937 random(seed);
        std::normal_distribution<float> normal;
        std::vector<float> values(static_cast<std::size_t>(element_count(graph_->tensors[id.index()])));
        for (float& value : values) value = normal(random);
        set(id, values);
    }
    std::vector<float> values(TensorId id) const {
        std::vector<float> out(static_cast<std::size_t>(element_count(graph_->tensors[id.index()])));
        if (!out.empty()) tensor_get({*bound_, id}, std::as_writable_bytes(std::span(out)));
        return out;
    }
    OpSupport support(TensorId id) const {
        const auto graph = b_.finish();
        const GraphView view(*graph);
        return device_.supports_op({view, id, {}});
    }
    Status compute(int threads = 2) {
        CpuBackend backend(device_);
        backend.set_threads(threads);
        return backend.compute(*bound_, graph_->nodes);
    }

    CpuDevice device_;
    GraphBuilder b_;
    std::vector<TensorId> leafs_;
    std::shared_ptr<const Graph> graph_;
    std::vector<TensorPlace> places_;
    std::unique_ptr<BoundGraph> bound_;
    std::vector<std::unique_ptr<Buffer>> buffers_;
};

TEST_F(CpuNumbers, AreIndependentOfThreadCount) {
    for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::bf16, ElementType::q8_0,
                                   ElementType::q4_1, ElementType::q4_K, ElementType::q6_K}) {
        for (const std::int64_t columns : {1, 3, 9}) {
            const TensorId weights = leaf(type, {512, 77, 1, 1});
            const TensorId x = floats({512, columns, 1, 1});
            node(Op::mul_mat, {weights, x}, {77, columns, 1, 1});
            leafs_.insert(leafs_.end(), {weights, x});
        }
    }
    const TensorId q = floats({64, 20, 4, 1});
    const TensorId k = leaf(ElementType::f16, {64, 70, 2, 1});
    const TensorId v = leaf(ElementType::f16, {64, 70, 2, 1});
    b_[node(Op::flash_attn_ext, {q, k, v}, {64, 4, 20, 1})].set_param_f32(0, 0.125F);
    const TensorId rows = floats({300, 40, 1, 1});
    b_[node(Op::soft_max, {rows}, {300, 40, 1, 1})].set_param_f32(0, 1.0F);
    node(Op::rms_norm, {rows}, {300, 40, 1, 1});
    leafs_.insert(leafs_.end(), {q, k, v, rows});
    bind();
    for (std::size_t i = 0; i < leafs_.size(); ++i) randomise(leafs_[i], static_cast<std::uint32_t>(i));
    ASSERT_EQ(compute(1), Status::success);
    std::vector<std::vector<float>> alone;
    for (const TensorId id : graph_->nodes) alone.push_back(values(id));
    for (const int threads : {2, 3, 7}) {
        ASSERT_EQ(compute(threads), Status::success);
        for (std::size_t i = 0; i < alone.size(); ++i) {
            EXPECT_EQ(values(graph_->nodes[i]), alone[i]) << "node " << i << ", " << threads << " threads";
        }
    }
}

TEST_F(CpuNumbers, SectionsOfRopeMayHaveAnySize) {
    constexpr std::int32_t kInterleaved = 40;
    const TensorId x = floats({12, 1, 1, 1});
    const TensorId positions = leaf(ElementType::i32, {4, 1, 1, 1});
    std::vector<TensorId> results;
    // Neither repeats within a head. Sums and multiples of the first overflow 32 bits.
    for (const std::int32_t size : {1 << 30, 12}) {
        const TensorId result = node(Op::rope, {x, positions}, {12, 1, 1, 1});
        Tensor& t = b_[result];
        t.op_params[1] = 12;
        t.op_params[2] = kInterleaved;
        t.set_param_f32(5, 10000.0F);
        t.set_param_f32(6, 1.0F);
        t.set_param_f32(8, 1.0F);
        for (std::size_t i = 11; i < 14; ++i) t.op_params[i] = size;
        results.push_back(result);
    }
    bind();
    randomise(x, 1);
    set_raw<std::int32_t>(positions, {1, 2, 3, 4});
    ASSERT_EQ(compute(), Status::success);
    EXPECT_EQ(values(results[0]), values(results[1]));
}

TEST_F(CpuNumbers, StreamsAreGatedByElementAndKeptUnmixed) {
    const TensorId streams = floats({2, 3, 2, 1});
    const TensorId gates = floats({2, 3, 2, 1});
    const TensorId mean = node(Op::dsv4_hc_pre, {streams, gates}, {2, 2, 1, 1});
    b_[mean].set_param_f32(0, 0.5F);
    b_[mean].op_params[1] = 1;
    const TensorId output = floats({2, 2, 1, 1});
    const TensorId weights = floats({3, 2, 1, 1});
    const TensorId sum = node(Op::dsv4_hc_post, {output, streams, weights}, {2, 3, 2, 1});
    EXPECT_TRUE(support(mean));
    EXPECT_TRUE(support(sum));
    bind();
    set(streams, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    // Open, closed and half open.
    set(gates, {100, -100, 0, 0, -100, 100, 100, 100, 100, 100, 0, -100});
    set(output, {1, 10, 100, 1000});
    set(weights, {1, 2, 3, 0, 0.5F, -1});
    ASSERT_EQ(compute(), Status::success);
    EXPECT_EQ(values(mean), (std::vector<float>{1.25F, 4, 10.75F, 9}));
    EXPECT_EQ(values(sum), (std::vector<float>{2, 12, 5, 24, 8, 36, 7, 8, 59, 510, -89, -988}));
}

/// Columns of a product are independent; their number changes rounding only.
TEST_F(CpuNumbers, ManyColumnsMatchOne) {
    using enum ElementType;
    std::vector<std::array<TensorId, 3>> pairs;
    for (const ElementType type : {f32, f16, q4_0, q4_1, q5_0, q5_1, q8_0, q2_K, q3_K, q4_K, q5_K, q6_K,
                                   iq4_nl, iq4_xs, mxfp4, tq1_0, tq2_0}) {
        const TensorId weights = leaf(type, {768, 45, 1, 1});
        const TensorId x = floats({768, 11, 1, 1});
        const TensorId one = b_.view("one", Op::view, x, {768, 1, 1, 1}, 10 * 768 * 4);
        pairs.push_back({weights, node(Op::mul_mat, {weights, x}, {45, 11, 1, 1}),
                         node(Op::mul_mat, {weights, one}, {45, 1, 1, 1})});
        leafs_.insert(leafs_.end(), {weights, x});
    }
    bind();
    for (std::size_t i = 0; i < leafs_.size(); ++i) randomise(leafs_[i], static_cast<std::uint32_t>(i));
    ASSERT_EQ(compute(), Status::success);
    for (const auto& [weights, many, one] : pairs) {
        const std::vector<float> all = values(many);
        const std::vector<float> last = values(one);
        for (std::size_t r = 0; r < last.size(); ++r) {
            EXPECT_NEAR(all[10 * 45 + r], last[r], 1e-3F) << name_of(graph_->tensors[weights.index()].type);
        }
    }
}

/// Rounding before the product or inside it gives the same bits, for one column and for several.
TEST_F(CpuNumbers, MayRoundActivationsFirst) {
    using enum ElementType;
    struct Case {
        TensorId weights, x, rounded, expected, result;
    };
    std::vector<Case> cases;
    for (const auto& [type, partner] :
         {std::pair(q4_0, q8_0), std::pair(q8_0, q8_0), std::pair(q5_1, q8_1), std::pair(q4_K, q8_K),
          std::pair(q6_K, q8_K), std::pair(iq4_nl, q8_0)}) {
        for (const std::int64_t columns : {1, 7}) {
            Case c;
            c.weights = leaf(type, {512, 40, 1, 1});
            c.x = floats({512, columns, 1, 1});
            c.rounded = leaf(partner, {512, columns, 1, 1});
            c.expected = node(Op::mul_mat, {c.weights, c.x}, {40, columns, 1, 1});
            c.result = node(Op::mul_mat, {c.weights, c.rounded}, {40, columns, 1, 1});
            cases.push_back(c);
        }
    }
    bind();
    std::uint32_t seed = 1;
    for (const Case& c : cases) {
        randomise(c.weights, seed);
        randomise(c.x, ++seed);
        randomise(c.rounded, seed);
    }
    ASSERT_EQ(compute(), Status::success);
    for (const Case& c : cases)
        EXPECT_EQ(values(c.result), values(c.expected)) << name_of(graph_->tensors[c.weights.index()].type);
}

TEST_F(CpuNumbers, PropagateNanAndInfinity) {
    const TensorId a = floats({4, 1, 1, 1});
    const TensorId b = floats({4, 1, 1, 1});
    const TensorId sum = node(Op::add, {a, b}, {4, 1, 1, 1});
    const TensorId product = node(Op::mul, {a, b}, {4, 1, 1, 1});
    const TensorId quotient = node(Op::div, {a, b}, {4, 1, 1, 1});
    const TensorId root = node(Op::sqrt, {a}, {4, 1, 1, 1});
    const TensorId norm = node(Op::rms_norm, {a}, {4, 1, 1, 1});
    bind();
    set(a, {kNan, kInf, -kInf, 0.0F});
    set(b, {1.0F, kInf, kInf, 0.0F});
    ASSERT_EQ(compute(), Status::success);
    const auto expect = [&](TensorId id, const std::vector<float>& expected) {
        const std::vector<float> got = values(id);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (std::isnan(expected[i])) {
                EXPECT_TRUE(std::isnan(got[i])) << i << ": " << got[i];
            } else {
                EXPECT_EQ(got[i], expected[i]) << i;
            }
        }
    };
    expect(sum, {kNan, kInf, kNan, 0.0F});
    expect(product, {kNan, kInf, -kInf, 0.0F});
    expect(quotient, {kNan, kNan, kNan, kNan});
    expect(root, {kNan, kInf, kNan, 0.0F});
    expect(norm, {kNan, kNan, kNan, kNan});
}

TEST_F(CpuNumbers, NanReachesExactlyItsColumnsProducts) {
    struct Case {
        TensorId x, y;
        std::int64_t columns;
    };
    std::vector<Case> cases;
    for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::q8_0, ElementType::q4_0,
                                   ElementType::q4_1, ElementType::q4_K, ElementType::q6_K}) {
        for (const std::int64_t columns : {2, 8}) {
            const TensorId weights = leaf(type, {256, 33, 1, 1});
            const TensorId x = floats({256, columns, 1, 1});
            cases.push_back({x, node(Op::mul_mat, {weights, x}, {33, columns, 1, 1}), columns});
            leafs_.push_back(weights);
        }
    }
    bind();
    for (const TensorId weights : leafs_) randomise(weights, 3);
    for (const Case& one : cases) {
        std::vector<float> values(static_cast<std::size_t>(256 * one.columns), 0.5F);
        values[256 + 17] = kNan;
        set(one.x, values);
    }
    ASSERT_EQ(compute(), Status::success);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const std::vector<float> y = values(cases[i].y);
        for (std::size_t j = 0; j < y.size(); ++j) {
            EXPECT_EQ(std::isnan(y[j]), j / 33 == 1) << "case " << i << ", element " << j;
        }
    }
}

TEST_F(CpuNumbers, IgnoreMaskedCells) {
    const TensorId q = floats({32, 2, 1, 1});
    const TensorId k = floats({32, 6, 1, 1});
    const TensorId v = floats({32, 6, 1, 1});
    const TensorId mask = leaf(ElementType::f16, {6, 2, 1, 1});
    const TensorId out = node(Op::flash_attn_ext, {q, k, v, mask}, {32, 1, 2, 1});
    b_[out].set_param_f32(0, 1.0F);
    bind();
    std::vector<float> cells(32 * 6, 1.0F);
    std::fill(cells.begin() + 32 * 4, cells.end(), kNan);
    std::fill(cells.begin() + 32 * 3, cells.begin() + 32 * 4, 2.0F);
    set(v, cells);
    // The first query sees three cells, the second four, the last two none.
    set(mask, {0, 0, 0, -kInf, -kInf, -kInf, 0, 0, 0, 0, -kInf, -kInf});
    ASSERT_EQ(compute(), Status::success);
    EXPECT_FLOAT_EQ(values(out)[0], 1.0F);
    EXPECT_FLOAT_EQ(values(out)[32], 1.25F);
}

TEST_F(CpuNumbers, SupportEmptyResults) {
    const Shape none{64, 0, 1, 1};
    const TensorId x = floats(none);
    const TensorId weights = leaf(ElementType::q8_0, {64, 8, 1, 1});
    const TensorId experts = leaf(ElementType::q4_0, {64, 8, 4, 1});
    const TensorId no_index = leaf(ElementType::i32, {0, 1, 1, 1});
    const TensorId no_ids = leaf(ElementType::i32, {2, 0, 1, 1});
    const TensorId no_tokens = floats({64, 1, 0, 1});
    const TensorId cells = leaf(ElementType::f16, {64, 5, 1, 1});
    const TensorId image = floats({8, 8, 2, 0});
    const TensorId kernel = floats({3, 3, 2, 4});
    for (const Op op : {Op::add, Op::sub, Op::mul, Op::div}) node(op, {x, x}, none);
    for (const Op op : {Op::sqr,   Op::sqrt, Op::log,           Op::sin,        Op::cos,    Op::scale,
                        Op::clamp, Op::norm, Op::rms_norm,      Op::l2_norm,    Op::unary,  Op::soft_max,
                        Op::cont,  Op::dup,  Op::cumsum,        Op::leaky_relu, Op::repeat, Op::pad,
                        Op::roll,  Op::tri,  Op::diag_mask_inf, Op::fill}) {
        node(op, {x}, none);
    }
    node(Op::glu, {x, x}, none);
    node(Op::cpy, {x, x}, none);
    node(Op::concat, {x, x}, none);
    node(Op::mul_mat, {weights, x}, {8, 0, 1, 1});
    node(Op::mul_mat_id, {experts, no_tokens, no_ids}, {8, 2, 0, 1});
    node(Op::get_rows, {weights, no_index}, none);
    node(Op::rope, {no_tokens, no_index}, {64, 1, 0, 1});
    node(Op::flash_attn_ext, {x, cells, cells}, {64, 1, 0, 1});
    node(Op::out_prod, {x, x}, {64, 64, 0, 1});
    retyped(node(Op::argsort, {x}, none), ElementType::i32);
    retyped(node(Op::argmax, {x}, {0, 1, 1, 1}), ElementType::i32);
    node(Op::sum_rows, {x}, {1, 0, 1, 1});
    node(Op::conv_2d, {kernel, image}, {6, 6, 4, 0});
    node(Op::im2col, {kernel, image}, {18, 6, 6, 0});
    node(Op::pool_2d, {image}, {4, 4, 2, 0});
    node(Op::upscale, {image}, {16, 16, 2, 0});
    for (const TensorId id : b_.graph().nodes) {
        EXPECT_TRUE(support(id)) << name_of(b_[id].op);
    }
    bind();
    EXPECT_EQ(compute(), Status::success);
}

TEST_F(CpuNumbers, EmptySourcesGiveTheEmptySum) {
    const TensorId no_terms = floats({0, 3, 1, 1});
    const TensorId no_rows = floats({64, 0, 1, 1});
    const TensorId some = floats({64, 2, 1, 1});
    const TensorId no_cells = leaf(ElementType::f16, {64, 0, 1, 1});
    const TensorId product = node(Op::mul_mat, {no_terms, no_terms}, {3, 3, 1, 1});
    const TensorId half = leaf(ElementType::f16, {0, 3, 1, 1});
    const TensorId half_product = node(Op::mul_mat, {half, no_terms}, {3, 3, 1, 1});
    const TensorId sum = node(Op::sum, {no_rows}, {1, 1, 1, 1});
    const TensorId sums = node(Op::sum_rows, {no_terms}, {1, 3, 1, 1});
    const TensorId joined = node(Op::concat, {no_rows, some}, {64, 2, 1, 1});
    b_[joined].op_params[0] = 1;
    const TensorId attention = node(Op::flash_attn_ext, {some, no_cells, no_cells}, {64, 1, 2, 1});
    b_[attention].set_param_f32(0, 1.0F);
    const TensorId no_index = leaf(ElementType::i64, {0, 1, 1, 1});
    const TensorId written = b_.view("written", Op::set_rows, some, {64, 2, 1, 1});
    b_[written].src = {no_rows, no_index, some};
    const std::vector<TensorId> results{product, half_product, sum, sums, joined, attention, written};
    for (const TensorId id : results) EXPECT_TRUE(support(id)) << name_of(b_[id].op);
    bind();
    set(some, std::vector<float>(128, 2.0F));
    ASSERT_EQ(compute(), Status::success);
    for (const TensorId id : {product, half_product, sum, sums, attention}) {
        for (const float value : values(id)) EXPECT_EQ(value, 0.0F) << name_of(b_[id].op);
    }
    EXPECT_EQ(values(joined), std::vector<float>(128, 2.0F));
    EXPECT_EQ(values(some), std::vector<float>(128, 2.0F));
}

TEST_F(CpuNumbers, RefusalsNameTypeAndOperation) {
    const TensorId numbers = leaf(ElementType::i32, {64, 8, 1, 1});
    const TensorId x = floats({64, 3, 1, 1});
    const TensorId y = node(Op::mul_mat, {numbers, x}, {8, 3, 1, 1});
    const auto graph = b_.finish();
    const GraphView view(*graph);
    const OpQuery query{view, y, {}};
    const std::string told = english(describe(device_.supports_op(query), query));
    EXPECT_NE(told.find("MUL_MAT"), std::string::npos) << told;
    EXPECT_NE(told.find("i32"), std::string::npos) << told;
}

/// Nodes with many columns can be interrupted, whatever their operation.
TEST_F(CpuNumbers, StopsWithinANode) {
    constexpr std::int64_t kColumns = 4096;
    const TensorId weights = leaf(ElementType::q8_0, {4096, 16384, 1, 1});
    const TensorId x = floats({4096, kColumns, 1, 1});
    const TensorId scores = leaf(ElementType::f32, {kColumns, kColumns, 2, 1});
    const std::array nodes{node(Op::mul_mat, {weights, x}, {16384, kColumns, 1, 1}),
                           node(Op::soft_max, {scores}, {kColumns, kColumns, 2, 1}),
                           node(Op::cont, {scores}, {kColumns, kColumns, 2, 1})};
    b_[nodes[1]].set_param_f32(0, 1.0F);
    bind();
    for (const TensorId one : nodes) {
        for (const int threads : {1, 2}) {
            using Clock = std::chrono::steady_clock;
            CpuBackend backend(device_);
            backend.set_threads(threads);
            // On a busy machine the stopping thread may run after the work is done.
            bool told = false;
            for (int attempt = 0; attempt < 20 && !told; ++attempt) {
                const auto stop_at = Clock::now() + std::chrono::milliseconds(1);
                backend.set_abort_callback([&] { return told = Clock::now() >= stop_at; });
                const Status status = backend.compute(*bound_, {&one, 1});
                EXPECT_EQ(status, told ? Status::aborted : Status::success);
                const auto late =
                    std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - stop_at);
                const std::string op(name_of((*bound_)[one].op));
                RecordProperty("late_ms_" + op + "_with_" + std::to_string(threads),
                               static_cast<int>(late.count()));
                // 100 ms are guaranteed; the rest is tolerance for busy machines.
                EXPECT_LT(late, std::chrono::milliseconds(1000)) << op << ", " << threads << " threads";
            }
            EXPECT_TRUE(told);
        }
    }
}

/// Threads still waiting at a node's barrier must not leave early when the first thread sees the stop at the
/// next one: the first would wait for them forever.
TEST_F(CpuNumbers, AllThreadsLeaveTogetherOnStop) {
    TensorId last = floats({16, 8, 1, 1});
    const TensorId other = floats({16, 8, 1, 1});
    for (int i = 0; i < 12; ++i) last = node(Op::add, {last, other}, {16, 8, 1, 1});
    bind();
    CpuBackend backend(device_);
    for (int round = 0; round < 300; ++round) {
        backend.set_threads(2 + round % 2);
        int asked = 0;
        backend.set_abort_callback([&] { return ++asked == 1 + round % 12; });
        ASSERT_EQ(backend.compute(*bound_, graph_->nodes), Status::aborted);
        ASSERT_EQ(asked, 1 + round % 12);
    }
}

TEST_F(CpuNumbers, PreparingColumnsChecksForStops) {
    const TensorId weights = leaf(ElementType::q8_0, {4096, 32, 1, 1});
    const TensorId x = floats({4096, 512, 1, 1});
    const TensorId y = node(Op::mul_mat, {weights, x}, {32, 512, 1, 1});
    bind();
    CpuBackend backend(device_);
    backend.set_threads(1);
    int asked = 0;
    backend.set_abort_callback([&] { return ++asked, false; });
    EXPECT_EQ(backend.compute(*bound_, {&y, 1}), Status::success);
    EXPECT_GT(asked, 512) << "once a column, and in the product";
}

}  // namespace
}  // namespace splitscope
