// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/support/memory_bound.hpp"

namespace splitscope {

/// Whether one more tensor than `tensors` keeps to the bound: each takes about so much with the names it is
/// found by, what the text says of it, and its places in lists that grow and in schedules.
constexpr bool has_memory_for_tensor(std::size_t tensors, std::uint64_t most_bytes) {
    constexpr std::uint64_t kBytesPerTensor = 1280;
    return tensors < most_bytes / kBytesPerTensor;
}

/// What is thrown when it does not.
inline Error graph_beyond_memory_bound(std::uint64_t most_bytes, std::string where) {
    return beyond_memory_bound(
        fmt::format("its graph would take more than {} MiB of memory", most_bytes >> 20), std::move(where));
}

}  // namespace splitscope
