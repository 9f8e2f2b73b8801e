// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <type_traits>
#include <utility>

#include "engine/execution/execution.hpp"

namespace splitscope {

/// Times the steps of one run against a common start.
class ExecutionRecorder {
 public:
    using Clock = std::chrono::steady_clock;

    /// Runs `step` and records `event` with its times; returns what the step returned.
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

    /// Records a step that began at `begin` and ends now.
    void add(ExecutionEvent event, Clock::time_point begin) {
        event.start = begin - begin_;
        finish(event);
    }

    /// Takes back what was recorded last.
    ExecutionEvent take_last() {
        const ExecutionEvent event = record_.events.back();
        record_.events.pop_back();
        return event;
    }
    /// Adds a step that was timed elsewhere.
    void put(const ExecutionEvent& event) { record_.events.push_back(event); }
    std::chrono::nanoseconds since_start(Clock::time_point time) const { return time - begin_; }

    /// The time from `begin` on does not count: somebody looked at the run, or it stood still.
    void leave_out_since(Clock::time_point begin) { begin_ += Clock::now() - begin; }

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
