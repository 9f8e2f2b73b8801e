// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "backends/interface/status.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/tensor_identity.hpp"

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
    std::size_t plans_made = 0;      ///< in this run, for splits that were computed before
    std::size_t plans_computed = 0;  ///< splits that were computed by a plan
};

/// Where a computation failed. Nodes that were computed together fail together.
struct FailedPlace {
    SplitId split;
    std::string backend;
    std::string first;         ///< name of the first node computed together
    std::string last;          ///< the same when it was one
    TensorIdentity node = {};  ///< the last one
};

/// A node that could not be computed; the cause, with the place in front of its where().
class ComputeError : public Error {
 public:
    ComputeError(const Error& cause, FailedPlace place);
    const FailedPlace& place() const noexcept { return place_; }

 private:
    FailedPlace place_;
};

/// The place of an event of a run. `nodes` are those of the schedule in the order of computing.
FailedPlace place_of(const Schedule& schedule, const ExecutionEvent& event, std::span<const TensorId> nodes);
/// Nodes in the order of computing: ExecutionEvent::first_node and last_node are positions in it. A backend
/// may have reordered those of its splits.
std::vector<TensorId> nodes_in_order(const Schedule& schedule);

}  // namespace splitscope
