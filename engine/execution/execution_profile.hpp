// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/execution/execution.hpp"

namespace splitscope {

/// What steps do. Their memory traffic is counted as if no cache held a value between steps.
struct StepWork {
    /// Read and written by nodes, of weights, inputs and results, or copied. None if not known: nodes that
    /// one event covers may have been computed by one kernel, which need not write the results in between.
    std::optional<double> bytes;
    std::optional<double> flops;  ///< of nodes; none for copies and waits

    StepWork& operator+=(const StepWork& more);
};

/// `amount` per second; none without an amount or a time.
std::optional<double> rate_of(std::optional<double> amount, std::chrono::nanoseconds time);

/// Time of one kind of step on one backend.
struct ProfileLine {
    std::string step;  ///< name of an operation, "copies" or "waits"
    BackendId backend;
    std::size_t count = 0;  ///< computed nodes, or copies
    StepWork work;
    std::chrono::nanoseconds time{};
    TensorId slowest;  ///< node or copied tensor
    StepWork slowest_work;
    std::chrono::nanoseconds slowest_time{};
};

/// Kernels that compute the same operations together.
struct FusedLine {
    std::string steps;  ///< "RMS_NORM + MUL"
    BackendId backend;
    std::size_t kernels = 0;
    std::uint64_t touched_bytes = 0;  ///< of all of them, without results that stay within a kernel
    double flops = 0;                 ///< of all of them
    std::vector<std::string> first;   ///< names of the nodes of the first such kernel
};

/// "RMS_NORM + MUL" of the nodes of a kernel.
std::string joined_ops(const GraphView& graph, std::span<const TensorId> nodes);

/// The operations that kernels fuse in runs without timed nodes, most frequent first.
std::vector<FusedLine> fused_of(const Schedule& schedule, const Execution& execution);

/// Profile of a run with timed nodes (ExecutorOptions::time_nodes) by operation and backend, longest first.
/// Nodes computed together are attributed to the first of them.
std::vector<ProfileLine> profile_of(const Schedule& schedule, const Execution& execution);

}  // namespace splitscope
