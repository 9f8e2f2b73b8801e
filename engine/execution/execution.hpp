// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/interface/status.hpp"
#include "engine/scheduler/schedule.hpp"

namespace splitscope {

enum class ExecutionEventKind : std::uint8_t { copy, expert_copy, compute, wait };

/// One timed step of running a schedule. Times are nanoseconds since the run began.
struct ExecutionEvent {
    ExecutionEventKind kind = ExecutionEventKind::compute;
    SplitId split;
    BackendId backend;
    TensorId tensor;             ///< copy: the original
    std::size_t first_node = 0;  ///< compute: range of positions in the order of computing
    std::size_t last_node = 0;   ///< inclusive
    std::uint64_t bytes = 0;     ///< copies
    std::chrono::nanoseconds start{};
    std::chrono::nanoseconds end{};
};

/// Record of one run of a schedule. Immutable once published.
struct Execution {
    Status status = Status::success;
    std::vector<ExecutionEvent> events;
    std::chrono::nanoseconds duration{};
};

}  // namespace splitscope
