// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "engine/importers/messages.hpp"
#include "engine/support/memory_bound.hpp"

namespace splitscope {

/// Whether one tensor more than `tensors` stays within the bound. Estimates the memory of each tensor with
/// its names, its texts and its share of lists and schedules. `answers`: number of backends with recorded
/// refusals per tensor, in the machines of the file and of the session.
constexpr bool has_memory_for_tensor(std::size_t tensors, std::uint64_t max_bytes, std::size_t answers = 0) {
    constexpr std::uint64_t kBytesPerTensor = 1280;
    constexpr std::uint64_t kBytesPerAnswer = 144;
    return tensors < max_bytes / (kBytesPerTensor + answers * kBytesPerAnswer);
}

/// The error for exceeding that bound.
inline Error graph_beyond_memory_bound(std::uint64_t max_bytes, ErrorPlace place) {
    return beyond_memory_bound(msg::kGraphTooLarge(max_bytes >> 20), std::move(place));
}

}  // namespace splitscope
