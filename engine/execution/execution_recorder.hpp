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
