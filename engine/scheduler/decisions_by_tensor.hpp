// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/scheduler/schedule.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// The decisions on each tensor of a schedule's graph, in order; those on copies are left out.
class DecisionsByTensor {
 public:
    /// Throws Cancelled when the job of `stop_check` is to stop.
    DecisionsByTensor(const Schedule& schedule, StopCheck& stop_check);

    /// Indices into the schedule's decisions.
    std::span<const std::size_t> of(TensorId tensor) const {
        const std::size_t begin = begin_[tensor.index()];
        return std::span(indices_).subspan(begin, begin_[tensor.index() + 1] - begin);
    }

 private:
    std::vector<std::size_t> begin_;  ///< per tensor, into indices_; one more at the end
    std::vector<std::size_t> indices_;
};

}  // namespace splitscope
