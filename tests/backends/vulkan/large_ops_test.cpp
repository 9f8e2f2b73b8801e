// SPDX-License-Identifier: MIT
// Products and attention large enough for the shaders of devices in software, against the CPU.
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backends/cpu/cpu_backend.hpp"
#include "backends/cpu/cpu_device.hpp"
#include "engine/execution/compare_nodes.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/backends/vulkan/vulkan_rig.hpp"

namespace splitscope {
namespace {

/// A graph of leafs with waves as values, and nodes, in the CPU's memory.
class Waves {
 public:
    TensorId leaf(ElementType type, Shape ne) {
        std::vector<float> values(static_cast<std::size_t>(ne[0] * ne[1] * ne[2] * ne[3]));
        const auto seed = static_cast<float>(graph_.tensors.size() + 1);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = std::sin(static_cast<float>(i % 100'003) * (0.37F + seed * 0.01F));
        return add(type, ne, Op::none, {}, std::move(values));
    }
    TensorId numbers(std::vector<std::int32_t> ids) {
        const TensorId id =
            add(ElementType::i32, {static_cast<std::int64_t>(ids.size()), 1, 1, 1}, Op::none, {}, {});
        numbers_ = std::move(ids);
        numbers_at_ = id;
        return id;
    }
    TensorId node(Op op, Shape ne, std::vector<TensorId> sources) {
        return add(ElementType::f32, ne, op, sources, {});
    }
    Tensor& operator[](TensorId id) { return graph_.tensors[id.index()]; }

    /// Computes all nodes on both and gives the NMSE of each that exceeds its tolerance.
    std::vector<std::string> differences(Backend& vulkan) {
        CpuDevice device;
        CpuBackend cpu(device);
        std::vector<TensorPlace> places(graph_.tensors.size());
        std::vector<std::unique_ptr<Buffer>> buffers;
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
                                                  static_cast<std::size_t>(t.nb[1])));
            }
            buffers.back()->write(0, bytes);
        }
        if (numbers_at_.valid()) buffers[numbers_at_.index()]->write(0, std::as_bytes(std::span(numbers_)));
        const BoundGraph bound(GraphView(graph_), places);
        std::vector<std::string> wrong;
        compare_nodes(cpu, bound, vulkan, cpu, {}, [&](const NodeComparison& node) {
            if (node.exceeds() || !node.support)
                wrong.push_back(graph_[node.tensor].name + ": " + std::to_string(node.nmse));
            return true;
        });
        return wrong;
    }

 private:
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

TEST_F(VulkanLargeOps, ProductsOfFewColumns) {
    Waves waves;
    const TensorId column = waves.leaf(ElementType::f32, {512, 2, 1, 1});
    for (const ElementType type :
         {ElementType::f32, ElementType::f16, ElementType::bf16, ElementType::q4_0, ElementType::q4_1,
          ElementType::q5_0, ElementType::q5_1, ElementType::q8_0, ElementType::iq4_nl, ElementType::q2_K,
          ElementType::q4_K, ElementType::q5_K, ElementType::q6_K})
        waves.node(Op::mul_mat, {70, 2, 1, 1}, {waves.leaf(type, {512, 70, 1, 1}), column});
    EXPECT_EQ(waves.differences(*backend_), std::vector<std::string>{});
}

TEST_F(VulkanLargeOps, ProductsOfManyColumns) {
    Waves waves;
    const TensorId columns = waves.leaf(ElementType::f32, {288, 77, 1, 2});
    waves.node(Op::mul_mat, {201, 77, 1, 2}, {waves.leaf(ElementType::q4_0, {288, 201, 1, 1}), columns});
    const TensorId odd = waves.leaf(ElementType::f32, {301, 77, 1, 2});
    waves.node(Op::mul_mat, {201, 77, 1, 2}, {waves.leaf(ElementType::f16, {301, 201, 1, 1}), odd});
    EXPECT_EQ(waves.differences(*backend_), std::vector<std::string>{});
}

TEST_F(VulkanLargeOps, ProductsWithChosenMatrices) {
    Waves waves;
    const TensorId ids = waves.numbers({2, 0, 1, 2, 1, 0});
    waves[ids].ne = {2, 3, 1, 1};
    waves[ids].nb = contiguous_strides(ElementType::i32, {2, 3, 1, 1});
    const TensorId columns = waves.leaf(ElementType::f32, {256, 1, 3, 1});
    waves.node(Op::mul_mat_id, {66, 2, 3, 1}, {waves.leaf(ElementType::q4_K, {256, 66, 3, 1}), columns, ids});
    EXPECT_EQ(waves.differences(*backend_), std::vector<std::string>{});
}

TEST_F(VulkanLargeOps, Attention) {
    for (const std::int64_t width : {32, 64, 128}) {
        Waves waves;
        const TensorId q = waves.leaf(ElementType::f32, {width, 9, 6, 1});
        const TensorId k = waves.leaf(width == 32 ? ElementType::f32 : ElementType::f16, {width, 43, 2, 1});
        const TensorId v = waves.leaf(ElementType::f16, {width, 43, 2, 1});
        const TensorId mask = waves.leaf(ElementType::f16, {43, 9, 1, 1});
        const TensorId node = waves.node(Op::flash_attn_ext, {width, 6, 9, 1}, {q, k, v, mask});
        const float scale = 0.2F;
        std::memcpy(waves[node].op_params.data(), &scale, sizeof(scale));
        EXPECT_EQ(waves.differences(*backend_), std::vector<std::string>{}) << width;
    }
}

}  // namespace
}  // namespace splitscope
