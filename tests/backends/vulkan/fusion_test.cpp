// SPDX-License-Identifier: MIT
// Nodes that one kernel computes: the same results as one by one, for every variant of the kernels, and only
// where memory allows it.
#include <array>
#include <cmath>
#include <cstdint>
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
    EXPECT_EQ(work.fused[0].nodes, (std::vector{normed, out}));
    // The normed values stay within the kernel.
    const std::uint64_t row = 64 * sizeof(float);
    EXPECT_EQ(work.fused[0].touched_bytes, 2 * row + row + 2 * row);
    EXPECT_EQ(work.touched_bytes, (2 + 2) * row + (2 + 1 + 2) * row);
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

}  // namespace
}  // namespace splitscope
