// SPDX-License-Identifier: MIT
// Graphs with waves as values, computed on a Vulkan device and on the CPU.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "backends/cpu/cpu_backend.hpp"
#include "backends/cpu/cpu_device.hpp"
#include "backends/interface/tensor_access.hpp"
#include "backends/vulkan/op_table.hpp"
#include "backends/vulkan/vulkan_backend.hpp"
#include "engine/execution/compare_nodes.hpp"
#include "engine/execution/graph_copy.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/backends/vulkan/kernel_variants.hpp"
#include "tests/backends/vulkan/vulkan_rig.hpp"

namespace splitscope {

/// A graph of leafs with waves as values, and nodes, in the CPU's memory.
class Waves {
 public:
    TensorId leaf(ElementType type, Shape ne, float offset = 0, float scale = 1) {
        std::vector<float> values(static_cast<std::size_t>(ne[0] * ne[1] * ne[2] * ne[3]));
        const auto seed = static_cast<float>(graph_.tensors.size() + 1);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = offset + scale * std::sin(static_cast<float>(i % 100'003) * (0.37F + seed * 0.01F));
        return add(type, ne, Op::none, {}, std::move(values));
    }
    TensorId numbers(std::vector<std::int32_t> ids) {
        const TensorId id =
            add(ElementType::i32, {static_cast<std::int64_t>(ids.size()), 1, 1, 1}, Op::none, {}, {});
        numbers_ = std::move(ids);
        numbers_at_ = id;
        return id;
    }
    /// For MUL_MAT_ID: each token chooses expert 1 in all its slots.
    TensorId ids_of_one_expert(std::int64_t slots, std::int64_t tokens) {
        const TensorId ids = numbers(std::vector<std::int32_t>(static_cast<std::size_t>(slots * tokens), 1));
        graph_[ids].ne = {slots, tokens, 1, 1};
        graph_[ids].nb = contiguous_strides(ElementType::i32, {slots, tokens, 1, 1});
        return ids;
    }
    /// Replaces row `row` of each plane of a leaf by NaN.
    void spoil_row(TensorId id, std::int64_t row) {
        const Tensor& t = graph_[id];
        for (std::int64_t at = row; at < row_count(t); at += t.ne[1])
            std::fill_n(values_[id.index()].begin() + at * t.ne[0], t.ne[0],
                        std::numeric_limits<float>::quiet_NaN());
    }
    /// Replaces one element of a leaf by NaN.
    void spoil(TensorId id, std::size_t element) {
        values_[id.index()][element] = std::numeric_limits<float>::quiet_NaN();
    }
    /// Of a causal prompt at the end of the cache, with cells that no query sees.
    TensorId mask(std::int64_t keys, std::int64_t queries, const std::vector<std::int64_t>& masked = {}) {
        constexpr float kMasked = -std::numeric_limits<float>::infinity();
        std::vector<float> values;
        for (std::int64_t query = 0; query < queries; ++query) {
            for (std::int64_t key = 0; key < keys; ++key)
                values.push_back(key <= keys - queries + query ? 0.01F * static_cast<float>(key % 7)
                                                               : kMasked);
            for (const std::int64_t key : masked)
                values[static_cast<std::size_t>(query * keys + key)] = kMasked;
        }
        return add(ElementType::f16, {keys, queries, 1, 1}, Op::none, {}, std::move(values));
    }
    TensorId node(Op op, Shape ne, std::vector<TensorId> sources) {
        return add(ElementType::f32, ne, op, sources, {});
    }
    Tensor& operator[](TensorId id) { return graph_.tensors[id.index()]; }

    /// The shader of the last pass of each node.
    std::vector<std::string_view> shaders(const vulkan::KernelTraits& traits) const {
        std::vector<std::string_view> names;
        const GraphView view(graph_);
        for (const TensorId id : graph_.nodes) {
            std::vector<vulkan::Pass> passes;
            vulkan::find_op(graph_[id].op)->plan({view, id, traits}, passes);
            names.push_back(passes.back().shader);
        }
        return names;
    }
    /// Computes all nodes on both and gives the NMSE of each that exceeds its tolerance.
    std::vector<std::string> differences(Backend& vulkan) const {
        const Placed placed = place();
        std::vector<std::string> wrong;
        compare_nodes(*placed.cpu, *placed.bound, vulkan, *placed.cpu, {}, [&](const NodeComparison& node) {
            if (node.exceeds() || !node.support)
                wrong.push_back(graph_[node.tensor].name + ": " + std::to_string(node.nmse));
            return true;
        });
        return wrong;
    }
    /// Computes all nodes on both and names those of which other elements are NaN, with the first of these.
    std::vector<std::string> misplaced_nans(Backend& vulkan) const {
        const Placed placed = place();
        const GraphCopy copy(*placed.bound, vulkan);
        placed.cpu->compute(*placed.bound, graph_.nodes);
        std::vector<std::string> wrong;
        for (const TensorId node : graph_.nodes) {
            const TensorId copied = copy.copy_of(node);
            if (!vulkan.supports_op({copy.graph().view(), copied})) {
                wrong.push_back(graph_[node].name + ": refused");
                continue;
            }
            vulkan.compute(copy.graph(), {&copied, 1});
            const auto count = static_cast<std::size_t>(element_count(graph_[node]));
            std::vector<float> expected(count);
            std::vector<float> values(count);
            tensor_get({*placed.bound, node}, std::as_writable_bytes(std::span(expected)));
            tensor_get({copy.graph(), copied}, std::as_writable_bytes(std::span(values)));
            for (std::size_t i = 0; i < count; ++i) {
                if (std::isnan(expected[i]) == std::isnan(values[i])) continue;
                wrong.push_back(graph_[node].name + ": " + std::to_string(i));
                break;
            }
        }
        return wrong;
    }

 private:
    struct Placed {
        std::unique_ptr<CpuDevice> device;
        std::unique_ptr<CpuBackend> cpu;
        std::vector<std::unique_ptr<Buffer>> buffers;
        std::vector<TensorPlace> places;
        std::unique_ptr<BoundGraph> bound;
    };

    /// The graph in the CPU's memory, with its leafs set.
    Placed place() const {
        Placed placed;
        placed.device = std::make_unique<CpuDevice>();
        placed.cpu = std::make_unique<CpuBackend>(*placed.device);
        CpuDevice& device = *placed.device;
        auto& places = placed.places;
        auto& buffers = placed.buffers;
        places.resize(graph_.tensors.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            const Tensor& t = graph_.tensors[i];
            buffers.push_back(device.buffer_type().allocate(byte_size(t)));
            places[i] = {buffers.back().get(), 0, true};
            if (values_[i].empty()) continue;
            std::vector<std::byte> bytes(byte_size(t));
            for (std::int64_t row = 0; row < row_count(t); ++row) {
                const auto at = static_cast<std::size_t>(row * t.ne[0]);
                quantise(t.type, std::span(values_[i]).subspan(at, static_cast<std::size_t>(t.ne[0])),
                         std::span(bytes).subspan(static_cast<std::size_t>(row * t.nb[1]),
                                                  static_cast<std::size_t>(row_bytes(t.type, t.ne[0]))));
            }
            buffers.back()->write(0, bytes);
        }
        if (numbers_at_.valid()) buffers[numbers_at_.index()]->write(0, std::as_bytes(std::span(numbers_)));
        placed.bound = std::make_unique<BoundGraph>(GraphView(graph_), places);
        return placed;
    }
    TensorId add(ElementType type, Shape ne, Op op, const std::vector<TensorId>& sources,
                 std::vector<float> values) {
        Tensor t;
        t.name = std::string(name_of(op)) + " of " + std::string(name_of(type)) + " " +
                 std::to_string(graph_.tensors.size());
        t.type = type;
        t.ne = ne;
        t.nb = contiguous_strides(type, ne);
        t.op = op;
        for (std::size_t i = 0; i < sources.size(); ++i) t.src[i] = sources[i];
        const TensorId id(graph_.tensors.size());
        graph_.tensors.push_back(t);
        if (op != Op::none) graph_.nodes.push_back(id);
        values_.push_back(std::move(values));
        return id;
    }

    Graph graph_;
    std::vector<std::vector<float>> values_;
    std::vector<std::int32_t> numbers_;
    TensorId numbers_at_;
};

class VulkanLargeOps : public testing::Test {
 protected:
    void SetUp() override {
        rig_ = make_vulkan_rig(false);
        if (!rig_.why_not.empty()) GTEST_SKIP() << rig_.why_not;
        backend_ = rig_.device().new_backend();
    }
    void TearDown() override {
        if (rig_.kind != nullptr) {
            EXPECT_EQ(rig_.messages(), "");
        }
    }
    VulkanRig rig_;
    std::unique_ptr<Backend> backend_;
};

/// The kernels that other devices choose, with results that do not fill their tiles.
class VulkanVariants : public VulkanLargeOps {
 protected:
    static bool any(const vulkan::KernelTraits&) { return true; }
    /// `make` adds the nodes. Returns the number of variants that suit.
    template <class Make>
    int expect_same(Make make, bool (*suits)(const vulkan::KernelTraits&) = any) {
        int count = 0;
        for (const KernelVariant& variant : kernel_variants(rig_.device().logical()->physical())) {
            if (!suits(variant.traits)) continue;
            VulkanBackend backend(rig_.device());
            backend.set_kernels(variant.traits);
            Waves waves;
            make(waves);
            EXPECT_EQ(waves.differences(backend), std::vector<std::string>{}) << variant.name;
            ++count;
        }
        return count;
    }
};

}  // namespace splitscope
