// SPDX-License-Identifier: MIT
// Attention kernels: fused from nodes, with masked cells, and NaN.
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backends/interface/tensor_access.hpp"
#include "backends/vulkan/vulkan_backend.hpp"
#include "engine/tensor/graph_builder.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/quants/half.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/backends/vulkan/fusion_fixture.hpp"
#include "tests/backends/vulkan/kernel_variants.hpp"

namespace splitscope {
namespace {

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

}  // namespace
}  // namespace splitscope
