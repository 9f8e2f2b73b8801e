// SPDX-License-Identifier: MIT
#include "engine/models/templates/budget.hpp"

#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/messages.hpp"
#include "engine/support/limits.hpp"

namespace splitscope::templates {

void Budget::count_steps(std::size_t steps) {
    if (steps > kMaxTemplateSteps - steps_) throw too_much(msg::kStepCount);
    steps_ += steps;
    if (steps_ - polled_ < kStepsPerPoll) return;
    polled_ = steps_;
    job_.check();
}

void Budget::count_bytes(std::size_t bytes) {
    if (bytes > kMaxTemplateBytes - bytes_) throw too_much(msg::kTextSize);
    bytes_ += bytes;
}

}  // namespace splitscope::templates
