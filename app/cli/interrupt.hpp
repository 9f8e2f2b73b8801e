// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace splitscope::cli {

/// Turns the first SIGINT or SIGTERM into a stop request; the second one ends the program at once with exit
/// code 130. Make it before any other thread: threads started later inherit the blocked signals.
class InterruptWatcher {
 public:
    InterruptWatcher();
    ~InterruptWatcher();
    InterruptWatcher(const InterruptWatcher&) = delete;
    InterruptWatcher& operator=(const InterruptWatcher&) = delete;

    std::stop_token stop_token() const { return source_.get_token(); }

 private:
    sigset_t before_{};
    std::stop_source source_;
    std::jthread watcher_;
};

}  // namespace splitscope::cli
