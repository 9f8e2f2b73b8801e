// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace splitscope::vulkan {

/// Bytes of device memory, by address.
struct MemoryRange {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
};

/// Knows what the commands since the last barrier read and wrote, and so whether the next one needs a barrier
/// in front of it.
class Hazards {
 public:
    /// True when a barrier has to come first; the ranges are noted as behind it then.
    bool add(std::span<const MemoryRange> reads, std::span<const MemoryRange> writes);
    /// After a barrier.
    void clear();

 private:
    std::vector<MemoryRange> reads_;
    std::vector<MemoryRange> writes_;
};

}  // namespace splitscope::vulkan
