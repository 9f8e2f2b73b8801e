// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/messages/message.hpp"
#include "engine/support/strong_id.hpp"
#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// Index into the buffer types passed to the graph allocator. The scheduler passes one per backend, so it
/// equals the backend index. Positions with the same buffer type share a buffer.
using BufferPosition = StrongId<struct BufferPositionTag>;

/// A place assigned by the graph allocator.
struct PlannedPlace {
    BufferPosition buffer;
    std::int32_t chunk = 0;
    std::uint64_t offset = 0;  ///< bytes from the start of the chunk
    std::uint64_t size = 0;    ///< allocated bytes, rounded up to the alignment
};

enum class AllocationEventKind : std::uint8_t { allocate, reuse_in_place, free };

/// One step of planning, in order (allocator.md §4).
struct AllocationEvent {
    AllocationEventKind kind = AllocationEventKind::allocate;
    TensorId tensor;
    TensorId reused_from;  ///< reuse_in_place: the tensor that held the place
    PlannedPlace place;
    /// The node being placed, as an index into the schedule graph's nodes; kBeforeNodes for leafs and inputs.
    std::size_t node = 0;
};

inline constexpr std::size_t kBeforeNodes = static_cast<std::size_t>(-1);

/// Result of the graph allocator: events, places and buffer sizes. Immutable.
struct AllocationPlan {
    std::vector<AllocationEvent> events;
    /// Place of each tensor of the schedule graph (added tensors included); empty if the plan did not place
    /// it.
    std::vector<std::optional<PlannedPlace>> places;

    struct BufferInfo {
        std::string buffer_type;
        std::uint64_t size = 0;                  ///< 0 when an earlier position has the same buffer
        std::vector<std::uint64_t> chunk_sizes;  ///< one entry before 2026-08
        BufferPosition shared_with;              ///< the earlier position that has the same buffer, if any
        std::uint64_t measured_size = 0;         ///< 2024-01: before the margin of one tenth
    };
    std::vector<BufferInfo> buffers;  ///< per position

    std::optional<Message> error;  ///< why planning ended early, if it did
};

}  // namespace splitscope
