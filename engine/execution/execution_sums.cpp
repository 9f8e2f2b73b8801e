// SPDX-License-Identifier: MIT
#include "engine/execution/execution_sums.hpp"

namespace splitscope {

void ExecutionSums::add(const std::shared_ptr<const Schedule>& schedule, const Execution& run) {
    if (schedule != schedule_) *this = {};
    schedule_ = schedule;
    for (const ExecutionEvent& event : run.events) {
        const Key key{event.kind,         event.split.value, event.backend.value,
                      event.tensor.value, event.first_node,  event.last_node};
        const auto [place, inserted] = place_.try_emplace(key, sums_.size());
        if (inserted) sums_.push_back({event, {}, 0});
        Sum& sum = sums_[place->second];
        sum.time += event.end - event.start;
        sum.bytes += event.bytes;
    }
    duration_ += run.duration;
    if (runs_ == 0 || run.duration > slowest_duration_) {
        slowest_ = runs_;
        slowest_duration_ = run.duration;
    }
    ++runs_;
}

std::shared_ptr<const MeanExecution> ExecutionSums::mean() const {
    if (runs_ == 0) return nullptr;
    const auto count = static_cast<std::int64_t>(runs_);
    auto result = std::make_shared<MeanExecution>();
    result->runs = runs_;
    result->slowest = slowest_;
    result->slowest_duration = slowest_duration_;
    result->mean.duration = duration_ / count;
    std::chrono::nanoseconds at{};
    for (const Sum& sum : sums_) {
        ExecutionEvent event = sum.event;
        event.start = at;
        event.end = at += sum.time / count;
        event.bytes = sum.bytes / runs_;
        result->mean.events.push_back(event);
    }
    return result;
}

}  // namespace splitscope
