// SPDX-License-Identifier: MIT
#include "engine/execution/graph_copy.hpp"

#include <gtest/gtest.h>

#include "backends/interface/tensor_access.hpp"
#include "engine/parity/graph_comparison.hpp"
#include "engine/support/error.hpp"
#include "tests/backends/interface/memory_device.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

using test::AddingDevice;
using test::GraphBuilder;

/// x + y, a view of it, and the view doubled; all in memory of `device`.
class Computable {
 public:
    explicit Computable(AddingDevice& device) {
        x = b_.input("x", {4, 1, 1, 1});
        y = b_.leaf("y", {4, 1, 1, 1});
        unused = b_.leaf("unused", {4, 1, 1, 1});
        sum = b_.node("sum", Op::add, {x, y}, {4, 1, 1, 1});
        view = b_.view("view", Op::reshape, sum, {2, 2, 1, 1});
        twice = b_.node("twice", Op::scale, {view}, {2, 2, 1, 1});
        graph_ = b_.finish();
        places_.resize(graph_->tensors.size());
        bound = std::make_unique<BoundGraph>(GraphView(*graph_), places_);
        buffer_ = device.buffer_type().allocate(1024);
        std::uint64_t offset = 0;
        for (std::size_t i = 0; i < places_.size(); ++i, offset += 32) {
            const BoundTensor t{*bound, TensorId(i)};
            if (t.tensor().is_view()) {
                view_init(t);
            } else {
                tensor_alloc(t, *buffer_, offset);
            }
        }
        set(x, {1, 2, 3, 4});
        set(y, {10, 20, 30, 40});
    }
    void set(TensorId id, std::array<float, 4> values) {
        tensor_set({*bound, id}, std::as_bytes(std::span(values)));
    }
    void forget(TensorId id) { places_[id.index()] = {}; }

    TensorId x, y, unused, sum, view, twice;
    std::unique_ptr<BoundGraph> bound;

 private:
    GraphBuilder b_;
    std::shared_ptr<const Graph> graph_;
    std::vector<TensorPlace> places_;
    std::unique_ptr<Buffer> buffer_;
};

std::array<float, 4> values(const BoundTensor& t) {
    std::array<float, 4> all{};
    tensor_get(t, std::as_writable_bytes(std::span(all)));
    return all;
}

TEST(GraphCopyTest, CopiesNodesTheirSourcesAndData) {
    AddingDevice cpu("CPU");
    AddingDevice gpu("GPU", DeviceKind::gpu);
    Computable c(cpu);
    const auto backend = gpu.new_backend();
    for (const Generation generation : kGenerations) {
        const GraphCopy copy(*c.bound, *backend, generation);
        ASSERT_EQ(copy.nodes().size(), 3u);
        EXPECT_FALSE(copy.copy_of(c.unused).valid()) << "nothing reads it";
        const BoundTensor x{copy.graph(), copy.copy_of(c.x)};
        EXPECT_EQ(values(x), (std::array<float, 4>{1, 2, 3, 4}));
        EXPECT_EQ(x.tensor().is_input(), generation == Generation::g2026_08) << "flags are copied since then";
        EXPECT_EQ(x.tensor().name, "x");
        EXPECT_EQ(copy.graph()[copy.copy_of(c.view)].view_src, copy.copy_of(c.sum));
        EXPECT_EQ(copy.graph().view().leafs().size(), 0u);
    }
}

TEST(GraphCopyTest, RequiresDataAndMemory) {
    AddingDevice cpu("CPU");
    Computable c(cpu);
    const auto backend = cpu.new_backend();
    c.forget(c.y);
    EXPECT_THROW(GraphCopy(*c.bound, *backend), Error);
}

TEST(CompareBackends, ReportsEveryPairWithAccumulatedErrors) {
    AddingDevice cpu("CPU");
    AddingDevice wrong("GPU", DeviceKind::gpu, 0.5f);
    Computable c(cpu);
    const auto first = cpu.new_backend();
    const auto second = wrong.new_backend();
    std::vector<std::size_t> shown;
    std::vector<float> errors;
    const auto callback = [&](std::size_t node, const BoundTensor& a, const BoundTensor& b) {
        shown.push_back(node);
        errors.push_back(values(b)[0] - values(a)[0]);
        return true;
    };
    EXPECT_TRUE(compare_backends(*first, *second, *c.bound, callback));
    EXPECT_EQ(shown, (std::vector<std::size_t>{0, 2})) << "views are not shown";
    EXPECT_EQ(errors, (std::vector{0.5f, 1.5f}));

    int calls = 0;
    EXPECT_TRUE(compare_backends(*first, *second, *c.bound, [&](auto...) { return ++calls > 1; }));
    EXPECT_EQ(calls, 1) << "false ends it";

    shown.clear();
    const std::array wanted = {c.twice};
    EXPECT_TRUE(compare_backends_at(*first, *second, *c.bound, wanted, callback));
    EXPECT_EQ(shown, std::vector<std::size_t>{2});
    const std::array unknown = {c.x};
    EXPECT_THROW(compare_backends_at(*first, *second, *c.bound, unknown, callback), Error);

    wrong.buffer_type().fails = true;
    EXPECT_FALSE(compare_backends(*first, *second, *c.bound, callback)) << "no memory for the copy";
}

}  // namespace
}  // namespace splitscope
