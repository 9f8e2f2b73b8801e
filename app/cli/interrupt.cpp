// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.hpp"

#include <ctime>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "app/cli/exit_code.hpp"
#include "engine/support/error.hpp"

namespace splitscope::cli {

InterruptWatcher::InterruptWatcher(std::stop_source interrupted) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
    const auto watch = [signals, source = std::move(interrupted)](const std::stop_token& end) mutable {
        bool asked = false;
        const timespec pause{0, 50'000'000};
        while (!end.stop_requested()) {
            if (sigtimedwait(&signals, nullptr, &pause) < 0) continue;
            if (asked) ::_exit(kInterrupted);
            asked = true;
            source.request_stop();
        }
    };
    try {
        watcher_ = std::jthread(watch);
    } catch (const std::system_error&) {
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        throw Error(ErrorKind::limit, "cannot start a thread", {}, "close other programs");
    }
}

InterruptWatcher::~InterruptWatcher() {
    watcher_.request_stop();
    watcher_.join();
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace splitscope::cli
