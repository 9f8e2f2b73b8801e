// SPDX-License-Identifier: MIT
// A graph on a Vulkan device, computed node by node and with fused kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "backends/interface/tensor_access.hpp"
#include "backends/vulkan/vulkan_backend.hpp"
#include "engine/tensor/graph_builder.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/backends/vulkan/kernel_variants.hpp"
#include "tests/backends/vulkan/vulkan_faults.hpp"

namespace splitscope {

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

inline double nmse(const std::vector<float>& a, const std::vector<float>& b) {
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
            for (const FusedKernel& kernel : work.fused) counts.push_back(kernel.nodes.size());
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

}  // namespace splitscope
