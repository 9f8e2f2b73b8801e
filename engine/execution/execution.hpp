// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/interface/device_work.hpp"
#include "backends/interface/status.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/tensor_identity.hpp"

namespace splitscope {

enum class ExecutionEventKind : std::uint8_t { copy, expert_copy, compute, wait };

/// One timed step of a run. Times are in nanoseconds since the start of the run.
struct ExecutionEvent {
    ExecutionEventKind kind = ExecutionEventKind::compute;
    SplitId split;
    BackendId backend;
    TensorId tensor;             ///< copy: the original
    std::size_t first_node = 0;  ///< compute: range of positions in execution order
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
    std::size_t plans_made = 0;      ///< created in this run, for splits that had been computed before
    std::size_t plans_computed = 0;  ///< splits that were computed by a plan
    /// Commands given to the device of each backend; empty for backends that do not count them.
    std::vector<std::optional<DeviceWork>> work;
};

/// Where a computation failed. Nodes computed together fail together.
struct FailedPlace {
    SplitId split;
    std::string backend;
    std::string first;         ///< name of the first of the nodes computed together
    std::string last;          ///< name of the last one; equal to `first` for a single node
    TensorIdentity node = {};  ///< identity of the last node
};

/// A node that could not be computed: the original error with the place prepended.
class ComputeError : public Error {
 public:
    ComputeError(const Error& cause, FailedPlace place);
    const FailedPlace& place() const noexcept { return place_; }

 private:
    FailedPlace place_;
};

/// The place of an event. `nodes` are the schedule's nodes in execution order.
FailedPlace place_of(const Schedule& schedule, const ExecutionEvent& event, std::span<const TensorId> nodes);
/// Nodes in execution order, which ExecutionEvent::first_node and last_node index. A backend may have
/// reordered the nodes of its splits.
std::vector<TensorId> nodes_in_order(const Schedule& schedule);

}  // namespace splitscope
