// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "backends/interface/machine.hpp"

namespace splitscope {

/// What a kind's own scheduler decides on a graph.
struct OwnSchedule {
    std::vector<BackendId> backend;  ///< by tensor; none = it says nothing of it
    std::size_t splits = 0;
    std::vector<std::pair<TensorId, BackendId>> copies;  ///< original, backend that gets it
    std::vector<std::uint64_t> compute_bytes;            ///< by backend; empty = not known
};

/// The extra function of kinds whose devices come with a scheduler: the graph on a machine of these devices
/// alone, with its buffers and assignments. Errors: unsupported, when other devices are among them.
using ScheduleByOwn = std::function<OwnSchedule(const Machine& machine, const Graph& graph)>;
inline constexpr const char* kScheduleByOwn = "schedule";

}  // namespace splitscope
