// SPDX-License-Identifier: MIT
#include "engine/execution/compare_nodes.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "backends/cpu/cpu_backend.hpp"
#include "backends/cpu/cpu_device.hpp"
#include "backends/interface/tensor_access.hpp"
#include "engine/execution/exact_product.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "tests/execution/host_backend.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

using test::GraphBuilder;
using testing::HostDevice;

TEST(CompareNodes, NamesTheNodeAtWhichABackendFails) {
    GraphBuilder b;
    const TensorId x = b.input("x", {4, 1, 1, 1});
    const TensorId sum = b.node("sum", Op::add, {x, x}, {4, 1, 1, 1});
    const TensorId product = b.node("product", Op::mul, {sum, x}, {4, 1, 1, 1});
    const std::shared_ptr<const Graph> graph = b.finish();
    testing::CallLog log;
    HostDevice cpu("CPU", DeviceKind::cpu, log);
    HostDevice gpu("GPU", DeviceKind::gpu, log);
    const auto host = cpu.new_backend();
    const auto tested = gpu.new_backend();
    const auto buffer = cpu.buffer_type().allocate(1024);
    std::vector<TensorPlace> places(graph->tensors.size());
    const BoundGraph bound(GraphView(*graph), places);
    for (const TensorId id : {x, sum, product})
        tensor_alloc({bound, id}, *buffer, std::uint64_t{id.index()} * 64);
    constexpr std::array<float, 4> kValues = {1, 2, 3, 4};
    tensor_set({bound, x}, std::as_bytes(std::span(kValues)));

    int calls = 0;
    gpu.on_compute = [&] {
        if (++calls == 2) throw Error(ErrorKind::state, Message::verbatim("it has ended"), "driver");
    };
    std::size_t compared = 0;
    const auto count = [&](const NodeComparison&) { return ++compared > 0; };
    try {
        compare_nodes(*host, bound, *tested, *host, {}, count, {});
        FAIL() << "the second node fails";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::state);
        EXPECT_EQ(std::string(error.what()), "product (MUL) on GPU: driver: it has ended");
    }
    EXPECT_EQ(compared, 1U);
}

constexpr std::int64_t kDepth = 32;

/// Computes MUL_MAT and MUL_MAT_ID of Q8_0 with exact activations, and everything else like the CPU.
class ExactDevice final : public Device {
 public:
    /// `error` is added to the first element of each product.
    explicit ExactDevice(float error = 0) : error_(error) {}
    const std::string& name() const override { return name_; }
    DeviceKind kind() const override { return DeviceKind::gpu; }
    BufferType& buffer_type() override { return cpu_.buffer_type(); }
    OpSupport supports_op(const OpQuery& query) const override { return cpu_.supports_op(query); }
    bool supports_buffer_type(const BufferType& type) const override {
        return cpu_.supports_buffer_type(type);
    }
    std::unique_ptr<Backend> new_backend() override;
    float error() const { return error_; }
    CpuDevice& cpu() { return cpu_; }

 private:
    float error_;
    std::string name_ = "Exact0";
    CpuDevice cpu_;
};

class ExactBackend final : public Backend {
 public:
    explicit ExactBackend(ExactDevice& device)
        : Backend(device), error_(device.error()), cpu_(device.cpu()) {}
    Guid guid() const override { return {8}; }
    Status compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) override {
        for (const TensorId node : nodes) {
            const bool product = graph[node].op == Op::mul_mat || graph[node].op == Op::mul_mat_id;
            if (product)
                multiply(graph, node);
            else
                cpu_.compute(graph, {&node, 1});
        }
        return Status::success;
    }

 private:
    void multiply(const BoundGraph& graph, TensorId node) const {
        const Sources& sources = graph.sources(node);
        const Tensor& w = graph[sources[0]];
        std::vector<float> weights(static_cast<std::size_t>(element_count(w)));
        dequantise(w.type, std::span(graph.host_data(sources[0]), byte_size(w)), weights);
        const auto* const x = reinterpret_cast<const float*>(graph.host_data(sources[1]));
        const auto* const ids =
            sources[2].valid() ? reinterpret_cast<const std::int32_t*>(graph.host_data(sources[2])) : nullptr;
        auto* out = reinterpret_cast<float*>(graph.host_data(node));
        const Tensor& t = graph[node];
        const std::int64_t slots = ids != nullptr ? t.ne[1] : 1;
        for (std::int64_t row = 0; row < t.ne[1] * t.ne[2]; ++row) {
            const float* const matrix = &weights[ids != nullptr ? ids[row] * w.ne[0] * w.ne[1] : 0];
            for (std::int64_t column = 0; column < t.ne[0]; ++column) {
                double sum = 0;
                for (std::int64_t i = 0; i < kDepth; ++i)
                    sum += double{matrix[column * kDepth + i]} * x[row / slots * kDepth + i];
                *out++ = static_cast<float>(sum) + (row == 0 && column == 0 ? error_ : 0.0F);
            }
        }
    }

    float error_;
    CpuBackend cpu_;
};

std::unique_ptr<Backend> ExactDevice::new_backend() {
    return std::make_unique<ExactBackend>(*this);
}

/// Products of activations that nearly cancel, so that rounding them to Q8_0 changes the results.
class CancellingProduct {
 public:
    explicit CancellingProduct(Op op) : host_(device_) {
        const bool experts = op == Op::mul_mat_id;
        const TensorId w = b_.leaf("w", {kDepth, 2, experts ? 2 : 1, 1});
        b_[w].type = ElementType::q8_0;
        b_[w].nb = contiguous_strides(b_[w].type, b_[w].ne);
        const TensorId x = b_.input("x", experts ? Shape{kDepth, 1, 3, 1} : Shape{kDepth, 3, 1, 1});
        TensorId ids;
        if (experts) {
            ids = b_.input("ids", {2, 3, 1, 1});
            b_[ids].type = ElementType::i32;
            node_ = b_.node("product", op, {w, x, ids}, {2, 2, 3, 1});
        } else {
            node_ = b_.node("product", op, {w, x}, {2, 3, 1, 1});
        }
        graph_ = b_.finish();
        places_.resize(graph_->tensors.size());
        bound_ = std::make_unique<BoundGraph>(GraphView(*graph_), places_);
        buffer_ = device_.buffer_type().allocate(8192);
        for (std::size_t i = 0; i < places_.size(); ++i)
            tensor_alloc({*bound_, TensorId(i)}, *buffer_, std::uint64_t{i} * 1024);
        std::vector<float> weights(static_cast<std::size_t>(element_count((*graph_)[w])));
        for (std::size_t i = 0; i < weights.size(); ++i)
            weights[i] = (i % 2 == 0 ? 1.0F : -1.0F) * (1.0F + static_cast<float>(i / kDepth));
        std::vector<std::byte> blocks(byte_size((*graph_)[w]));
        quantise(ElementType::q8_0, weights, blocks);
        tensor_set({*bound_, w}, blocks);
        std::vector<float> values(3 * kDepth);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = (i % 2 == 0 ? 1.003F : 1.0F) * (1.0F + static_cast<float>(i / kDepth));
        tensor_set({*bound_, x}, std::as_bytes(std::span(values)));
        constexpr std::array<std::int32_t, 6> kIds = {0, 1, 1, 0, 1, 0};
        if (experts) tensor_set({*bound_, ids}, std::as_bytes(std::span(kIds)));
    }

    NodeComparison compare(Backend& tested, const NodeComparisonOptions& options = {}) {
        NodeComparison found;
        const auto keep = [&](const NodeComparison& node) {
            found = node;
            return true;
        };
        compare_nodes(host_, *bound_, tested, host_, options, keep);
        return found;
    }

    /// Of a result of zeros.
    double exact_nmse(const JobContext& job) const {
        const std::vector<std::byte> zeros(byte_size((*graph_)[node_]));
        return exact_product_errors(*bound_, node_, zeros, zeros, job).value().tested;
    }

 private:
    GraphBuilder b_;
    CpuDevice device_;
    CpuBackend host_;
    TensorId node_;
    std::shared_ptr<const Graph> graph_;
    std::vector<TensorPlace> places_;
    std::unique_ptr<BoundGraph> bound_;
    std::unique_ptr<Buffer> buffer_;
};

TEST(CompareNodes, AcceptsAnExactProductThatTheReferenceRounds) {
    for (const Op op : {Op::mul_mat, Op::mul_mat_id}) {
        SCOPED_TRACE(name_of(op));
        ExactDevice device;
        const auto tested = device.new_backend();
        const NodeComparison node = CancellingProduct(op).compare(*tested);
        EXPECT_FALSE(node.nmse <= node.tolerance) << node.nmse;
        ASSERT_TRUE(node.exact);
        EXPECT_LT(node.exact->tested, 1e-10);
        EXPECT_GT(node.exact->reference, node.tolerance);
        EXPECT_FALSE(node.exceeds());
        EXPECT_TRUE(node.reference_rounds());
    }
}

TEST(CompareNodes, FindsAWrongProductThatTheReferenceRounds) {
    for (const Op op : {Op::mul_mat, Op::mul_mat_id}) {
        SCOPED_TRACE(name_of(op));
        ExactDevice device(0.5F);
        const auto tested = device.new_backend();
        const NodeComparison node = CancellingProduct(op).compare(*tested);
        ASSERT_TRUE(node.exact);
        EXPECT_GT(node.exact->tested, node.tolerance);
        EXPECT_TRUE(node.exceeds());
        EXPECT_FALSE(node.reference_rounds());
    }
    ExactDevice device(NAN);
    const auto tested = device.new_backend();
    EXPECT_TRUE(CancellingProduct(Op::mul_mat).compare(*tested).exceeds());
}

/// A product with so many elements that a wrong one hardly changes the NMSE.
NodeComparison compare_large_product(Backend& tested) {
    constexpr std::int64_t kColumns = 64;
    GraphBuilder b;
    const TensorId w = b.leaf("w", {kDepth, kColumns, 1, 1});
    b[w].type = ElementType::q8_0;
    b[w].nb = contiguous_strides(b[w].type, b[w].ne);
    const TensorId x = b.input("x", {kDepth, kColumns, 1, 1});
    b.node("product", Op::mul_mat, {w, x}, {kColumns, kColumns, 1, 1});
    const auto graph = b.finish();
    std::vector<TensorPlace> places(graph->tensors.size());
    const BoundGraph bound(GraphView(*graph), places);
    CpuDevice device;
    CpuBackend host(device);
    constexpr std::uint64_t kApart = 1 << 16;
    const auto buffer = device.buffer_type().allocate(4 * kApart);
    for (std::size_t i = 0; i < places.size(); ++i)
        tensor_alloc({bound, TensorId(i)}, *buffer, std::uint64_t{i} * kApart);
    std::vector<float> values(kDepth * kColumns);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 7919 % 101) / 50 - 1;
    std::vector<std::byte> blocks(byte_size((*graph)[w]));
    quantise(ElementType::q8_0, values, blocks);
    tensor_set({bound, w}, blocks);
    std::ranges::reverse(values);
    tensor_set({bound, x}, std::as_bytes(std::span(values)));
    NodeComparison found;
    const auto keep = [&](const NodeComparison& node) {
        found = node;
        return true;
    };
    compare_nodes(host, bound, tested, host, {}, keep);
    return found;
}

TEST(CompareNodes, FindsAWrongElementThatTheToleranceHides) {
    ExactDevice right;
    const NodeComparison fine = compare_large_product(*right.new_backend());
    EXPECT_GT(fine.differing, 0);
    EXPECT_FALSE(fine.exceeds());
    constexpr float kError = 3;
    ExactDevice wrong(kError);
    const NodeComparison node = compare_large_product(*wrong.new_backend());
    EXPECT_LE(node.nmse, node.tolerance);
    EXPECT_TRUE(node.exceeds());
    ASSERT_TRUE(node.wrong_element);
    EXPECT_EQ(node.wrong_element->at, 0);
    EXPECT_NEAR(node.wrong_element->tested - node.wrong_element->exact, kError, 1e-4);
}

TEST(CompareNodes, ComputesNoExactProductWithinTheTolerance) {
    ExactDevice device;
    NodeComparisonOptions options;
    options.tolerance = INFINITY;
    const NodeComparison node = CancellingProduct(Op::mul_mat).compare(*device.new_backend(), options);
    EXPECT_FALSE(node.exact);
    EXPECT_FALSE(node.exceeds());
    EXPECT_FALSE(node.reference_rounds());
}

TEST(CompareNodes, StopsWithinAnExactProduct) {
    const CancellingProduct product(Op::mul_mat);
    EXPECT_EQ(product.exact_nmse({}), 1.0);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)product.exact_nmse(JobContext(stop.get_token())), Cancelled);
}

}  // namespace
}  // namespace splitscope
