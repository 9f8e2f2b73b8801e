// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>

#include "engine/support/job.hpp"

namespace splitscope {

/// Calls `work` with 0 … count − 1. As StopCheck, but counts whole blocks, which costs tight loops nothing.
/// Throws as JobContext::check().
template <class Work>
void for_each_checked(const JobContext& job, std::size_t count, const Work& work) {
    constexpr std::size_t kPerCheck = 4096;
    for (std::size_t first = 0; first < count; first += kPerCheck) {
        if (first != 0) job.check();
        const std::size_t end = std::min(count, first + kPerCheck);
        for (std::size_t i = first; i < end; ++i) work(i);
    }
}

}  // namespace splitscope
