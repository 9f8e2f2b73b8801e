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

/// What a long-running piece of work is given: a way to be stopped, a way to say how far it is, and whether
/// files that it opens may take more memory than the bound. Copyable; a default-constructed one never stops,
/// reports nowhere and keeps the bound. Work calls check() at least every 100 ms.
class JobContext {
 public:
    using Report = std::function<void(double fraction, const Message& doing)>;

    JobContext() = default;
    explicit JobContext(std::stop_token stop, Report report = {})
        : stop_(std::move(stop)), report_(std::move(report)) {}

    /// The same work with another bound for the files that it opens.
    JobContext with(MemoryBound bound) const {
        JobContext job = *this;
        job.memory_bound_ = bound;
        return job;
    }
    MemoryBound memory_bound() const { return memory_bound_; }

    bool stop_requested() const { return stop_.stop_requested(); }
    const std::stop_token& stop_token() const { return stop_; }

    /// Throws Cancelled once a stop was requested.
    void check() const {
        if (stop_.stop_requested()) throw Cancelled();
    }
    /// fraction in [0, 1], or negative when unknown.
    void report(double fraction, const Message& doing) const {
        if (report_) report_(fraction, doing);
    }
    void report(double fraction, const Sentence<>& doing) const {
        if (report_) report_(fraction, doing);
    }
    /// With the name of what the work is at.
    void report_name(double fraction, std::string_view name) const {
        if (report_) report_(fraction, Message::verbatim(std::string(name)));
    }

 private:
    std::stop_token stop_;
    Report report_;
    MemoryBound memory_bound_ = MemoryBound::kept;
};

/// For loops over whole graphs: looks for a stop once in so many steps that it costs nothing, and often
/// enough for steps of microseconds. The job must outlive it.
class StopCheck {
 public:
    explicit StopCheck(const JobContext& job) : job_(job) {}

    /// Throws what JobContext::check throws.
    void step() {
        constexpr std::size_t kStepsBetweenLooks = 4096;
        if (++steps_ % kStepsBetweenLooks == 0) job_.check();
    }

 private:
    const JobContext& job_;
    std::size_t steps_ = 0;
};

}  // namespace splitscope
