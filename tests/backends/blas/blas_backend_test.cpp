// SPDX-License-Identifier: MIT
// OpenBLAS against the CPU backend; supported operations.
#include "backends/blas/blas_backend.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "backends/blas/blas_support.hpp"
#include "backends/cpu/cpu_backend.hpp"
#include "backends/interface/tensor_access.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// A graph of two random sources and one node, in CPU memory.
struct Product {
    Product(CpuDevice& device, Op op, ElementType type, Shape a, Shape b, Shape out)
        : bound(GraphView(graph), places) {
        add(device, type, a);
        add(device, ElementType::f32, b);
        add(device, ElementType::f32, out);
        graph.tensors[2].op = op;
        graph.tensors[2].src = {TensorId(0), TensorId(1)};
        graph.nodes = {TensorId(2)};
        bound = BoundGraph(GraphView(graph), places);
        for (const std::size_t i : {0U, 1U}) fill(TensorId(i));
    }

    std::vector<float> compute(Backend& backend) {
        EXPECT_EQ(backend.compute(bound, graph.nodes), Status::success);
        std::vector<float> values(static_cast<std::size_t>(element_count(graph.tensors[2])));
        tensor_get({bound, TensorId(2)}, std::as_writable_bytes(std::span(values)));
        return values;
    }
    OpSupport support() const { return blas_supports(OpQuery{GraphView(graph), TensorId(2)}); }

    Graph graph;
    std::vector<std::unique_ptr<Buffer>> buffers;
    std::vector<TensorPlace> places;
    BoundGraph bound;

 private:
    void add(CpuDevice& device, ElementType type, Shape ne) {
        Tensor t;
        t.name = "t" + std::to_string(graph.tensors.size());
        t.type = type;
        t.ne = ne;
        t.nb = contiguous_strides(type, ne);
        graph.tensors.push_back(t);
        buffers.push_back(device.buffer_type().allocate(byte_size(t)));
        places.push_back({buffers.back().get(), 0, true});
    }
    void fill(TensorId id) {
        std::mt19937 random(static_cast<unsigned>(id.index()) + 1);
        std::normal_distribution<float> normal;
        const Tensor& t = graph.tensors[id.index()];
        std::vector<float> values(static_cast<std::size_t>(element_count(t)));
        for (float& v : values) v = normal(random);
        std::vector<std::byte> bytes(byte_size(t));
        quantise(t.type, values, bytes);
        tensor_set({bound, id}, bytes);
    }
};

double nmse(const std::vector<float>& a, const std::vector<float>& b) {
    double error = 0;
    double power = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        error += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
        power += std::pow(static_cast<double>(b[i]), 2);
    }
    return error / power;
}

class BlasBackendTest : public ::testing::Test {
 protected:
    CpuDevice cpu_device;
    BlasDevice device{cpu_device};
    CpuBackend cpu{cpu_device};
    BlasBackend blas{device};
};

TEST_F(BlasBackendTest, SharesCpuMemory) {
    EXPECT_EQ(blas.name(), "BLAS");
    EXPECT_EQ(device.kind(), DeviceKind::accel);
    EXPECT_EQ(&blas.default_buffer_type(), &cpu.default_buffer_type());
    EXPECT_TRUE(blas.supports_buffer_type(cpu_device.mapped_buffer_type()));
    EXPECT_NE(device.description().find("OpenBLAS"), std::string::npos);
}

TEST_F(BlasBackendTest, MultipliesLikeTheCpu) {
    struct Case {
        ElementType type;
        double limit;
    };
    // The CPU rounds activations to the precision of the weights; the library does not.
    for (const auto& [type, limit] :
         {Case{ElementType::f32, 1e-12}, Case{ElementType::f16, 1e-6}, Case{ElementType::bf16, 1e-4},
          Case{ElementType::q8_0, 1e-4}, Case{ElementType::q4_0, 1e-4}, Case{ElementType::q4_K, 1e-4}}) {
        Product p(cpu_device, Op::mul_mat, type, {256, 96, 2, 1}, {256, 40, 4, 3}, {96, 40, 4, 3});
        ASSERT_TRUE(p.support()) << traits_of(type).name;
        const auto expected = p.compute(cpu);
        EXPECT_LT(nmse(p.compute(blas), expected), limit) << traits_of(type).name;
    }
}

TEST_F(BlasBackendTest, ExpandsWeightsOnPoolThreads) {
    Product p(cpu_device, Op::mul_mat, ElementType::q8_0, {256, 96, 1, 1}, {256, 40, 1, 1}, {96, 40, 1, 1});
    const auto expected = p.compute(blas);
    blas.set_thread_pool(std::make_shared<ThreadPool>(3));
    EXPECT_LT(nmse(p.compute(blas), expected), 1e-12);
}

TEST_F(BlasBackendTest, ComputesOuterProducts) {
    Product p(cpu_device, Op::out_prod, ElementType::f32, {48, 64, 1, 1}, {36, 64, 1, 1}, {48, 36, 1, 1});
    ASSERT_TRUE(p.support());
    const auto expected = p.compute(cpu);
    EXPECT_LT(nmse(p.compute(blas), expected), 1e-12);
}

TEST_F(BlasBackendTest, TakesLargeContiguousProductsOnly) {
    const auto rule = [&](Op op, Shape a, Shape b, Shape out) {
        return Product(cpu_device, op, ElementType::f32, a, b, out).support().rule;
    };
    EXPECT_EQ(rule(Op::mul_mat, {32, 32, 1, 1}, {32, 32, 1, 1}, {32, 32, 1, 1}), RefusalRule::none);
    EXPECT_EQ(rule(Op::mul_mat, {31, 32, 1, 1}, {31, 32, 1, 1}, {32, 32, 1, 1}), RefusalRule::limit);
    EXPECT_EQ(rule(Op::mul_mat, {32, 31, 1, 1}, {32, 32, 1, 1}, {31, 32, 1, 1}), RefusalRule::limit);
    EXPECT_EQ(rule(Op::mul_mat, {32, 32, 1, 1}, {32, 31, 1, 1}, {32, 31, 1, 1}), RefusalRule::limit);
    EXPECT_EQ(rule(Op::add, {32, 32, 1, 1}, {32, 32, 1, 1}, {32, 32, 1, 1}), RefusalRule::op);
    Product strided(cpu_device, Op::mul_mat, ElementType::f32, {32, 32, 1, 1}, {32, 32, 1, 1},
                    {32, 32, 1, 1});
    strided.graph.tensors[1].nb[1] *= 2;
    EXPECT_EQ(strided.support().rule, RefusalRule::layout);
    EXPECT_EQ(strided.support().culprit, TensorId(1));
}

TEST_F(BlasBackendTest, RefusesUnsupportedOperations) {
    Product p(cpu_device, Op::add, ElementType::f32, {32, 32, 1, 1}, {32, 32, 1, 1}, {32, 32, 1, 1});
    EXPECT_THROW(blas.compute(p.bound, p.graph.nodes), Error);
}

TEST_F(BlasBackendTest, StopsBetweenNodes) {
    Product p(cpu_device, Op::mul_mat, ElementType::f32, {32, 32, 1, 1}, {32, 32, 1, 1}, {32, 32, 1, 1});
    blas.set_abort_callback([] { return true; });
    EXPECT_EQ(blas.compute(p.bound, p.graph.nodes), Status::aborted);
}

/// The library cannot be interrupted, so large products are passed in pieces.
TEST_F(BlasBackendTest, StopsWithinAProduct) {
    for (const Op op : {Op::mul_mat, Op::out_prod}) {
        Product p = op == Op::mul_mat ? Product(cpu_device, op, ElementType::f32, {1024, 4096, 1, 1},
                                                {1024, 1024, 1, 1}, {4096, 1024, 1, 1})
                                      : Product(cpu_device, op, ElementType::f32, {4096, 1024, 1, 1},
                                                {1024, 1024, 1, 1}, {4096, 1024, 1, 1});
        int asked = 0;
        blas.set_abort_callback([&] { return ++asked == 3; });
        EXPECT_EQ(blas.compute(p.bound, p.graph.nodes), Status::aborted);
        EXPECT_EQ(asked, 3);
        blas.set_abort_callback([&] { return ++asked, false; });
        asked = 0;
        EXPECT_EQ(blas.compute(p.bound, p.graph.nodes), Status::success);
        EXPECT_GT(asked, 4) << "four pieces, and once behind the node";
    }
}

}  // namespace
}  // namespace splitscope
