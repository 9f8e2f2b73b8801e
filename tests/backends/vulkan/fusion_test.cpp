// SPDX-License-Identifier: MIT
// Nodes that one kernel computes: the same results as one by one, for every variant of the kernels, and only
// where memory allows it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backends/interface/tensor_access.hpp"
#include "backends/vulkan/vulkan_backend.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/graph_builder.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/quants/half.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/backends/vulkan/kernel_variants.hpp"
#include "tests/backends/vulkan/vulkan_faults.hpp"

namespace splitscope {
namespace {

/// A graph on a device, its leafs filled with numbers that repeat.
class Placed {
 public:
    /// `same_place`: pairs of tensors, the second of which gets the memory of the first.
    Placed(Graph g, VulkanDevice& device, const std::vector<std::pair<TensorId, TensorId>>& same_place = {})
        : graph(std::move(g)), places_(graph.tensors.size()) {
        constexpr std::uint64_t kAlignment = 256;
        std::uint64_t size = 0;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (graph.tensors[i].is_view()) continue;
            places_[i] = {nullptr, size, true};
            size += (byte_size(graph.tensors[i]) + kAlignment - 1) / kAlignment * kAlignment;
        }
        for (const auto& [first, second] : same_place)
            places_[second.index()].offset = places_[first.index()].offset;
        buffer_ = device.buffer_type().allocate(size);
        for (TensorPlace& place : places_) place.buffer = buffer_.get();
        bound = std::make_unique<BoundGraph>(GraphView(graph), places_);
    }

    /// Leafs of numbers between -1 and 1, and indices 0, 1, ….
    void fill() {
        buffer_->clear(std::byte{0});
        std::mt19937 random(7);
        std::uniform_real_distribution<float> any(-1.0F, 1.0F);
        for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
            const Tensor& t = graph.tensors[i];
            if (t.op != Op::none || t.is_view()) continue;
            std::vector<std::byte> bytes(byte_size(t));
            if (t.type == ElementType::i32 || t.type == ElementType::i64) {
                const std::size_t each = t.type == ElementType::i32 ? 4 : 8;
                for (std::size_t n = 0; n * each < bytes.size(); ++n) {
                    const std::uint64_t index = n + 1;
                    std::memcpy(bytes.data() + n * each, &index, each);
                }
            } else {
                std::vector<float> values(static_cast<std::size_t>(element_count(t)));
                for (float& value : values) value = any(random);
                quantise(t.type, values, bytes);
            }
            tensor_set({*bound, TensorId(i)}, bytes);
        }
    }

    std::vector<float> values_of(TensorId id) const {
        const Tensor& t = graph[id];
        std::vector<std::byte> bytes(byte_size(t));
        tensor_get({*bound, id}, bytes);
        std::vector<float> values(static_cast<std::size_t>(element_count(t)));
        if (t.type == ElementType::i32) {
            std::vector<std::int32_t> numbers(values.size());
            std::memcpy(numbers.data(), bytes.data(), bytes.size());
            std::ranges::copy(numbers, values.begin());
            return values;
        }
        dequantise(t.type, bytes, values);
        return values;
    }

    Graph graph;
    std::unique_ptr<BoundGraph> bound;

 private:
    std::vector<TensorPlace> places_;
    std::unique_ptr<Buffer> buffer_;
};

double nmse(const std::vector<float>& a, const std::vector<float>& b) {
    double error = 0;
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        error += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
        sum += std::pow(static_cast<double>(b[i]), 2);
    }
    return sum > 0 ? error / sum : error;
}

class VulkanFusion : public ::testing::Test {
 protected:
    void SetUp() override {
        vulkan_ = std::make_unique<FaultyVulkan>("");
        if (!vulkan_->why_not().empty()) GTEST_SKIP() << vulkan_->why_not();
    }
    void TearDown() override { EXPECT_EQ(vulkan_->complaints(), ""); }

    /// Computes the graph node by node and together; the latter needs so many kernels, each of so many nodes.
    void expect_same(GraphBuilder& builder, const std::vector<TensorId>& results,
                     const std::vector<std::size_t>& fused, const std::string& what) {
        for (const TensorId id : results) builder.expand(id);
        Placed placed(builder.take(), vulkan_->device());
        for (const auto& [variant, kernels] : kernel_variants(vulkan_->device().logical()->physical())) {
            // They are for many columns, which are computed node by node.
            if (kernels.halves) continue;
            VulkanBackend backend(vulkan_->device());
            backend.set_kernels(kernels);
            placed.fill();
            backend.compute(*placed.bound, placed.graph.nodes);
            EXPECT_TRUE(backend.take_work()->fused.empty());
            std::vector<std::vector<float>> expected;
            for (const TensorId id : results) expected.push_back(placed.values_of(id));
            placed.fill();
            backend.keep_results(false);
            backend.compute(*placed.bound, placed.graph.nodes);
            std::vector<std::size_t> counts;
            const DeviceWork work = *backend.take_work();
            for (const auto& nodes : work.fused) counts.push_back(nodes.size());
            EXPECT_EQ(counts, fused) << what;
            for (std::size_t i = 0; i < results.size(); ++i) {
                const std::vector<float> values = placed.values_of(results[i]);
                if (placed.graph[results[i]].type == ElementType::i32) {
                    EXPECT_EQ(values, expected[i]) << what << ", " << variant;
                    continue;
                }
                EXPECT_LT(nmse(values, expected[i]), 1e-10)
                    << what << ": " << placed.graph[results[i]].name << ", " << variant;
                for (const float value : values) ASSERT_TRUE(std::isfinite(value)) << what;
            }
        }
    }

    std::unique_ptr<FaultyVulkan> vulkan_;
};

/// A norm of three rows with what is fused with it.
void build_norm(GraphBuilder& b, std::int64_t width, bool rms, bool shift, bool sum,
                std::vector<TensorId>& results) {
    const TensorId x = b.new_tensor(ElementType::f32, {width, 3, 1, 1}, "x");
    const TensorId y = b.new_tensor(ElementType::f32, {width, 3, 1, 1}, "y");
    const TensorId weight = b.new_tensor(ElementType::f32, {width, 1, 1, 1}, "weight");
    const TensorId bias = b.new_tensor(ElementType::f32, {width, 1, 1, 1}, "bias");
    const TensorId both = sum ? b.add(x, y) : x;
    const TensorId normed = rms ? b.rms_norm(both, 1e-5F) : b.norm(both, 1e-5F);
    TensorId out = b.mul(normed, weight);
    if (shift) out = b.add(out, bias);
    // The sum is read again, as in a residual stream.
    results = {out, b.sqr(both)};
}

/// Products of prompts convert their columns to F16 first, once as long as these do not change.
TEST_F(VulkanFusion, ColumnsAreConvertedOnceUntilTheyChange) {
    GraphBuilder b("columns");
    const TensorId x = b.new_tensor(ElementType::f32, {64, 40, 1, 1}, "x");
    const TensorId y = b.new_tensor(ElementType::f32, {64, 40, 1, 1}, "y");
    const auto product = [&](TensorId columns, ElementType type = ElementType::q4_0) {
        return b.mul_mat(b.new_tensor(type, {64, 256, 1, 1}, "weights"), columns);
    };
    const TensorId first = product(x);
    const TensorId second = product(x, ElementType::q8_0);
    const TensorId changed = b.scale(x, 3.0F);
    const TensorId third = product(changed);
    const TensorId other = product(y);
    const TensorId fourth = product(changed);
    const std::array results = {first, second, third, other, fourth};
    for (const TensorId id : results) b.expand(id);
    Placed placed(b.take(), vulkan_->device(), {{x, changed}});
    int variants = 0;
    for (const auto& [variant, kernels] : kernel_variants(vulkan_->device().logical()->physical())) {
        if (!kernels.halves) continue;
        std::array<std::vector<std::vector<float>>, 2> values;
        for (const bool converts : {false, true}) {
            vulkan::KernelTraits traits = kernels;
            traits.min_conversions = converts ? 0 : std::numeric_limits<std::int64_t>::max();
            VulkanBackend backend(vulkan_->device());
            backend.set_kernels(traits);
            backend.keep_results(false);
            placed.fill();
            backend.compute(*placed.bound, placed.graph.nodes);
            // The columns first, changed, other and again changed.
            EXPECT_EQ(backend.take_work()->dispatches, converts ? 6U + 4U : 6U) << variant;
            for (const TensorId id : results) values[converts ? 1 : 0].push_back(placed.values_of(id));
        }
        EXPECT_EQ(values[0], values[1]) << variant;
        ++variants;
    }
    if (variants == 0) GTEST_SKIP() << "the device has no F16 arithmetic";
}

TEST_F(VulkanFusion, FusesNormWithScaleShiftAndPrecedingAdd) {
    // Rows of which each is read in one go, or not: not all start at multiples of 16 bytes.
    for (const std::int64_t width : {96, 97, 1408}) {
        for (const bool rms : {true, false}) {
            for (const bool shift : {true, false}) {
                for (const bool sum : {true, false}) {
                    GraphBuilder b("norm");
                    std::vector<TensorId> results;
                    build_norm(b, width, rms, shift, sum, results);
                    expect_same(b, results, {2U + (shift ? 1U : 0U) + (sum ? 1U : 0U)},
                                std::string(rms ? "rms" : "norm") + (shift ? " shift" : "") +
                                    (sum ? " sum" : "") + " " + std::to_string(width));
                }
            }
        }
    }
}

using VulkanAttention = VulkanFusion;

TEST_F(VulkanAttention, MaskedCellsMayContainNaN) {
    constexpr std::int64_t kKeys = 700;
    constexpr std::int64_t kWidth = 64;
    const auto is_masked = [](std::int64_t key) { return key % 5 == 2 || key > kKeys / 2; };
    for (const std::int64_t queries : {1, 20}) {
        GraphBuilder b("attention");
        const TensorId q = b.new_tensor(ElementType::f32, {kWidth, queries, 4, 1}, "q");
        const TensorId k = b.new_tensor(ElementType::f16, {kWidth, kKeys, 2, 1}, "k");
        const TensorId v = b.new_tensor(ElementType::f16, {kWidth, kKeys, 2, 1}, "v");
        const TensorId mask = b.new_tensor(ElementType::f16, {kKeys, queries, 1, 1}, "mask");
        const TensorId out = b.flash_attention(q, k, v, mask, 0.1F, 0, 0);
        b.expand(out);
        Placed placed(b.take(), vulkan_->device());
        const auto set = [&](TensorId id, auto&& value_of) {
            std::vector<float> values = placed.values_of(id);
            const auto width = static_cast<std::size_t>(placed.graph[id].ne[0]);
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = value_of(static_cast<std::int64_t>(i % width),
                                     static_cast<std::int64_t>(i / width), values[i]);
            std::vector<std::byte> bytes(byte_size(placed.graph[id]));
            quantise(ElementType::f16, values, bytes);
            tensor_set({*placed.bound, id}, bytes);
        };
        for (const auto& [variant, kernels] : kernel_variants(vulkan_->device().logical()->physical())) {
            VulkanBackend backend(vulkan_->device());
            backend.set_kernels(kernels);
            placed.fill();
            set(mask, [&](std::int64_t key, std::int64_t, float) {
                return is_masked(key) ? -std::numeric_limits<float>::infinity() : 0.0F;
            });
            backend.compute(*placed.bound, placed.graph.nodes);
            const std::vector<float> expected = placed.values_of(out);
            for (const TensorId cache : {k, v}) {
                set(cache, [&](std::int64_t, std::int64_t row, float value) {
                    return is_masked(row % kKeys) ? std::numeric_limits<float>::quiet_NaN() : value;
                });
            }
            backend.compute(*placed.bound, placed.graph.nodes);
            EXPECT_EQ(placed.values_of(out), expected) << variant << ", " << queries;
        }
    }
}

/// All of a query, one key that every query sees, or all keys of a head.
TEST_F(VulkanAttention, NaNReachesTheResult) {
    constexpr std::int64_t kHeads = 4;
    struct Case {
        std::int64_t keys;
        std::int64_t queries;
        ElementType type;
        bool flash = true;
        std::int64_t width = 64;
    };
    for (const Case c : {Case{700, 1, ElementType::f16}, Case{700, 20, ElementType::f16},
                         Case{40, 1, ElementType::q8_0}, Case{40, 20, ElementType::f32},
                         Case{60, 1, ElementType::f16, false}, Case{60, 20, ElementType::f16, false},
                         Case{12, 12, ElementType::f16, true, 16}, Case{12, 1, ElementType::f16, true, 16}}) {
        const std::int64_t width = c.width;
        GraphBuilder b("attention");
        const TensorId q = b.new_tensor(ElementType::f32, {width, c.queries, kHeads, 1}, "q");
        const TensorId k = b.new_tensor(c.type, {width, c.keys, 2, 1}, "k");
        const TensorId mask = b.new_tensor(ElementType::f16, {c.keys, c.queries, 1, 1}, "mask");
        TensorId out;
        if (c.flash) {
            const TensorId v = b.new_tensor(c.type, {width, c.keys, 2, 1}, "v");
            out = b.flash_attention(q, k, v, mask, 0.1F, 0, 0);
        } else {
            const TensorId v = b.new_tensor(c.type, {c.keys, width, 2, 1}, "v");
            const TensorId weights = b.soft_max(b.mul_mat(k, q), mask, 0.1F);
            out = b.cont(b.permute(b.mul_mat(v, weights), {0, 2, 1, 3}));
        }
        b.expand(out);
        Placed placed(b.take(), vulkan_->device());
        const auto spoil = [&](TensorId id, std::int64_t first_row, std::int64_t rows) {
            // The first element of each row, or the scale of its first block.
            const Tensor& t = placed.graph[id];
            const float nan = std::numeric_limits<float>::quiet_NaN();
            const std::uint16_t half = f32_to_f16(nan);
            const auto bytes = t.type == ElementType::f32 ? std::as_bytes(std::span(&nan, 1))
                                                          : std::as_bytes(std::span(&half, 1));
            for (std::int64_t row = first_row; row < first_row + rows; ++row)
                tensor_set({*placed.bound, id}, bytes, static_cast<std::uint64_t>(row * t.nb[1]));
        };
        /// Of the result, [query][head].
        const auto expect_nans = [&](VulkanBackend& backend, const std::string& what, const auto& is_nan) {
            backend.compute(*placed.bound, placed.graph.nodes);
            const std::vector<float> values = placed.values_of(out);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const std::int64_t row = static_cast<std::int64_t>(i) / width;
                ASSERT_EQ(std::isnan(values[i]), is_nan(row / kHeads, row % kHeads))
                    << what << " of " << c.keys << ", query " << row / kHeads << ", head " << row % kHeads;
            }
        };
        for (const auto& [variant, kernels] : kernel_variants(vulkan_->device().logical()->physical())) {
            VulkanBackend backend(vulkan_->device());
            backend.set_kernels(kernels);
            backend.keep_results(c.flash);
            placed.fill();
            tensor_set({*placed.bound, mask},
                       std::vector<std::byte>(byte_size(placed.graph[mask]), std::byte{0}));
            expect_nans(backend, variant + ": none", [](auto, auto) { return false; });
            spoil(k, c.keys / 2, 1);
            expect_nans(backend, variant + ": a key", [](auto, auto head) { return head < kHeads / 2; });
            spoil(k, 0, c.keys);
            expect_nans(backend, variant + ": all keys", [](auto, auto head) { return head < kHeads / 2; });
            placed.fill();
            tensor_set({*placed.bound, mask},
                       std::vector<std::byte>(byte_size(placed.graph[mask]), std::byte{0}));
            spoil(q, c.queries * 2, 1);
            expect_nans(backend, variant + ": a query",
                        [](auto query, auto head) { return query == 0 && head == 2; });
        }
    }
}

TEST_F(VulkanFusion, ProductsKeepNaN) {
    for (const ElementType type :
         {ElementType::f32, ElementType::f16, ElementType::q4_0, ElementType::q4_K, ElementType::mxfp4}) {
        for (const std::int64_t columns : {1, 40, 200}) {
            GraphBuilder b("product");
            const TensorId w = b.new_tensor(type, {512, 96, 1, 1}, "weights");
            const TensorId x = b.new_tensor(ElementType::f32, {512, columns, 1, 1}, "x");
            const TensorId out = b.mul_mat(w, x);
            b.expand(out);
            Placed placed(b.take(), vulkan_->device());
            for (const auto& [variant, kernels] : kernel_variants(vulkan_->device().logical()->physical())) {
                VulkanBackend backend(vulkan_->device());
                backend.set_kernels(kernels);
                placed.fill();
                const float nan = std::numeric_limits<float>::quiet_NaN();
                tensor_set({*placed.bound, x}, std::as_bytes(std::span(&nan, 1)), 4 * 77);
                backend.compute(*placed.bound, placed.graph.nodes);
                const std::vector<float> values = placed.values_of(out);
                for (std::size_t i = 0; i < values.size(); ++i) {
                    ASSERT_EQ(std::isnan(values[i]), i < 96)
                        << name_of(type) << ", " << variant << ", row " << i % 96 << " of column " << i / 96
                        << " of " << columns;
                }
            }
        }
    }
}

TEST_F(VulkanFusion, FusesProductsWithBiasForAnyWeightType) {
    for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::q4_0, ElementType::q8_0,
                                   ElementType::q4_K, ElementType::iq4_nl, ElementType::tq2_0}) {
        for (const std::int64_t columns : {1, 3}) {
            GraphBuilder b("product");
            const TensorId w = b.new_tensor(type, {256, 130, 1, 1}, "w");
            const TensorId x = b.new_tensor(ElementType::f32, {256, columns, 1, 1}, "x");
            const TensorId bias = b.new_tensor(ElementType::f32, {130, 1, 1, 1}, "bias");
            const TensorId residual = b.new_tensor(ElementType::f32, {130, columns, 1, 1}, "residual");
            const TensorId out = b.add(residual, b.add(b.mul_mat(w, x), bias));
            expect_same(b, {out}, {3}, std::string(name_of(type)) + " " + std::to_string(columns));
        }
    }
}

TEST_F(VulkanFusion, FusesGateAndValueWithTheirActivation) {
    for (const GluKind kind : {GluKind::reglu, GluKind::geglu, GluKind::swiglu, GluKind::swiglu_oai,
                               GluKind::geglu_erf, GluKind::geglu_quick}) {
        for (const ElementType type : {ElementType::q4_0, ElementType::q6_K, ElementType::f16}) {
            if (type != ElementType::q4_0 && kind != GluKind::swiglu) continue;
            GraphBuilder b("gated");
            const TensorId gate = b.new_tensor(type, {256, 96, 1, 1}, "gate");
            const TensorId up = b.new_tensor(type, {256, 96, 1, 1}, "up");
            const TensorId bias = b.new_tensor(ElementType::f32, {96, 1, 1, 1}, "bias");
            const TensorId x = b.new_tensor(ElementType::f32, {256, 2, 1, 1}, "x");
            const TensorId g = b.add(b.mul_mat(gate, x), bias);
            const TensorId v = b.add(b.mul_mat(up, x), bias);
            const TensorId out =
                kind == GluKind::swiglu_oai ? b.swiglu_oai(g, v, 1.7F, 7.0F) : b.glu(kind, g, v);
            expect_same(b, {out}, {5}, std::string(name_of(type)));
        }
    }
}

TEST_F(VulkanFusion, FusesGatedExperts) {
    GraphBuilder b("experts");
    const TensorId gate = b.new_tensor(ElementType::q8_0, {64, 64, 4, 1}, "gate");
    const TensorId up = b.new_tensor(ElementType::q8_0, {64, 64, 4, 1}, "up");
    const TensorId x = b.new_tensor(ElementType::f32, {64, 1, 2, 1}, "x");
    const TensorId ids = b.new_tensor(ElementType::i32, {1, 2, 1, 1}, "ids");
    const TensorId out = b.glu(GluKind::swiglu, b.mul_mat_id(gate, x, ids), b.mul_mat_id(up, x, ids));
    expect_same(b, {out}, {3}, "experts");
}

/// Products of experts with a bias for each, as engine/models/experts.cpp builds them.
struct BiasedShape {
    ElementType type = ElementType::q8_0;
    std::int64_t rows = 70;
    std::int64_t experts = 10;
    std::int64_t biases = 10;  ///< of as many experts
    bool other_ids = false;    ///< biases are selected by other indices
    bool output = false;       ///< the product is an output
    bool read = false;         ///< another node reads the product
};

/// The result, and what else must be computed.
std::vector<TensorId> build_biased(GraphBuilder& b, const BiasedShape& s, TensorId x, TensorId ids) {
    const TensorId w = b.new_tensor(s.type, {b[x].ne[0], s.rows, s.experts, 1}, "w");
    const TensorId biases = b.new_tensor(ElementType::f32, {s.rows, s.biases, 1, 1}, "biases");
    const TensorId product = b.mul_mat_id(w, x, ids);
    if (s.output) b.add_flag(product, TensorFlags::output);
    const TensorId others = b.new_tensor(ElementType::i32, b[ids].ne, "others");
    std::vector<TensorId> results{b.add_id(product, biases, s.other_ids ? others : ids)};
    if (s.output) results.push_back(product);
    if (s.read) results.push_back(b.sqr(product));
    return results;
}

TensorId columns_of_experts(GraphBuilder& b, std::int64_t tokens) {
    return b.new_tensor(ElementType::f32, {256, 1, tokens, 1}, "x");
}
TensorId ids_of_experts(GraphBuilder& b, std::int64_t tokens) {
    return b.new_tensor(ElementType::i32, {4, tokens, 1, 1}, "ids");
}

TEST_F(VulkanFusion, FusesProductsOfExpertsWithTheirBiases) {
    for (const ElementType type : {ElementType::f32, ElementType::mxfp4, ElementType::q8_0, ElementType::q4_K,
                                   ElementType::iq4_xs, ElementType::tq2_0}) {
        for (const bool residual : {false, true}) {
            GraphBuilder b("biased");
            const std::int64_t tokens = residual ? 2 : 1;
            const TensorId x = columns_of_experts(b, tokens);
            TensorId out = build_biased(b, {.type = type}, x, ids_of_experts(b, tokens))[0];
            if (residual) out = b.add(out, b.new_tensor(ElementType::f32, b[out].ne, "residual"));
            expect_same(b, {out}, {residual ? 3U : 2U},
                        std::string(name_of(type)) + " " + std::to_string(tokens));
        }
    }
}

TEST_F(VulkanFusion, FusesGateAndValueOfExpertsWithTheirBiases) {
    for (const ElementType type : {ElementType::f32, ElementType::mxfp4, ElementType::q6_K}) {
        for (const std::int64_t tokens : {1, 2}) {
            GraphBuilder b("gated");
            const TensorId x = columns_of_experts(b, tokens);
            const TensorId ids = ids_of_experts(b, tokens);
            const TensorId gate = build_biased(b, {.type = type}, x, ids)[0];
            const TensorId value = build_biased(b, {.type = type}, x, ids)[0];
            // Many values exceed the limit.
            const TensorId out = b.swiglu_oai(gate, value, 1.7F, 3.0F);
            expect_same(b, {out}, {5}, std::string(name_of(type)) + " " + std::to_string(tokens));
        }
    }
}

TEST_F(VulkanFusion, KeepsBiasesOfOtherExpertsAndProductsThatOthersNeed) {
    const std::array<BiasedShape, 4> cases = {
        {{.other_ids = true}, {.biases = 9}, {.output = true}, {.read = true}}};
    for (std::size_t i = 0; i < cases.size(); ++i) {
        GraphBuilder b("biased");
        const TensorId x = columns_of_experts(b, 2);
        const TensorId ids = ids_of_experts(b, 2);
        expect_same(b, build_biased(b, cases[i], x, ids), {}, std::to_string(i));
    }
}

/// Gate and value are one kernel, the product of the result is one, and the sum takes its biases.
TEST_F(VulkanFusion, ExpertsWithBiasesTakeThreeKernels) {
    for (const std::int64_t tokens : {1, 2}) {
        GraphBuilder b("experts");
        const TensorId x = columns_of_experts(b, tokens);
        const TensorId ids = ids_of_experts(b, tokens);
        const BiasedShape shape{.type = ElementType::mxfp4, .rows = 96};
        const TensorId gate = build_biased(b, shape, x, ids)[0];
        const TensorId value = build_biased(b, shape, x, ids)[0];
        const TensorId down = build_biased(b, shape, b.swiglu_oai(gate, value, 1.7F, 7.0F), ids)[0];
        const TensorId weights = b.new_tensor(ElementType::f32, {1, 4, tokens, 1}, "weights");
        const TensorId weighted = b.mul(down, weights);
        const auto row = [&](std::int64_t i) {
            return b.view_2d(weighted, 96, tokens, b[weighted].nb[2], i * b[weighted].nb[1]);
        };
        TensorId sum = row(0);
        for (std::int64_t i = 1; i < 4; ++i) sum = b.add(sum, row(i));
        expect_same(b, {sum}, {5, 5}, std::to_string(tokens));
    }
}

TEST_F(VulkanFusion, FusesProductsOfTheSameColumns) {
    GraphBuilder b("joined");
    const TensorId x = b.new_tensor(ElementType::f32, {64, 1, 1, 1}, "x");
    const TensorId q = b.new_tensor(ElementType::q4_0, {64, 70, 1, 1}, "q");
    const TensorId k = b.new_tensor(ElementType::q4_0, {64, 33, 1, 1}, "k");
    const TensorId v = b.new_tensor(ElementType::q4_0, {64, 9, 1, 1}, "v");
    const TensorId other = b.new_tensor(ElementType::q8_0, {64, 9, 1, 1}, "other");
    const TensorId bias = b.new_tensor(ElementType::f32, {33, 1, 1, 1}, "bias");
    expect_same(b, {b.mul_mat(q, x), b.add(b.mul_mat(k, x), bias), b.mul_mat(v, x), b.mul_mat(other, x)}, {4},
                "joined");
}

TEST_F(VulkanFusion, FusesRopeWithCacheStores) {
    for (const std::int32_t mode : {0, 2}) {
        for (const std::int64_t tokens : {1, 3}) {
            GraphBuilder b("rows");
            const TensorId q = b.new_tensor(ElementType::f32, {32, 4, tokens, 1}, "q");
            const TensorId k = b.new_tensor(ElementType::f32, {32, 2, tokens, 1}, "k");
            const TensorId v = b.new_tensor(ElementType::f32, {64, tokens, 1, 1}, "v");
            const TensorId positions = b.new_tensor(ElementType::i32, {tokens, 1, 1, 1}, "positions");
            const TensorId rows = b.new_tensor(ElementType::i64, {tokens, 1, 1, 1}, "rows");
            const TensorId cells = b.new_tensor(ElementType::i64, {64 * tokens, 1, 1, 1}, "cells");
            const TensorId cache_k = b.new_tensor(ElementType::f16, {64, 8, 1, 1}, "cache_k");
            const TensorId cache_v = b.new_tensor(ElementType::f16, {64 * 8, 1, 1, 1}, "cache_v");
            RopeParameters parameters;
            parameters.dims = 24;  // the rest of a head stays
            parameters.mode = mode;
            parameters.original_context = 128;
            const TensorId turned = b.rope(q, positions, {}, parameters);
            const TensorId keys = b.rope(k, positions, {}, parameters);
            b.expand(turned);
            const TensorId stored = b.set_rows(cache_k, b.reshape(keys, {64, tokens, 1, 1}), rows);
            // One element to a row, as for values that are stored transposed.
            const TensorId values = b.set_rows(b.reshape(cache_v, {1, 64 * 8, 1, 1}),
                                               b.reshape(v, {1, 64 * tokens, 1, 1}), cells);
            expect_same(b, {turned, stored, values}, {4},
                        std::to_string(mode) + " " + std::to_string(tokens));
        }
    }
}

TEST_F(VulkanFusion, FusesAttention) {
    for (const bool sinks : {false, true}) {
        for (const ElementType type : {ElementType::f16, ElementType::f32}) {
            constexpr std::int64_t kKeys = 300;
            GraphBuilder b("attention");
            const TensorId q = b.new_tensor(ElementType::f32, {16, 4, 2, 1}, "q");
            const TensorId k = b.new_tensor(type, {16, kKeys, 2, 1}, "k");
            const TensorId v = b.new_tensor(type, {kKeys, 20, 2, 1}, "v");
            const TensorId mask = b.new_tensor(ElementType::f32, {kKeys, 2, 1, 1}, "mask");
            const TensorId sink = b.new_tensor(ElementType::f32, {4, 1, 1, 1}, "sink");
            const TensorId scores = b.mul_mat(k, b.permute(q, {0, 2, 1, 3}));
            const TensorId weights = b.soft_max(scores, mask, 0.25F, 4.0F, sinks ? sink : TensorId{});
            const TensorId mixed = b.permute(b.mul_mat(v, weights), {0, 2, 1, 3});
            expect_same(b, {b.cont(mixed, {80, 2, 1, 1})}, {4}, std::string(name_of(type)));
        }
    }
}

enum class Scores : std::uint8_t { given, softmax, sigmoid, sqrt_softplus };
enum class Shares : std::uint8_t { none, softmax, sum, clamped_sum, sum_clamped_in_place };

/// A router as engine/models/experts.cpp builds it.
struct RouterShape {
    std::int64_t experts = 8;
    std::int64_t used = 2;
    std::int64_t tokens = 3;
    Scores scores = Scores::softmax;
    Shares shares = Shares::clamped_sum;
    bool bias = false;
    bool scale = false;
    bool by_logits = false;  ///< experts are selected by their logits
    bool ascending = false;
    bool foreign_order = false;  ///< indices are an input
    bool keeps_scores = false;   ///< the scores are an output
    bool reads_scores = false;   ///< another node reads the scores
    bool reads_chosen = false;   ///< another node reads the scores of the chosen
};

std::vector<TensorId> build_router(GraphBuilder& b, const RouterShape& s) {
    b.set_clamps_in_place(s.shares == Shares::sum_clamped_in_place);
    const TensorId logits = b.new_tensor(ElementType::f32, {s.experts, s.tokens, 1, 1}, "logits");
    const TensorId bias = b.new_tensor(ElementType::f32, {s.experts, 1, 1, 1}, "bias");
    TensorId scores = logits;
    if (s.scores == Scores::softmax) scores = b.soft_max(logits, {}, 1.0F);
    if (s.scores == Scores::sigmoid) scores = b.unary(UnaryKind::sigmoid, logits);
    if (s.scores == Scores::sqrt_softplus) scores = b.sqrt(b.unary(UnaryKind::softplus, logits));
    if (s.keeps_scores) b.add_flag(scores, TensorFlags::output);
    const TensorId order =
        b.argsort(s.by_logits ? logits : (s.bias ? b.add(scores, bias) : scores), !s.ascending);
    const TensorId from =
        s.foreign_order ? b.new_tensor(ElementType::i32, {s.used, s.tokens, 1, 1}, "foreign") : order;
    const TensorId ids = b.view(from, {s.used, s.tokens, 1, 1}, b[from].nb, 0);
    const Shape flat{s.used, s.tokens, 1, 1};
    const TensorId chosen = b.get_rows(b.reshape(scores, {1, s.experts, s.tokens, 1}), ids);
    TensorId weights = chosen;
    if (s.shares == Shares::softmax) weights = b.soft_max(b.reshape(chosen, flat), {}, 1.0F);
    if (s.shares >= Shares::sum) {
        const TensorId rows = b.reshape(chosen, flat);
        TensorId sum = b.sum_rows(rows);
        if (s.shares != Shares::sum) sum = b.clamp(sum, 0.01F, std::numeric_limits<float>::infinity());
        weights = b.div(rows, sum);
    }
    if (s.shares != Shares::none) weights = b.reshape(weights, {1, s.used, s.tokens, 1});
    if (s.scale) weights = b.scale(weights, 2.5F);
    std::vector<TensorId> results{order, b.sqr(weights)};
    if (s.keeps_scores) results.push_back(scores);
    if (s.reads_scores) results.push_back(b.sqr(scores));
    if (s.reads_chosen) results.push_back(b.sqr(chosen));
    return results;
}

TEST_F(VulkanFusion, FusesRouters) {
    const std::array<std::pair<RouterShape, std::size_t>, 13> cases = {{
        {{}, 6},
        // Experts and used ones do not fill a work group, or several pass through each invocation.
        {{.experts = 60, .used = 4, .shares = Shares::none}, 3},
        {{.experts = 160, .used = 6, .tokens = 1, .scale = true}, 7},
        {{.experts = 512, .used = 10}, 6},
        {{.experts = 1000, .used = 1000, .tokens = 2}, 6},
        {{.experts = 1, .used = 1}, 6},
        {{.experts = 32, .used = 4, .scores = Scores::given, .shares = Shares::softmax}, 3},
        {{.experts = 32, .used = 4, .scores = Scores::given, .shares = Shares::softmax, .bias = true}, 4},
        {{.experts = 128, .scores = Scores::sigmoid, .bias = true, .scale = true}, 8},
        {{.shares = Shares::sum}, 5},
        {{.shares = Shares::sum_clamped_in_place}, 6},
        {{.scores = Scores::sqrt_softplus, .scale = true}, 8},
        {{.used = 1, .scores = Scores::sigmoid, .shares = Shares::none, .by_logits = true}, 3},
    }};
    for (std::size_t i = 0; i < cases.size(); ++i) {
        GraphBuilder b("router");
        const auto results = build_router(b, cases[i].first);
        expect_same(b, results, {cases[i].second}, std::to_string(i));
    }
}

TEST_F(VulkanFusion, FusesOnlyThePartOfARouterThatNothingElseNeeds) {
    const std::array<std::pair<RouterShape, std::vector<std::size_t>>, 6> cases = {{
        {{.keeps_scores = true}, {5}},
        {{.bias = true, .reads_scores = true}, {6}},
        {{.reads_chosen = true}, {3}},
        {{.experts = 1025}, {}},
        {{.ascending = true}, {}},
        {{.foreign_order = true}, {}},
    }};
    for (std::size_t i = 0; i < cases.size(); ++i) {
        GraphBuilder b("router");
        const auto results = build_router(b, cases[i].first);
        expect_same(b, results, cases[i].second, std::to_string(i));
    }
}

TEST_F(VulkanFusion, RoutersSortTiesAndNaNAsArgsort) {
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr std::array kValues = {kNaN, 0.0F, -0.0F, kInfinity, -kInfinity, 1.5F, 1.5F, -2.0F};
    for (const Scores scores : {Scores::given, Scores::sigmoid, Scores::softmax}) {
        for (const bool numbers_only : {false, true}) {
            GraphBuilder b("ties");
            const RouterShape shape{.experts = 300, .used = 300, .scores = scores, .shares = Shares::none};
            const TensorId order = build_router(b, shape)[0];
            b.expand(order);
            const TensorId chosen{b.graph().tensors.size() - 2};
            b.expand(chosen);
            Placed placed(b.take(), vulkan_->device());
            ASSERT_EQ(placed.graph[chosen].op, Op::get_rows);
            placed.fill();
            std::vector<float> logits = placed.values_of(TensorId(0));
            for (std::size_t i = 0; i < logits.size(); ++i) {
                const float value = kValues[i * i % 89 % kValues.size()];
                logits[i] = numbers_only && !std::isfinite(value) ? 0.25F : value;
            }
            tensor_set({*placed.bound, TensorId(0)}, std::as_bytes(std::span(logits)));
            VulkanBackend backend(vulkan_->device());
            backend.compute(*placed.bound, placed.graph.nodes);
            const std::vector<float> expected = placed.values_of(order);
            backend.take_work();
            backend.keep_results(false);
            backend.compute(*placed.bound, placed.graph.nodes);
            EXPECT_EQ(backend.take_work()->dispatches, 1U);
            EXPECT_EQ(placed.values_of(order), expected) << static_cast<int>(scores) << numbers_only;
        }
    }
}

/// How the experts' weighted results are summed.
struct SumShape {
    std::int64_t width = 64;
    std::int64_t used = 4;
    std::int64_t tokens = 3;
    bool bias = false;         ///< of each expert
    bool foreign_ids = false;  ///< not from ARGSORT
    bool output = false;       ///< the weighted results are an output
    bool read = false;         ///< another node reads them
    bool from_second = false;  ///< the first expert is added last
};

std::vector<TensorId> build_sum(GraphBuilder& b, const SumShape& s) {
    constexpr std::int64_t kExperts = 16;
    TensorId experts = b.new_tensor(ElementType::f32, {s.width, s.used, s.tokens, 1}, "experts");
    if (s.bias) {
        const TensorId biases = b.new_tensor(ElementType::f32, {s.width, kExperts, 1, 1}, "biases");
        const TensorId scores = b.new_tensor(ElementType::f32, {kExperts, s.tokens, 1, 1}, "scores");
        const TensorId order = b.argsort(scores, true);
        const TensorId ids = b.view(order, {s.used, s.tokens, 1, 1}, b[order].nb, 0);
        const TensorId foreign = b.new_tensor(ElementType::i32, {s.used, s.tokens, 1, 1}, "foreign");
        experts = b.add_id(experts, biases, s.foreign_ids ? foreign : ids);
    }
    const TensorId weights = b.new_tensor(ElementType::f32, {1, s.used, s.tokens, 1}, "weights");
    const TensorId weighted = b.mul(experts, weights);
    if (s.output) b.add_flag(weighted, TensorFlags::output);
    const auto row = [&](std::int64_t i) {
        const std::int64_t expert = (i + (s.from_second ? 1 : 0)) % s.used;
        return b.view_2d(weighted, s.width, s.tokens, b[weighted].nb[2], expert * b[weighted].nb[1]);
    };
    TensorId sum = row(0);
    for (std::int64_t i = 1; i < s.used; ++i) sum = b.add(sum, row(i));
    if (s.used == 1) sum = b.cont(sum);
    std::vector<TensorId> results{sum};
    if (s.read) results.push_back(b.sqr(weighted));
    return results;
}

TEST_F(VulkanFusion, FusesWeightedSumsOfExperts) {
    for (const std::int64_t used : {1, 2, 3, 8, 16}) {
        // Rows of 16-byte words, or not.
        for (const std::int64_t width : {64, 67, 300}) {
            GraphBuilder b("sum");
            const auto results = build_sum(b, {.width = width, .used = used});
            const auto nodes = static_cast<std::size_t>(std::max<std::int64_t>(used, 2));
            const std::string what = std::to_string(used) + " of " + std::to_string(width);
            expect_same(b, results, {nodes}, what);
            GraphBuilder biased("biased");
            const auto sum = build_sum(biased, {.width = width, .used = used, .bias = true});
            expect_same(biased, sum, {nodes + 1}, what + ", biased");
            GraphBuilder foreign("foreign");
            const SumShape shape{
                .width = width, .used = used, .tokens = 1, .bias = true, .foreign_ids = true};
            if (used < 16) expect_same(foreign, build_sum(foreign, shape), {nodes + 1}, what + ", foreign");
        }
    }
}

TEST_F(VulkanFusion, KeepsWeightedExpertsThatOthersNeed) {
    const std::array<SumShape, 5> cases = {
        {{.output = true}, {.read = true}, {.from_second = true}, {.used = 17}, {.used = 1, .read = true}}};
    for (std::size_t i = 0; i < cases.size(); ++i) {
        GraphBuilder b("sum");
        const auto results = build_sum(b, cases[i]);
        expect_same(b, results, {}, std::to_string(i));
    }
}

/// A kernel must not overwrite what its other work groups still read.
TEST_F(VulkanFusion, RefusesResultsInTheMemoryOfAnInput) {
    for (const bool shared : {false, true}) {
        GraphBuilder b("shared");
        const TensorId gate = b.new_tensor(ElementType::f32, {64, 64, 1, 1}, "gate");
        const TensorId up = b.new_tensor(ElementType::f32, {64, 64, 1, 1}, "up");
        const TensorId x = b.new_tensor(ElementType::f32, {64, 1, 1, 1}, "x");
        const TensorId out = b.glu(GluKind::swiglu, b.mul_mat(gate, x), b.mul_mat(up, x));
        b.expand(out);
        std::vector<std::pair<TensorId, TensorId>> places;
        if (shared) places.emplace_back(x, out);
        Placed placed(b.take(), vulkan_->device(), places);
        placed.fill();
        VulkanBackend backend(vulkan_->device());
        backend.keep_results(false);
        backend.compute(*placed.bound, placed.graph.nodes);
        const DeviceWork work = *backend.take_work();
        // The two products may still be one kernel.
        EXPECT_EQ(work.dispatches, shared ? 2U : 1U);
    }
}

TEST_F(VulkanFusion, MovesOrRefusesResultsOfMixturesInTheMemoryOfAnInput) {
    const auto expect_fused = [&](GraphBuilder& b, TensorId input, TensorId result, TensorId last,
                                  std::size_t fused) {
        b.expand(last);
        Placed placed(b.take(), vulkan_->device(), {{input, result}});
        VulkanBackend backend(vulkan_->device());
        placed.fill();
        backend.compute(*placed.bound, placed.graph.nodes);
        const std::vector<float> expected = placed.values_of(last);
        backend.take_work();
        placed.fill();
        backend.keep_results(false);
        backend.compute(*placed.bound, placed.graph.nodes);
        EXPECT_EQ(backend.take_work()->fused.size(), fused);
        EXPECT_LT(nmse(placed.values_of(last), expected), 1e-10);
    };
    const TensorId input(0);
    for (const bool output : {false, true}) {
        GraphBuilder router("router");
        const auto results = build_router(router, {});
        if (output) router.add_flag(results[0], TensorFlags::output);
        expect_fused(router, input, results[0], results[1], output ? 0 : 1);
        GraphBuilder sum("sum");
        const TensorId out = build_sum(sum, {}).front();
        if (output) sum.add_flag(out, TensorFlags::output);
        expect_fused(sum, input, out, sum.sqr(out), output ? 0 : 1);
    }
}

/// Work groups of one kernel do not wait for each other.
TEST_F(VulkanFusion, KeepsResultsReadByAnotherPart) {
    GraphBuilder b("chain");
    const TensorId x = b.new_tensor(ElementType::f32, {64, 1, 1, 1}, "x");
    const TensorId v = b.new_tensor(ElementType::f32, {64, 64, 1, 1}, "v");
    const TensorId w = b.new_tensor(ElementType::f32, {64, 64, 1, 1}, "w");
    const TensorId first = b.mul_mat(v, x);
    const TensorId second = b.add(b.mul_mat(w, x), first);
    const TensorId other = b.sqr(first);
    expect_same(b, {first, second, other}, {2}, "chain");

    GraphBuilder rows("rows");
    const TensorId k = rows.new_tensor(ElementType::f32, {32, 2, 1, 1}, "k");
    const TensorId positions = rows.new_tensor(ElementType::i32, {1, 1, 1, 1}, "positions");
    const TensorId at = rows.new_tensor(ElementType::i64, {1, 1, 1, 1}, "at");
    const TensorId cache = rows.new_tensor(ElementType::f16, {64, 8, 1, 1}, "cache");
    RopeParameters parameters;
    parameters.dims = 32;
    const TensorId turned = rows.rope(k, positions, {}, parameters);
    const TensorId stored = rows.set_rows(cache, rows.reshape(turned, {64, 1, 1, 1}), at);
    const TensorId again = rows.sqr(turned);
    expect_same(rows, {turned, stored, again}, {}, "rows");
}

TEST_F(VulkanFusion, KeepsOutputsAndResultsReadElsewhere) {
    for (const bool output : {false, true}) {
        GraphBuilder b("output");
        const TensorId x = b.new_tensor(ElementType::f32, {64, 2, 1, 1}, "x");
        const TensorId weight = b.new_tensor(ElementType::f32, {64, 1, 1, 1}, "weight");
        const TensorId normed = b.rms_norm(x, 1e-5F);
        if (output) b.add_flag(normed, TensorFlags::output);
        const TensorId out = b.mul(normed, weight);
        const TensorId other = output ? out : b.sqr(normed);
        expect_same(b, {normed, out, other}, {}, output ? "output" : "read");
    }
}

TEST_F(VulkanFusion, TimedNodesRunSeparatelyAndReportTheirFusion) {
    GraphBuilder b("timed");
    const TensorId x = b.new_tensor(ElementType::f32, {64, 2, 1, 1}, "x");
    const TensorId weight = b.new_tensor(ElementType::f32, {64, 1, 1, 1}, "weight");
    const TensorId normed = b.rms_norm(x, 1e-5F);
    const TensorId out = b.mul(normed, weight);
    b.expand(out);
    Placed placed(b.take(), vulkan_->device());
    placed.fill();
    VulkanBackend backend(vulkan_->device());
    if (!backend.time_nodes(true)) GTEST_SKIP() << "NOT RUN: the device has no clock";
    backend.compute(*placed.bound, placed.graph.nodes);
    EXPECT_EQ(backend.take_node_times().size(), 2U);
    const DeviceWork work = *backend.take_work();
    EXPECT_EQ(work.dispatches, 2U);
    ASSERT_EQ(work.fused.size(), 1U);
    EXPECT_EQ(work.fused[0], (std::vector{normed, out}));
}

TEST_F(VulkanFusion, RecordsAPlanOnceAndSubmitsItWithItsInputs) {
    GraphBuilder b("plan");
    const TensorId x = b.new_tensor(ElementType::f32, {64, 1, 1, 1}, "x");
    const TensorId y = b.new_tensor(ElementType::f32, {64, 1, 1, 1}, "y");
    const TensorId out = b.mul(b.rms_norm(x, 1e-5F), y);
    b.expand(out);
    Placed placed(b.take(), vulkan_->device());
    placed.fill();
    VulkanBackend backend(vulkan_->device());
    backend.keep_results(false);
    const auto plan = backend.create_plan(*placed.bound, placed.graph.nodes);
    backend.take_work();
    for (const float value : {1.0F, 2.0F, 3.0F}) {
        const std::vector<float> ones(64, 1.0F);
        const std::vector<float> values(64, value);
        ASSERT_TRUE(backend.upload(*placed.bound, x, std::as_bytes(std::span(ones))));
        ASSERT_TRUE(backend.upload(*placed.bound, y, std::as_bytes(std::span(values))));
        EXPECT_EQ(backend.compute_plan(*plan), Status::success);
        backend.synchronize();
        EXPECT_NEAR(placed.values_of(out)[63], value, 1e-4F);
        const DeviceWork work = *backend.take_work();
        EXPECT_EQ(work.submissions, 1U);
        EXPECT_EQ(work.dispatches, 1U);
    }
}

TEST_F(VulkanFusion, FaultInAPlanNamesItsPart) {
    GraphBuilder b("fault");
    const TensorId k = b.new_tensor(ElementType::f32, {64, 1, 1, 1}, "k");
    const TensorId v = b.new_tensor(ElementType::f32, {64, 1, 1, 1}, "v");
    const TensorId rows = b.new_tensor(ElementType::i64, {1, 1, 1, 1}, "rows");
    const TensorId wrong = b.new_tensor(ElementType::i64, {1, 1, 1, 1}, "wrong");
    const TensorId cache_k = b.new_tensor(ElementType::f16, {64, 8, 1, 1}, "cache_k");
    const TensorId cache_v = b.new_tensor(ElementType::f16, {64, 8, 1, 1}, "cache_v");
    const TensorId first = b.set_rows(cache_k, k, rows);
    const TensorId second = b.set_rows(cache_v, v, wrong);
    b.set_name(second, "wrongly stored");
    b.expand(first);
    b.expand(second);
    Placed placed(b.take(), vulkan_->device());
    placed.fill();
    const std::int64_t outside = 8;
    tensor_set({*placed.bound, wrong}, std::as_bytes(std::span(&outside, 1)));
    VulkanBackend backend(vulkan_->device());
    backend.keep_results(false);
    const auto plan = backend.create_plan(*placed.bound, placed.graph.nodes);
    EXPECT_EQ(backend.take_work()->dispatches, 0U);
    backend.compute_plan(*plan);
    EXPECT_EQ(backend.take_work()->dispatches, 1U);
    try {
        backend.synchronize();
        FAIL() << "went through";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::range);
        EXPECT_EQ(error.where(), "wrongly stored");
    }
}

TEST_F(VulkanFusion, ReportsExpertsThatDoNotExist) {
    const auto gated = [](GraphBuilder& b) {
        const TensorId x = columns_of_experts(b, 2);
        const TensorId ids = ids_of_experts(b, 2);
        const TensorId gate = build_biased(b, {}, x, ids)[0];
        b.set_name(gate, "of experts");
        return b.swiglu_oai(gate, build_biased(b, {}, x, ids)[0], 1.7F, 7.0F);
    };
    const auto biased = [](GraphBuilder& b) {
        const TensorId x = columns_of_experts(b, 2);
        const TensorId out = build_biased(b, {}, x, ids_of_experts(b, 2))[0];
        b.set_name(out, "of experts");
        return out;
    };
    const auto sum = [](GraphBuilder& b) {
        const TensorId out = build_sum(b, {.tokens = 2, .bias = true, .foreign_ids = true})[0];
        b.set_name(out, "of experts");
        return out;
    };
    // Far outside, reading would stop the program.
    constexpr std::array<std::int32_t, 4> kOutside = {16, -1, std::numeric_limits<std::int32_t>::min(),
                                                      std::numeric_limits<std::int32_t>::max()};
    const std::array<std::function<TensorId(GraphBuilder&)>, 3> cases = {gated, biased, sum};
    for (std::size_t i = 0; i < cases.size(); ++i) {
        GraphBuilder b("fault");
        b.expand(cases[i](b));
        Placed placed(b.take(), vulkan_->device());
        const auto& tensors = placed.graph.tensors;
        const auto found = std::ranges::find_if(
            tensors, [](const Tensor& t) { return t.name == "ids" || t.name == "foreign"; });
        ASSERT_NE(found, tensors.end());
        const TensorId ids(static_cast<std::size_t>(found - tensors.begin()));
        for (const auto& [variant, kernels] : kernel_variants(vulkan_->device().logical()->physical())) {
            if (kernels.halves) continue;
            for (const std::int32_t outside : kOutside) {
                const std::string what = std::to_string(i) + ", " + variant + ", " + std::to_string(outside);
                placed.fill();
                const std::array<std::int32_t, 8> chosen = {0, 1, 2, 3, 4, 5, outside, 7};
                tensor_set({*placed.bound, ids}, std::as_bytes(std::span(chosen)));
                VulkanBackend backend(vulkan_->device());
                backend.set_kernels(kernels);
                backend.keep_results(false);
                const auto plan = backend.create_plan(*placed.bound, placed.graph.nodes);
                backend.compute_plan(*plan);
                EXPECT_EQ(backend.take_work()->dispatches, 1U) << what;
                try {
                    backend.synchronize();
                    ADD_FAILURE() << "went through: " << what;
                } catch (const Error& error) {
                    EXPECT_EQ(error.kind(), ErrorKind::range) << what;
                    EXPECT_EQ(error.where(), "of experts") << what;
                }
            }
        }
    }
}

}  // namespace
}  // namespace splitscope
