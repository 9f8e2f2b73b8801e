// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "engine/support/generation.hpp"

namespace splitscope {

/// The allocation rules of one generation (allocator.md §9), as data.
struct AllocationPolicy {
    Generation generation = Generation::g2024_10;
    /// Tensors are allocated one after the other in per-backend slots, and an in-place result becomes a view
    /// of its source (§8).
    bool live_tensors = false;
    /// A buffer position is required even for tensors that are not placed.
    bool checks_position = false;
    /// Buffers of size 0 have no address, so tensors in them remain unplaced.
    bool empty_buffers_have_no_address = false;
    /// Maximum number of chunks per buffer; 1 = no chunks.
    std::size_t max_chunks = 1;
    /// Positions without tensors get no buffer.
    bool buffers_on_demand = false;
    /// If an in-place result is smaller than its source, the rest of the source's place is freed at once.
    bool frees_surplus = false;
    /// A tensor with a buffer but without data counts as placed.
    bool buffer_counts_as_placed = false;
    /// Tensors with an empty dimension are sized without a guard, so that sizes can wrap around (scheduler.md
    /// §1.1).
    bool empty_sizes_wrap = false;
    /// Context allocation refuses tensors above the maximum size; otherwise it tries a separate buffer.
    bool refuses_oversized_tensors = false;
};

const AllocationPolicy& allocation_policy(Generation generation);

}  // namespace splitscope
