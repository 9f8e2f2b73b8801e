// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "engine/execution/execution.hpp"

namespace splitscope {

/// Averages over several runs of one schedule, such as the tokens of a generation.
struct MeanExecution {
    /// The events of one run with mean durations, placed one after the other.
    Execution mean;
    std::size_t runs = 0;
    std::size_t slowest = 0;  ///< which of the runs, from 0
    std::chrono::nanoseconds slowest_duration{};
};

/// Accumulates runs in constant memory: as large as one run.
class ExecutionSums {
 public:
    /// Resets if `schedule` differs from the previous one.
    void add(const std::shared_ptr<const Schedule>& schedule, const Execution& run);
    std::size_t runs() const { return runs_; }
    const std::shared_ptr<const Schedule>& schedule() const { return schedule_; }
    /// Null if no run was added.
    std::shared_ptr<const MeanExecution> mean() const;

 private:
    using Key =
        std::tuple<ExecutionEventKind, std::int32_t, std::int32_t, std::int32_t, std::size_t, std::size_t>;
    struct Sum {
        ExecutionEvent event;
        std::chrono::nanoseconds time{};
        std::uint64_t bytes = 0;
    };

    std::shared_ptr<const Schedule> schedule_;
    std::map<Key, std::size_t> place_;  ///< in sums_
    std::vector<Sum> sums_;             ///< in order of first appearance
    std::chrono::nanoseconds duration_{};
    std::size_t runs_ = 0;
    std::size_t slowest_ = 0;
    std::chrono::nanoseconds slowest_duration_{};
};

}  // namespace splitscope
