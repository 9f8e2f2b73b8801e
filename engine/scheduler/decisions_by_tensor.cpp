// SPDX-License-Identifier: MIT
#include "engine/scheduler/decisions_by_tensor.hpp"

namespace splitscope {

DecisionsByTensor::DecisionsByTensor(const Schedule& schedule, StopCheck& stop_check)
    : begin_(schedule.graph->tensors.size() + 1) {
    const std::size_t tensors = schedule.graph->tensors.size();
    const auto counts = [&](const Decision& d) { return d.tensor.valid() && d.tensor.index() < tensors; };
    for (const Decision& decision : schedule.decisions) {
        stop_check.step();
        if (counts(decision)) ++begin_[decision.tensor.index() + 1];
    }
    for (std::size_t t = 0; t < tensors; ++t) begin_[t + 1] += begin_[t];
    indices_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < schedule.decisions.size(); ++i) {
        stop_check.step();
        const Decision& decision = schedule.decisions[i];
        if (counts(decision)) indices_[next[decision.tensor.index()]++] = i;
    }
}

}  // namespace splitscope
