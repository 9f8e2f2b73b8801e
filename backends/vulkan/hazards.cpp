// SPDX-License-Identifier: MIT
#include "backends/vulkan/hazards.hpp"

#include <algorithm>

namespace splitscope::vulkan {
namespace {

/// Beyond this, a barrier is cheaper than searching the list.
constexpr std::size_t kMaxRanges = 64;

bool overlap(std::span<const MemoryRange> some, std::span<const MemoryRange> others) {
    return std::ranges::any_of(some, [&](const MemoryRange& a) {
        return std::ranges::any_of(others, [&](const MemoryRange& b) { return overlap(a, b); });
    });
}

}  // namespace

bool overlap(const MemoryRange& a, const MemoryRange& b) {
    return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

bool Hazards::add(std::span<const MemoryRange> reads, std::span<const MemoryRange> writes) {
    const bool hazard = overlap(reads, writes_) || overlap(writes, writes_) || overlap(writes, reads_) ||
                        reads_.size() + writes_.size() > kMaxRanges;
    if (hazard) clear();
    reads_.insert(reads_.end(), reads.begin(), reads.end());
    writes_.insert(writes_.end(), writes.begin(), writes.end());
    return hazard;
}

void Hazards::clear() {
    reads_.clear();
    writes_.clear();
}

}  // namespace splitscope::vulkan
