// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace splitscope::vulkan {

/// A range of device memory, by address.
struct MemoryRange {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
};

bool overlap(const MemoryRange& a, const MemoryRange& b);

/// Tracks reads and writes since the last barrier, to decide whether a command needs a barrier.
class Hazards {
 public:
    /// True if a barrier is required before the command; the ranges are then recorded as following it.
    bool add(std::span<const MemoryRange> reads, std::span<const MemoryRange> writes);
    /// Call after a barrier.
    void clear();

 private:
    std::vector<MemoryRange> reads_;
    std::vector<MemoryRange> writes_;
};

}  // namespace splitscope::vulkan
