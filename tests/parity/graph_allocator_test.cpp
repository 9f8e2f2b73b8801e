// SPDX-License-Identifier: MIT
#include "engine/parity/graph_allocator.hpp"

#include <gtest/gtest.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/support/error.hpp"
#include "tests/generator/graph_builder.hpp"
#include "tests/support/generation_cases.hpp"

namespace splitscope {
namespace {

using test::GraphBuilder;

std::shared_ptr<const Graph> chain(std::int64_t elements, std::size_t nodes = 2) {
    GraphBuilder b;
    TensorId last = b.input("x", {elements, 1, 1, 1});
    for (std::size_t i = 0; i < nodes; ++i)
        last = b.node("n", Op::mul_mat, {last, last}, {elements, 1, 1, 1});
    return b.finish();
}

class GraphAllocatorTest : public testing::TestWithParam<Generation> {
 protected:
    const AllocationPolicy& policy() const { return allocation_policy(GetParam()); }
    SimulatedMachine simulated_{std::make_shared<const Machine>(test::simple_machine(1))};
    BufferType* gpu_ = simulated_.live().buffer_types[0];
    BufferType* cpu_ = simulated_.live().buffer_types[1];
};

TEST_P(GraphAllocatorTest, ReservesImplicitlyForOneType) {
    GraphAllocator allocator(policy(), {cpu_});
    const auto large = chain(64);
    const auto small = chain(16);
    const auto longer = chain(16, 3);
    EXPECT_TRUE(allocator.needs_reserve({.graph = GraphView(*large)}));
    ASSERT_TRUE(allocator.allocate({.graph = GraphView(*large)}));
    const std::uint64_t size = allocator.buffer_size(0);
    EXPECT_GT(size, 0u);
    const auto offset = allocator.plan().places[2]->offset;
    EXPECT_FALSE(allocator.plan().events.empty());

    EXPECT_FALSE(allocator.needs_reserve({.graph = GraphView(*small)}));
    ASSERT_TRUE(allocator.allocate({.graph = GraphView(*small)}));
    EXPECT_EQ(allocator.plan().places[2]->offset, offset) << "the place of the same position";
    EXPECT_TRUE(allocator.plan().events.empty()) << "nothing was planned for this graph";

    EXPECT_TRUE(allocator.needs_reserve({.graph = GraphView(*longer)})) << "another number of nodes";
    ASSERT_TRUE(allocator.allocate({.graph = GraphView(*longer)}));
    EXPECT_EQ(allocator.buffer_size(0), size) << "buffers never shrink";
}

TEST_P(GraphAllocatorTest, RequiresReservingForSeveralTypes) {
    GraphAllocator allocator(policy(), {gpu_, cpu_});
    const auto graph = chain(64);
    const std::vector<BufferPosition> on_cpu(2, BufferPosition(std::size_t{1}));
    AllocationRequest request{.graph = GraphView(*graph)};
    request.node_positions = on_cpu;
    request.leaf_positions = on_cpu;
    EXPECT_FALSE(allocator.allocate(request));
    ASSERT_TRUE(allocator.reserve(request));
    ASSERT_TRUE(allocator.allocate(request));
    EXPECT_EQ(allocator.buffer_size(0), 0u);
    EXPECT_GT(allocator.buffer_size(1), 0u);
    EXPECT_EQ(allocator.buffer(1, 0)->usage(), BufferUsage::compute);
    EXPECT_THROW(allocator.buffer_size(2), Error);
}

TEST_P(GraphAllocatorTest, CountsAnIdenticalTypesBufferOnce) {
    GraphAllocator allocator(policy(), {cpu_, cpu_});
    const auto graph = chain(64);
    const std::vector<BufferPosition> second(2, BufferPosition(std::size_t{1}));
    AllocationRequest request{.graph = GraphView(*graph)};
    request.node_positions = second;
    request.leaf_positions = second;
    ASSERT_TRUE(allocator.reserve(request));
    ASSERT_TRUE(allocator.allocate(request));
    EXPECT_GT(allocator.buffer_size(0), 0u);
    EXPECT_EQ(allocator.buffer_size(1), 0u);
    EXPECT_EQ(allocator.buffer(0, 0), allocator.buffer(1, 0));
    EXPECT_EQ(allocator.plan().buffers[1].shared_with, BufferPosition(std::size_t{0}));
}

TEST_P(GraphAllocatorTest, MeasuringDropsBuffersThatWouldGrow) {
    GraphAllocator allocator(policy(), {cpu_});
    const auto small = chain(16);
    const auto large = chain(1024);
    ASSERT_TRUE(allocator.reserve({.graph = GraphView(*small)}));
    const std::uint64_t before = allocator.buffer_size(0);
    EXPECT_EQ(allocator.reserve_size({.graph = GraphView(*small)}).at(0), before);
    EXPECT_EQ(allocator.buffer_size(0), before);
    EXPECT_GT(allocator.reserve_size({.graph = GraphView(*large)}).at(0), before);
    EXPECT_EQ(allocator.buffer_size(0), 0u);
}

INSTANTIATE_TEST_SUITE_P(Generations, GraphAllocatorTest,
                         testing::Values(Generation::g2024_10, Generation::g2025_06, Generation::g2026_08),
                         test::name_of_case);

/// A type that cannot allocate.
class ExhaustedType final : public BufferType {
 public:
    const std::string& name() const override { return name_; }
    std::uint64_t alignment() const override { return 32; }
    std::unique_ptr<Buffer> allocate(std::uint64_t size) override {
        throw Error(ErrorKind::memory, Message::verbatim(std::to_string(size) + " bytes are not available"),
                    name_);
    }

 private:
    std::string name_ = "tiny";
};

TEST(GraphAllocator, ReportsWhyAllocationFailed) {
    ExhaustedType type;
    GraphAllocator allocator(allocation_policy(Generation::g2025_06), {&type});
    const auto graph = chain(64);
    EXPECT_FALSE(allocator.reserve({.graph = GraphView(*graph)}));
    EXPECT_NE(allocator.failure().find("tiny"), std::string::npos);
    EXPECT_EQ(allocator.buffer_size(0), 0u);
}

}  // namespace
}  // namespace splitscope
