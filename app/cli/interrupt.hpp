// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <cstdint>
#include <initializer_list>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace splitscope::cli {

/// Handles signals during its lifetime. Signals ignored by the parent process stay ignored; interrupted calls
/// are restarted.
class SignalHandlers {
 public:
    using Handler = void(int signal, siginfo_t* sender, void*);
    SignalHandlers(std::initializer_list<int> signals, Handler* handler);
    ~SignalHandlers();
    SignalHandlers(const SignalHandlers&) = delete;
    SignalHandlers& operator=(const SignalHandlers&) = delete;

 private:
    std::vector<std::pair<int, struct sigaction>> before_;
};

/// Turns the first SIGINT, SIGTERM or SIGHUP into a stop request; the second one terminates the program with
/// exit code 130. Throws Error(limit) if its thread cannot be started.
class InterruptWatcher {
 public:
    explicit InterruptWatcher(std::stop_source interrupted);
    ~InterruptWatcher();
    InterruptWatcher(const InterruptWatcher&) = delete;
    InterruptWatcher& operator=(const InterruptWatcher&) = delete;

 private:
    int heard_;  ///< descriptor that counts the signals
    std::jthread watcher_;
    SignalHandlers handlers_;
};

/// What a SIGINT for this process alone does while a child runs.
enum class Interrupts : std::uint8_t {
    ignore,
    detach,  ///< as InterruptWatcher
};

/// While a child runs, lets it handle keyboard interrupts, which it receives as well, and forwards
/// termination signals to it.
class SignalsForChild {
 public:
    explicit SignalsForChild(pid_t child, Interrupts interrupts = Interrupts::ignore);
    ~SignalsForChild();
    SignalsForChild(const SignalsForChild&) = delete;
    SignalsForChild& operator=(const SignalsForChild&) = delete;

 private:
    SignalHandlers keyboard_;
    SignalHandlers ending_;
};

}  // namespace splitscope::cli
