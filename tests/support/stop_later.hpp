// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <stop_token>
#include <thread>

#include "engine/support/stop_scope.hpp"

namespace splitscope::test {

/// Stops the waits of this thread after a delay.
class StopLater {
 public:
    explicit StopLater(std::chrono::milliseconds delay)
        : scope_(stop_.get_token()), thread_([this, delay] {
              std::this_thread::sleep_for(delay);
              stop_.request_stop();
          }) {}

 private:
    std::stop_source stop_;
    StopScope scope_;
    std::jthread thread_;
};

}  // namespace splitscope::test
