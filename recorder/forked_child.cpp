// SPDX-License-Identifier: MIT
#include "recorder/forked_child.hpp"

#include <atomic>

#include <pthread.h>

namespace splitscope::recorder {
namespace {

std::atomic<bool>& forked() {
    static std::atomic<bool> is_child = false;
    return is_child;
}

}  // namespace

void note_forks() {
    ::pthread_atfork(nullptr, nullptr, [] { forked() = true; });
}

bool is_forked_child() {
    return forked().load(std::memory_order_relaxed);
}

}  // namespace splitscope::recorder
