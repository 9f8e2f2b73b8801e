// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <pthread.h>

namespace splitscope::testing {

/// Prevents new threads during its lifetime, like a system limit: the stack of a new thread exceeds the
/// address space.
class NoNewThreads {
 public:
    NoNewThreads() {
        constexpr std::size_t kTooLarge = std::size_t{1} << 50;
        pthread_getattr_default_np(&before_);
        pthread_attr_t attributes;
        pthread_getattr_default_np(&attributes);
        pthread_attr_setstacksize(&attributes, kTooLarge);
        pthread_setattr_default_np(&attributes);
        pthread_attr_destroy(&attributes);
    }
    ~NoNewThreads() {
        pthread_setattr_default_np(&before_);
        pthread_attr_destroy(&before_);
    }
    NoNewThreads(const NoNewThreads&) = delete;
    NoNewThreads& operator=(const NoNewThreads&) = delete;

 private:
    pthread_attr_t before_{};
};

}  // namespace splitscope::testing
