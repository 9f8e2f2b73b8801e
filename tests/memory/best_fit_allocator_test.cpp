// SPDX-License-Identifier: MIT
#include "engine/memory/best_fit_allocator.hpp"

#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

using Blocks = std::vector<BestFitAllocator::FreeBlock>;

Blocks blocks(const BestFitAllocator& allocator, std::size_t chunk = 0) {
    const auto span = allocator.free_blocks(chunk);
    return {span.begin(), span.end()};
}

TEST(BestFitAllocator, RoundsUpAndTracksThePeak) {
    auto allocator = BestFitAllocator::single(32);
    EXPECT_EQ(allocator.allocate(100).offset, 0u);
    EXPECT_EQ(allocator.allocate(1).offset, 128u);
    EXPECT_EQ(allocator.max_size(0), 160u);
    allocator.free({0, 0}, 100);
    EXPECT_EQ(allocator.max_size(0), 160u) << "the peak never decreases";
    allocator.reset();
    EXPECT_EQ(allocator.max_size(0), 0u);
}

TEST(BestFitAllocator, TakesTheSmallestBlockAndTheHighestOfEquals) {
    auto allocator = BestFitAllocator::single(1);
    for (int i = 0; i < 6; ++i) allocator.allocate(100);
    allocator.free({0, 0}, 100);
    allocator.free({0, 200}, 100);
    allocator.free({0, 400}, 60);
    EXPECT_EQ(allocator.allocate(50).offset, 400u) << "the tightest";
    EXPECT_EQ(allocator.allocate(80).offset, 200u) << "of two equal ones the higher";
    EXPECT_EQ(allocator.allocate(80).offset, 0u);
    EXPECT_EQ(allocator.allocate(80).offset, 600u) << "the tail comes last";
}

TEST(BestFitAllocator, FreeMergesWithBothNeighbours) {
    auto allocator = BestFitAllocator::single(1);
    for (int i = 0; i < 4; ++i) allocator.allocate(10);
    allocator.free({0, 0}, 10);
    allocator.free({0, 20}, 10);
    EXPECT_EQ(blocks(allocator).size(), 3u);
    allocator.free({0, 10}, 10);
    EXPECT_EQ(blocks(allocator).front(), (BestFitAllocator::FreeBlock{0, 30}));
    allocator.free({0, 30}, 10);
    EXPECT_EQ(blocks(allocator).size(), 1u) << "everything is one tail again";
}

TEST(BestFitAllocator, AcceptsSizeZero) {
    auto allocator = BestFitAllocator::single(32);
    allocator.allocate(32);
    EXPECT_EQ(allocator.allocate(0).offset, 32u);
    EXPECT_EQ(allocator.max_size(0), 32u);
    const Blocks before = blocks(allocator);
    allocator.free({0, 32}, 0);
    EXPECT_EQ(blocks(allocator), before);
}

TEST(BestFitAllocator, ReportsRemainingSpaceWhenExhausted) {
    auto allocator = BestFitAllocator::single(1, 100);
    allocator.allocate(60);
    try {
        allocator.allocate(50);
        FAIL() << "there is no room";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::memory);
        EXPECT_NE(english(error.problem()).find("50 bytes"), std::string::npos);
        EXPECT_NE(english(error.problem()).find("40"), std::string::npos);
    }
    EXPECT_EQ(allocator.allocate(40).offset, 60u);
    EXPECT_THROW(allocator.allocate(0), Error) << "a used-up buffer has no block for anything";
}

TEST(BestFitAllocator, RefusesMoreThan256FreeBlocks) {
    auto allocator = BestFitAllocator::single(1);
    for (int i = 0; i < 600; ++i) allocator.allocate(1);
    std::size_t freed = 0;
    const auto free_alternate = [&] {
        for (std::uint64_t offset = 0; offset < 600; offset += 2, ++freed) allocator.free({0, offset}, 1);
    };
    try {
        free_alternate();
        FAIL() << "the list is longer than the limit";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::limit);
        EXPECT_EQ(freed, 255u) << "255 blocks and the tail";
    }
}

TEST(ChunkedAllocator, SplitsAtTheMaximumAndIsolatesLargeTensors) {
    auto allocator = BestFitAllocator::chunked(1, 100, 16);
    EXPECT_EQ(allocator.chunk_count(), 0u) << "no chunk before it is needed";
    EXPECT_EQ(allocator.allocate(60), (ChunkPlace{0, 0}));
    EXPECT_EQ(allocator.allocate(60), (ChunkPlace{1, 0}));
    EXPECT_EQ(allocator.allocate(40), (ChunkPlace{0, 60})) << "fits behind the first";
    EXPECT_EQ(allocator.allocate(500), (ChunkPlace{2, 0}));
    EXPECT_EQ(allocator.max_size(2), 500u);
}

TEST(ChunkedAllocator, PrefersATailThatNeedNotGrow) {
    auto allocator = BestFitAllocator::chunked(1, 1000, 16);
    allocator.allocate(900);
    allocator.allocate(900);
    allocator.free({0, 0}, 900);
    allocator.free({1, 0}, 900);
    allocator.allocate(500);
    // Chunk 0 now has 400 bytes left of its peak, chunk 1 has 900.
    EXPECT_EQ(allocator.allocate(300), (ChunkPlace{0, 500})) << "the tightest tail without growth";
    EXPECT_EQ(allocator.allocate(600), (ChunkPlace{1, 0}));
}

TEST(ChunkedAllocator, PrefersAnInnerBlockOfALaterChunk) {
    auto allocator = BestFitAllocator::chunked(1, 100, 16);
    for (int chunk = 0; chunk < 2; ++chunk) {
        for (int i = 0; i < 3; ++i) allocator.allocate(30);
    }
    allocator.free({0, 0}, 20);
    allocator.free({1, 0}, 30);
    EXPECT_EQ(allocator.allocate(20), (ChunkPlace{1, 0})) << "although chunk 0 has a tighter block";
}

TEST(ChunkedAllocator, SixteenthChunkIsUnboundedAndLast) {
    auto allocator = BestFitAllocator::chunked(1, 10, 16);
    for (int i = 0; i < 15; ++i) EXPECT_EQ(allocator.allocate(10).chunk, i);
    EXPECT_EQ(allocator.allocate(10), (ChunkPlace{15, 0}));
    EXPECT_EQ(allocator.allocate(1000), (ChunkPlace{15, 10}));
    EXPECT_THROW(allocator.allocate(std::uint64_t{1} << 63), Error);
}

}  // namespace
}  // namespace splitscope
