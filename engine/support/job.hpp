// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <stop_token>
#include <string_view>
#include <utility>

#include "engine/support/error.hpp"

namespace splitscope {

/// What a long-running piece of work is given: a way to be stopped and a way to say how far it is.
/// Copyable; a default-constructed one never stops and reports nowhere. Work calls check() at least
/// every 100 ms.
class JobContext {
 public:
    using Report = std::function<void(double fraction, std::string_view doing)>;

    JobContext() = default;
    explicit JobContext(std::stop_token stop, Report report = {})
        : stop_(std::move(stop)), report_(std::move(report)) {}

    bool stop_requested() const { return stop_.stop_requested(); }
    const std::stop_token& stop_token() const { return stop_; }

    /// Throws Cancelled once a stop was requested.
    void check() const {
        if (stop_.stop_requested()) throw Cancelled();
    }
    /// fraction in [0, 1], or negative when unknown.
    void report(double fraction, std::string_view doing) const {
        if (report_) report_(fraction, doing);
    }

 private:
    std::stop_token stop_;
    Report report_;
};

}  // namespace splitscope
