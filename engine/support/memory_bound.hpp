// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "engine/support/error.hpp"

namespace splitscope {

/// Whether opening a file keeps to a bound of memory, or whoever opens it has allowed more.
enum class MemoryBound { kept, lifted };

/// Bytes that opening a file of so many bytes may take: 64 MiB, or four times its size.
constexpr std::uint64_t memory_bound_of(std::uint64_t file_bytes) {
    constexpr std::uint64_t kFree = std::uint64_t{64} << 20;
    return std::max(kFree, 4 * file_bytes);
}

/// What is thrown when it would take more: the one refusal that a person may overrule.
inline Error beyond_memory_bound(std::string what, std::string where) {
    return {ErrorKind::memory_bound, std::move(what), std::move(where),
            "the file is damaged, or means harm; if you trust it, allow the memory (--allow-memory)"};
}

}  // namespace splitscope
