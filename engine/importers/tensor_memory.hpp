// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "engine/importers/messages.hpp"
#include "engine/support/memory_bound.hpp"

namespace splitscope {

/// Whether one more tensor than `tensors` keeps to the bound: each takes about so much with the names it is
/// found by, what the text says of it, and its places in lists that grow and in schedules. `answers`: how
/// many backends say of each tensor that they cannot compute it, in the machine of the file and in that of
/// the session.
constexpr bool has_memory_for_tensor(std::size_t tensors, std::uint64_t most_bytes, std::size_t answers = 0) {
    constexpr std::uint64_t kBytesPerTensor = 1280;
    constexpr std::uint64_t kBytesPerAnswer = 144;
    return tensors < most_bytes / (kBytesPerTensor + answers * kBytesPerAnswer);
}

/// What is thrown when it does not.
inline Error graph_beyond_memory_bound(std::uint64_t most_bytes, ErrorPlace place) {
    return beyond_memory_bound(msg::kGraphTooLarge(most_bytes >> 20), std::move(place));
}

}  // namespace splitscope
