// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/execution/execution.hpp"

namespace splitscope {

/// Time of one kind of step on one backend.
struct ProfileLine {
    std::string step;  ///< name of an operation, "copies" or "waits"
    BackendId backend;
    std::size_t count = 0;    ///< computed nodes, or copies
    std::uint64_t bytes = 0;  ///< copied
    std::chrono::nanoseconds time{};
    TensorId slowest;  ///< node or copied tensor
    std::chrono::nanoseconds slowest_time{};
};

/// Kernels that compute the same operations together.
struct FusedLine {
    std::string steps;  ///< "RMS_NORM + MUL"
    BackendId backend;
    std::size_t kernels = 0;
    std::vector<std::string> first;  ///< names of the nodes of the first such kernel
};

/// The operations that kernels fuse in runs without timed nodes, most frequent first.
std::vector<FusedLine> fused_of(const Schedule& schedule, const Execution& execution);

/// Profile of a run with timed nodes (ExecutorOptions::time_nodes) by operation and backend, longest first.
/// Nodes computed together are attributed to the first of them.
std::vector<ProfileLine> profile_of(const Schedule& schedule, const Execution& execution);

}  // namespace splitscope
