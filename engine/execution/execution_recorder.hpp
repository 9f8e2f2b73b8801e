// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <type_traits>
#include <utility>

#include "engine/execution/execution.hpp"

namespace splitscope {

/// Records the steps of one run with times relative to a common start.
class ExecutionRecorder {
 public:
    using Clock = std::chrono::steady_clock;

    /// Runs `step`, records `event` with its times and returns the result.
    template <class Step>
    auto timed(ExecutionEvent event, Step&& step) {
        event.start = Clock::now() - begin_;
        if constexpr (std::is_void_v<decltype(step())>) {
            step();
            finish(event);
        } else {
            auto result = step();
            finish(event);
            return result;
        }
    }

    /// Records a step that started at `begin` and ends now.
    void add(ExecutionEvent event, Clock::time_point begin) {
        event.start = begin - begin_;
        finish(event);
    }

    /// Removes and returns the last event.
    ExecutionEvent take_last() {
        const ExecutionEvent event = record_.events.back();
        record_.events.pop_back();
        return event;
    }
    /// Adds a step with times measured elsewhere.
    void put(const ExecutionEvent& event) { record_.events.push_back(event); }
    std::chrono::nanoseconds since_start(Clock::time_point time) const { return time - begin_; }

    /// Excludes the time since `begin`, during which the run was inspected or paused.
    void exclude_since(Clock::time_point begin) { begin_ += Clock::now() - begin; }

    Execution take(Status status) {
        record_.status = status;
        record_.duration = Clock::now() - begin_;
        return std::move(record_);
    }

 private:
    void finish(ExecutionEvent event) {
        event.end = Clock::now() - begin_;
        record_.events.push_back(event);
    }

    Clock::time_point begin_ = Clock::now();
    Execution record_;
};

}  // namespace splitscope
