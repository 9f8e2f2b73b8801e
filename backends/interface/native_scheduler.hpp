// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "backends/interface/machine.hpp"

namespace splitscope {

/// The result of a kind's own scheduler for a graph.
struct NativeSchedule {
    std::vector<BackendId> backend;  ///< by tensor; none = unspecified
    std::size_t splits = 0;
    std::vector<std::pair<TensorId, BackendId>> copies;  ///< original, destination backend
    std::vector<std::uint64_t> compute_bytes;            ///< by backend; empty = unknown
};

/// An extra function of kinds whose devices have their own scheduler: schedules the graph on a machine of
/// these devices only, with its buffers and assignments. Errors: unsupported, if the machine has other
/// devices.
using NativeScheduler = std::function<NativeSchedule(const Machine& machine, const Graph& graph)>;
inline constexpr const char* kNativeScheduler = "schedule";

}  // namespace splitscope
