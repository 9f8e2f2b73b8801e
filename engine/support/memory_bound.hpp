// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "engine/support/error.hpp"
#include "engine/support/messages.hpp"

namespace splitscope {

/// Memory that opening a file may take: some megabytes, or four times the file's size if larger.
class MemoryBound {
 public:
    /// The default bound, 64 MiB.
    static const MemoryBound enforced;
    /// The user has allowed any amount.
    static const MemoryBound lifted;

    constexpr explicit MemoryBound(std::uint64_t free_bytes) : free_(free_bytes) {}

    constexpr bool is_lifted() const { return free_ == kUnlimited; }
    /// The bound for a file of this size.
    constexpr std::uint64_t of_file(std::uint64_t file_bytes) const {
        return std::max(free_, 4 * file_bytes);
    }
    /// Scales a count that is derived from the default bound.
    constexpr std::uint64_t scaled(std::uint64_t count) const {
        return is_lifted() ? kUnlimited
                           : static_cast<std::uint64_t>(static_cast<double>(count) * free_ / kFree);
    }

 private:
    static constexpr std::uint64_t kFree = std::uint64_t{64} << 20;
    static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

    std::uint64_t free_;
};

inline constexpr MemoryBound MemoryBound::enforced{MemoryBound::kFree};
inline constexpr MemoryBound MemoryBound::lifted{MemoryBound::kUnlimited};

/// The error for exceeding the bound, which the user may override.
inline Error beyond_memory_bound(Message problem, ErrorPlace place) {
    return {ErrorKind::memory_bound, std::move(problem), std::move(place), msg::kDamagedOrMalicious};
}

}  // namespace splitscope
