// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace splitscope {

/// A place within a chunk.
struct ChunkPlace {
    std::int32_t chunk = 0;
    std::uint64_t offset = 0;
    friend bool operator==(const ChunkPlace&, const ChunkPlace&) = default;
};

/// Best-fit offset planning (allocator.md §3, §7 for chunks). Handles numbers only. One object serves all
/// positions of one buffer type.
class BestFitAllocator {
 public:
    struct FreeBlock {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
        friend bool operator==(const FreeBlock&, const FreeBlock&) = default;
    };
    static constexpr std::size_t kMaxFreeBlocks = 256;
    /// Half of the address space: the size of an unbounded tail.
    static constexpr std::uint64_t kUnboundedTail = (std::uint64_t{1} << 63) - 1;

    /// One chunk, created immediately, with a tail of `tail` bytes.
    static BestFitAllocator single(std::uint64_t alignment, std::uint64_t tail = kUnboundedTail);
    /// Up to `max_chunks` chunks of at most `max_chunk_size` bytes, created on demand.
    static BestFitAllocator chunked(std::uint64_t alignment, std::uint64_t max_chunk_size,
                                    std::size_t max_chunks);

    void reset();
    std::uint64_t round_up(std::uint64_t size) const { return (size + alignment_ - 1) & ~(alignment_ - 1); }

    /// Errors: memory, if no chunk has room, with the requested size and the largest free block.
    ChunkPlace allocate(std::uint64_t size);
    /// Errors: limit, if a chunk has 256 free blocks and none is adjacent.
    void free(ChunkPlace place, std::uint64_t size);

    std::size_t chunk_count() const { return chunks_.size(); }
    /// Maximum of offset + size in a chunk since the last reset.
    std::uint64_t max_size(std::size_t chunk) const { return chunks_[chunk].max_size; }
    std::span<const FreeBlock> free_blocks(std::size_t chunk) const { return chunks_[chunk].blocks; }

 private:
    struct Chunk {
        std::vector<FreeBlock> blocks;  ///< by ascending offset; the last one is the tail
        std::uint64_t max_size = 0;
    };
    struct Choice {
        std::size_t chunk = 0;
        std::size_t block = 0;
    };
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    BestFitAllocator(std::uint64_t alignment, std::optional<std::uint64_t> first_tail,
                     std::uint64_t max_chunk_size, std::size_t max_chunks)
        : alignment_(alignment),
          first_tail_(first_tail),
          max_chunk_size_(max_chunk_size),
          max_chunks_(max_chunks) {
        reset();
    }

    Choice best_inner_block(std::uint64_t size) const;
    Choice best_tail(std::uint64_t size) const;
    Choice new_chunk(std::uint64_t size);
    std::uint64_t largest_block() const;

    std::uint64_t alignment_;
    std::optional<std::uint64_t> first_tail_;  ///< of the chunk that exists from the start, if one does
    std::uint64_t max_chunk_size_;
    std::size_t max_chunks_;
    std::vector<Chunk> chunks_;
};

}  // namespace splitscope
