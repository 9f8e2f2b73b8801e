// SPDX-License-Identifier: MIT
#include "engine/memory/context_allocator.hpp"

#include <gtest/gtest.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/memory/linear_allocator.hpp"
#include "engine/memory/multi_buffer.hpp"
#include "engine/support/error.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

using test::GraphBuilder;

/// Three tensors of 256 bytes and a view of the second.
struct Context {
    explicit Context(std::optional<std::uint64_t> maximum, std::int64_t last_elements = 64) {
        b.leaf("a");
        const TensorId base = b.leaf("b");
        b.view("b (view)", Op::view, base, {16, 1, 1, 1}, 64);
        b.leaf("c", {last_elements, 1, 1, 1});
        graph = b.finish();
        places.resize(graph->tensors.size());
        Machine machine = test::simple_machine(0);
        machine.buffer_types[0].max_size = maximum;
        simulated = std::make_unique<SimulatedMachine>(std::make_shared<const Machine>(machine));
        for (std::size_t i = 0; i < places.size(); ++i) tensors.emplace_back(i);
    }
    BufferType& type() { return *simulated->live().buffer_types[0]; }
    BoundGraph bound() { return {GraphView(*graph), places}; }

    GraphBuilder b;
    std::shared_ptr<const Graph> graph;
    std::vector<TensorPlace> places;
    std::vector<TensorId> tensors;
    std::unique_ptr<SimulatedMachine> simulated;
};

TEST(AllocateContext, UsesOneBufferWhenEverythingFits) {
    Context c(std::nullopt);
    const auto buffer =
        allocate_context(allocation_policy(Generation::g2024_10), c.type(), c.bound(), c.tensors);
    ASSERT_NE(buffer, nullptr);
    EXPECT_EQ(buffer->size(), 768u);
    EXPECT_EQ(c.places[1].offset, 256u);
    EXPECT_EQ(c.places[2].buffer, buffer.get()) << "views are initialised";
    EXPECT_EQ(c.places[2].offset, 320u);
    EXPECT_EQ(c.places[3].offset, 512u);
    const auto again =
        allocate_context(allocation_policy(Generation::g2024_10), c.type(), c.bound(), c.tensors);
    EXPECT_EQ(again, nullptr) << "everything is allocated already";
}

TEST(AllocateContext, CombinesSeveralBuffersIntoAMultiBuffer) {
    Context c(512);
    EXPECT_EQ(context_size(allocation_policy(Generation::g2026_08), c.type(), c.bound(), c.tensors), 768u);
    const auto buffer =
        allocate_context(allocation_policy(Generation::g2026_08), c.type(), c.bound(), c.tensors);
    const auto* multi = dynamic_cast<const MultiBuffer*>(buffer.get());
    ASSERT_NE(multi, nullptr);
    ASSERT_EQ(multi->parts().size(), 2u);
    EXPECT_EQ(multi->size(), 768u);
    EXPECT_EQ(c.places[3].buffer, multi->parts()[1].get());
    EXPECT_EQ(c.places[3].offset, 0u);
}

TEST(AllocateContext, RefusesOversizedTensorsUntil2024) {
    for (const Generation generation : kGenerations) {
        Context c(512, 256);
        const auto allocate = [&] {
            return allocate_context(allocation_policy(generation), c.type(), c.bound(), c.tensors);
        };
        if (generation == Generation::g2024_01 || generation == Generation::g2024_10) {
            EXPECT_THROW(allocate(), Error);
            EXPECT_FALSE(c.places[0].has_data) << "what was placed is undone";
        } else {
            const auto buffer = allocate();
            EXPECT_EQ(buffer->size(), 512u + 1024u) << "it gets a buffer of its own";
        }
    }
}

TEST(MultiBufferTest, ForwardsUsageAndHasNoMemory) {
    Context c(256);
    const auto buffer =
        allocate_context(allocation_policy(Generation::g2025_06), c.type(), c.bound(), c.tensors);
    buffer->set_usage(BufferUsage::weights);
    const auto& parts = dynamic_cast<const MultiBuffer&>(*buffer).parts();
    EXPECT_EQ(parts.size(), 3u);
    for (const auto& part : parts) EXPECT_EQ(part->usage(), BufferUsage::weights);
    EXPECT_EQ(buffer->name(), "CPU");
    EXPECT_EQ(buffer->host_base(), nullptr);
    std::array<std::byte, 4> bytes{};
    EXPECT_THROW(buffer->write(0, bytes), Error);
    EXPECT_THROW(buffer->read(0, bytes), Error);
    EXPECT_THROW(buffer->fill(0, 4, std::byte{0}), Error);
    buffer->clear(std::byte{0});
    EXPECT_THROW(MultiBuffer::make({}), Error);
}

TEST(LinearAllocatorTest, AllocatesSequentiallyUntilFull) {
    Context c(std::nullopt);
    const auto buffer = c.type().allocate(600);
    LinearAllocator allocator(*buffer);
    const BoundGraph bound = c.bound();
    EXPECT_EQ(allocator.allocate({bound, c.tensors[0]}), Status::success);
    EXPECT_EQ(allocator.allocate({bound, c.tensors[1]}), Status::success);
    try {
        allocator.allocate({bound, c.tensors[3]});
        FAIL() << "there is no room";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::memory);
        EXPECT_NE(std::string(error.what()).find("c: needs 256 bytes"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("88"), std::string::npos);
    }
    EXPECT_EQ(aligned_offset(40, 10, 32), 24u);
    EXPECT_THROW(aligned_offset(0, 0, 24), Error);
}

}  // namespace
}  // namespace splitscope
