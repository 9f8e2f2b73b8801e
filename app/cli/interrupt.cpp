// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include <sys/eventfd.h>
#include <unistd.h>

#include "app/cli/exit_code.hpp"
#include "app/cli/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/messages.hpp"
#include "engine/support/system_error.hpp"

namespace splitscope::cli {
namespace {

// Signal handlers have no user data, so the target is global. Blocking signals and sigwait() would not work,
// because threads started by libraries before main() would receive them.
constinit std::atomic<int> listening = -1;
constinit std::atomic<pid_t> the_child = 0;
static_assert(decltype(listening)::is_always_lock_free);
static_assert(decltype(the_child)::is_always_lock_free);

void count_one(int descriptor) {
    const std::uint64_t one = 1;
    // Fails only on overflow at 2^64.
    [[maybe_unused]] const ssize_t put = ::write(descriptor, &one, sizeof(one));
}

void on_signal(int /*signal*/, siginfo_t* /*sender*/, void* /*context*/) {
    const int before = errno;
    if (const int descriptor = listening.load(); descriptor >= 0) count_one(descriptor);
    errno = before;
}

void pass_on(int signal, siginfo_t* /*sender*/, void* /*context*/) {
    const int before = errno;
    if (const pid_t child = the_child.load(); child > 0) ::kill(child, signal);
    errno = before;
}

void ignore_signal(int /*signal*/, siginfo_t* /*sender*/, void* /*context*/) {}

void on_interrupt(int signal, siginfo_t* sender, void* context) {
    // The terminal sends the signal to the child as well.
    const bool from_terminal = sender->si_code == SI_KERNEL;
    if (!from_terminal) on_signal(signal, sender, context);
}

/// An eventfd.
int new_counter() {
    const int descriptor = ::eventfd(0, EFD_CLOEXEC);
    if (descriptor < 0) {
        throw Error(ErrorKind::limit, msg::kCannotListen(system_error(errno)), {}, msg::kClosePrograms);
    }
    return descriptor;
}

std::jthread start_watcher(int heard, std::stop_source interrupted) {
    const auto watch = [heard, source = std::move(interrupted)](const std::stop_token& end) mutable {
        std::uint64_t signals = 0;
        while (true) {
            std::uint64_t more = 0;
            if (::read(heard, &more, sizeof(more)) != sizeof(more)) continue;
            if (end.stop_requested()) return;
            signals += more;
            if (signals > 1) ::_exit(kInterrupted);
            source.request_stop();
        }
    };
    try {
        std::jthread watcher(watch);
        listening = heard;
        return watcher;
    } catch (const std::system_error&) {
        ::close(heard);
        throw Error(ErrorKind::limit, msg::kCannotStartThread, {}, msg::kClosePrograms);
    }
}

}  // namespace

SignalHandlers::SignalHandlers(std::initializer_list<int> signals, Handler* handler) {
    before_.reserve(signals.size());
    for (const int signal : signals) {
        struct sigaction before {};
        if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
        before_.emplace_back(signal, before);
        struct sigaction action {};
        action.sa_sigaction = handler;
        action.sa_flags = SA_RESTART | SA_SIGINFO;
        sigemptyset(&action.sa_mask);
        ::sigaction(signal, &action, nullptr);
    }
}

SignalHandlers::~SignalHandlers() {
    for (const auto& [signal, before] : before_) ::sigaction(signal, &before, nullptr);
}

InterruptWatcher::InterruptWatcher(std::stop_source interrupted)
    : heard_(new_counter()),
      watcher_(start_watcher(heard_, std::move(interrupted))),
      handlers_({SIGINT, SIGTERM, SIGHUP}, on_signal) {}

InterruptWatcher::~InterruptWatcher() {
    listening = -1;
    watcher_.request_stop();
    count_one(heard_);
    watcher_.join();
    ::close(heard_);
}

SignalsForChild::SignalsForChild(pid_t child, Interrupts interrupts)
    : keyboard_({SIGINT}, interrupts == Interrupts::detach ? on_interrupt : ignore_signal),
      ending_({SIGTERM, SIGHUP}, pass_on) {
    the_child = child;
}

SignalsForChild::~SignalsForChild() {
    the_child = 0;
}

}  // namespace splitscope::cli
