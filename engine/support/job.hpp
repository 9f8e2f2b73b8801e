// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string_view>
#include <utility>

#include "engine/support/error.hpp"
#include "engine/support/memory_bound.hpp"

namespace splitscope {

/// Bytes of text that loops over files process between stop checks.
inline constexpr std::size_t kBytesBetweenChecks = std::size_t{1} << 20;

/// Passed to long-running work: stop request, progress callback, and memory bound for opened files. Copyable;
/// a default-constructed context never stops, reports nothing and enforces the bound. Work calls check() at
/// least every 100 ms.
class JobContext {
 public:
    using Report = std::function<void(double fraction, const Message& doing)>;

    JobContext() = default;
    explicit JobContext(std::stop_token stop, Report report = {})
        : stop_(std::move(stop)), report_(std::move(report)) {}

    /// The same context with another memory bound for opened files.
    JobContext with(MemoryBound bound) const {
        JobContext job = *this;
        job.memory_bound_ = bound;
        return job;
    }
    MemoryBound memory_bound() const { return memory_bound_; }

    bool stop_requested() const { return stop_.stop_requested(); }
    const std::stop_token& stop_token() const { return stop_; }

    /// Throws Cancelled if a stop was requested.
    void check() const {
        if (stop_.stop_requested()) throw Cancelled();
    }
    /// `fraction` in [0, 1], or negative if unknown.
    void report(double fraction, const Message& doing) const {
        if (report_) report_(fraction, doing);
    }
    void report(double fraction, const Sentence<>& doing) const {
        if (report_) report_(fraction, doing);
    }
    /// Reports the name of the current item.
    void report_name(double fraction, std::string_view name) const {
        if (report_) report_(fraction, Message::verbatim(std::string(name)));
    }

 private:
    std::stop_token stop_;
    Report report_;
    MemoryBound memory_bound_ = MemoryBound::enforced;
};

/// Stop check for tight loops: polls once every N steps, which is cheap and, at microseconds per step,
/// frequent enough. The job must outlive it.
class StopCheck {
 public:
    explicit StopCheck(const JobContext& job) : job_(job) {}

    /// Throws as JobContext::check().
    void step() {
        if (--steps_left_ == 0) poll();
    }

 private:
    static constexpr std::size_t kStepsPerPoll = 4096;

    void poll() {
        steps_left_ = kStepsPerPoll;
        job_.check();
    }

    const JobContext& job_;
    std::size_t steps_left_ = kStepsPerPoll;
};

}  // namespace splitscope
