// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace splitscope::cli {

/// Turns the first SIGINT or SIGTERM into a stop request; the second one ends the program at once with exit
/// code 130. Make it before any other thread: threads started later inherit the blocked signals. Throws
/// Error(limit) when its own thread cannot be started.
class InterruptWatcher {
 public:
    explicit InterruptWatcher(std::stop_source interrupted);
    ~InterruptWatcher();
    InterruptWatcher(const InterruptWatcher&) = delete;
    InterruptWatcher& operator=(const InterruptWatcher&) = delete;

 private:
    sigset_t before_{};
    std::jthread watcher_;
};

}  // namespace splitscope::cli
