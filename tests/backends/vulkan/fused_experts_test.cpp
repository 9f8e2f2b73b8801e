// SPDX-License-Identifier: MIT
// Kernels of mixtures of experts that compute several nodes: products with biases, routers, weighted sums.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "backends/interface/tensor_access.hpp"
#include "backends/vulkan/vulkan_backend.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/graph_builder.hpp"
#include "tests/backends/vulkan/fusion_fixture.hpp"
#include "tests/backends/vulkan/kernel_variants.hpp"

namespace splitscope {
namespace {

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
