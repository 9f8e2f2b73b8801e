// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/memory/allocation_plan.hpp"

namespace splitscope {

/// Index into the schedule graph's nodes; kBeforeFirstNode for leafs and inputs.
using NodePosition = std::int64_t;
inline constexpr NodePosition kBeforeFirstNode = -1;

/// Usage of one buffer at one node. Nodes without a change have no step; the previous step applies.
struct UsageStep {
    NodePosition node = kBeforeFirstNode;
    std::uint64_t bytes = 0;        ///< in use while the node is placed, before its sources are freed
    std::uint64_t bytes_after = 0;  ///< after its sources are freed
    std::uint64_t highest_end = 0;  ///< end of the highest place in use while the node is placed
};

/// The lifetime of one tensor in one place of a buffer.
struct MemoryBlock {
    TensorId tensor;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    NodePosition first = kBeforeFirstNode;  ///< node at which it was placed
    NodePosition last =
        kBeforeFirstNode;   ///< last node that needs it; the last node of the plan if it is never freed
    bool in_place = false;  ///< reuses the place of a source
};

/// Usage of one buffer (in 2026-08, of one chunk) over the nodes of the schedule graph.
struct BufferTimeline {
    BufferPosition buffer;  ///< the first position that has this buffer
    std::int32_t chunk = 0;
    std::uint64_t size = 0;  ///< bytes that the plan requests

    std::vector<UsageStep> steps;     ///< ascending in node
    std::vector<MemoryBlock> blocks;  ///< in the order they were placed

    std::uint64_t peak_bytes =
        0;  ///< most bytes in use at once; `size` minus this is lost to gaps at the peak
    NodePosition peak_node = kBeforeFirstNode;
    std::vector<std::size_t> live_at_peak;  ///< indices into `blocks`, largest first
};

/// The buffers of a plan by position and chunk; empty buffers have no steps. O(events · log events).
std::vector<BufferTimeline> usage_timelines(const AllocationPlan& plan);

}  // namespace splitscope
