// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/memory/allocation_plan.hpp"

namespace splitscope {

/// Position in the schedule graph's nodes; kBeforeFirstNode while leafs and inputs are placed.
using NodePosition = std::int64_t;
inline constexpr NodePosition kBeforeFirstNode = -1;

/// How full one buffer is at one node. Nodes at which nothing changed have no step: the state of the last
/// step before them still holds.
struct UsageStep {
    NodePosition node = kBeforeFirstNode;
    std::uint64_t bytes = 0;  ///< most bytes in use while the node is placed, before its sources are freed
    std::uint64_t bytes_after = 0;  ///< bytes in use once its sources are freed
    std::uint64_t highest_end = 0;  ///< highest end of a place in use while the node is placed
};

/// One place in a buffer and how long one tensor held it.
struct MemoryBlock {
    TensorId tensor;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    NodePosition first = kBeforeFirstNode;  ///< node at which it was placed
    NodePosition last = kBeforeFirstNode;   ///< last node that needs it; the plan's last node if never freed
    bool in_place = false;                  ///< took over the place of a source
};

/// The life of one buffer (one chunk of it in 2026-08) over the nodes of the schedule graph.
struct BufferTimeline {
    BufferPosition buffer;  ///< the first position that has this buffer
    std::int32_t chunk = 0;
    std::uint64_t size = 0;  ///< bytes the plan asks for

    std::vector<UsageStep> steps;     ///< ascending in node
    std::vector<MemoryBlock> blocks;  ///< in the order they were placed

    std::uint64_t peak_bytes =
        0;  ///< most bytes in use at once; `size` minus this is lost to gaps at the peak
    NodePosition peak_node = kBeforeFirstNode;
    std::vector<std::size_t> live_at_peak;  ///< indices into `blocks`, largest first
};

/// The buffers of a plan in order of position and chunk; those that hold nothing have no steps. Costs
/// O(events · log events).
std::vector<BufferTimeline> usage_timelines(const AllocationPlan& plan);

}  // namespace splitscope
