// SPDX-License-Identifier: MIT
#include "engine/memory/best_fit_allocator.hpp"

#include <algorithm>
#include <limits>

#include "engine/memory/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

[[noreturn]] void refuse_fragmentation() {
    throw Error(ErrorKind::limit, msg::kTooManyFreeBlocks(BestFitAllocator::kMaxFreeBlocks), {},
                msg::kTooFragmented);
}

}  // namespace

BestFitAllocator BestFitAllocator::single(std::uint64_t alignment, std::uint64_t tail) {
    return {alignment, tail, 0, 1};
}

BestFitAllocator BestFitAllocator::chunked(std::uint64_t alignment, std::uint64_t max_chunk_size,
                                           std::size_t max_chunks) {
    return {alignment, std::nullopt, std::min(max_chunk_size, kUnboundedTail), max_chunks};
}

void BestFitAllocator::reset() {
    chunks_.clear();
    if (first_tail_) chunks_.push_back({{{0, *first_tail_}}, 0});
}

ChunkPlace BestFitAllocator::allocate(std::uint64_t size) {
    size = round_up(size);
    Choice choice = best_inner_block(size);
    if (choice.chunk == kNone) choice = best_tail(size);
    if (choice.chunk == kNone) choice = new_chunk(size);

    Chunk& chunk = chunks_[choice.chunk];
    FreeBlock& block = chunk.blocks[choice.block];
    const std::uint64_t offset = block.offset;
    block.offset += size;
    block.size -= size;
    if (block.size == 0) chunk.blocks.erase(chunk.blocks.begin() + static_cast<std::ptrdiff_t>(choice.block));
    chunk.max_size = std::max(chunk.max_size, offset + size);
    return {static_cast<std::int32_t>(choice.chunk), offset};
}

/// The smallest sufficient block without tails; on ties the one with the highest offset. Blocks of later
/// chunks take precedence, even if an earlier chunk's fits better.
BestFitAllocator::Choice BestFitAllocator::best_inner_block(std::uint64_t size) const {
    Choice best{kNone, 0};
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
        const auto& blocks = chunks_[c].blocks;
        std::uint64_t best_size = std::numeric_limits<std::uint64_t>::max();
        for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
            if (blocks[b].size >= size && blocks[b].size <= best_size) {
                best = {c, b};
                best_size = blocks[b].size;
            }
        }
    }
    return best;
}

/// The tightest tail that fits without growing its chunk; else the one that grows least.
BestFitAllocator::Choice BestFitAllocator::best_tail(std::uint64_t size) const {
    Choice best{kNone, 0};
    std::int64_t best_rest = std::numeric_limits<std::int64_t>::min();
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
        const auto& blocks = chunks_[c].blocks;
        if (blocks.empty() || blocks.back().size < size) continue;
        const auto rest = static_cast<std::int64_t>(chunks_[c].max_size - blocks.back().offset - size);
        if ((best_rest < 0 && rest > best_rest) || (rest >= 0 && rest < best_rest)) {
            best = {c, blocks.size() - 1};
            best_rest = rest;
        }
    }
    return best;
}

BestFitAllocator::Choice BestFitAllocator::new_chunk(std::uint64_t size) {
    if (chunks_.size() >= max_chunks_) {
        throw Error(ErrorKind::memory, msg::kNotEnoughSpace(size, largest_block()), {},
                    msg::kUseLargerMaximum);
    }
    const bool is_last = chunks_.size() + 1 == max_chunks_;
    const std::uint64_t tail = is_last ? kUnboundedTail : std::max(size, max_chunk_size_);
    if (tail < size) {
        throw Error(ErrorKind::memory, msg::kChunkTooSmall(size, tail), {}, msg::kUseSmallerGraph);
    }
    chunks_.push_back({{{0, tail}}, 0});
    return {chunks_.size() - 1, 0};
}

std::uint64_t BestFitAllocator::largest_block() const {
    std::uint64_t largest = 0;
    for (const Chunk& chunk : chunks_) {
        for (const FreeBlock& block : chunk.blocks) largest = std::max(largest, block.size);
    }
    return largest;
}

void BestFitAllocator::free(ChunkPlace place, std::uint64_t size) {
    size = round_up(size);
    auto& blocks = chunks_[static_cast<std::size_t>(place.chunk)].blocks;
    const auto erase = [&](std::size_t index) {
        blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(index));
    };
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        FreeBlock& block = blocks[i];
        if (block.offset + block.size == place.offset) {
            block.size += size;
            if (i + 1 < blocks.size() && block.offset + block.size == blocks[i + 1].offset) {
                block.size += blocks[i + 1].size;
                erase(i + 1);
            }
            return;
        }
        if (place.offset + size == block.offset) {
            block.offset = place.offset;
            block.size += size;
            if (i > 0 && blocks[i - 1].offset + blocks[i - 1].size == block.offset) {
                blocks[i - 1].size += block.size;
                erase(i);
            }
            return;
        }
    }
    if (blocks.size() >= kMaxFreeBlocks) refuse_fragmentation();
    const auto after = std::ranges::lower_bound(blocks, place.offset, {}, &FreeBlock::offset);
    blocks.insert(after, {place.offset, size});
}

}  // namespace splitscope
