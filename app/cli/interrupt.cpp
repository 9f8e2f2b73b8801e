// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.hpp"

#include <ctime>

#include <unistd.h>

#include "app/cli/exit_code.hpp"

namespace splitscope::cli {

InterruptWatcher::InterruptWatcher() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
    watcher_ = std::jthread([signals, source = source_](const std::stop_token& end) mutable {
        bool asked = false;
        const timespec pause{0, 50'000'000};
        while (!end.stop_requested()) {
            if (sigtimedwait(&signals, nullptr, &pause) < 0) continue;
            if (asked) ::_exit(kInterrupted);
            asked = true;
            source.request_stop();
        }
    });
}

InterruptWatcher::~InterruptWatcher() {
    watcher_.request_stop();
    watcher_.join();
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace splitscope::cli
