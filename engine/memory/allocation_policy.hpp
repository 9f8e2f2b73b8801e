// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/support/generation.hpp"
#include "engine/tensor/op_set.hpp"

namespace splitscope {

/// How one generation allocates (allocator.md §9), as data.
struct AllocationPolicy {
    Generation generation = Generation::g2024_10;
    OpSet in_place_ops;  ///< allocator.md §4.2
    /// Tensors are planned live, slot by slot, and an in-place result becomes a view of its source (§8).
    bool live_tensors = false;
    /// A place needs a buffer position even when nothing is to be placed.
    bool checks_position = false;
    /// Buffers of size 0 have no address, so what is placed in them stays unplaced.
    bool empty_buffers_have_no_address = false;
    /// Buffers are lists of up to this many chunks; 1 = one buffer.
    std::size_t max_chunks = 1;
    /// A position that holds no tensor gets no buffer at all.
    bool buffers_on_demand = false;
    /// What an in-place result leaves over of the place it takes is freed at once.
    bool frees_surplus = false;
    /// A tensor that has a buffer but no data yet is left alone.
    bool buffer_counts_as_placed = false;
    /// Tensors without elements are sized as if they had some, and may wrap around (scheduler.md §1.1).
    bool empty_sizes_wrap = false;
    /// Allocating a context: a tensor larger than the maximum is refused; otherwise its own buffer is tried.
    bool refuses_oversized_tensors = false;
};

const AllocationPolicy& allocation_policy(Generation generation);

}  // namespace splitscope
