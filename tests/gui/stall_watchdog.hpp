// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <ctime>

namespace splitscope::ui {

/// Measures how long the event loop of the creating thread was blocked. Two clocks: wall time, which on a
/// busy machine includes other processes, and the thread's processor time, which does not.
class StallWatchdog : public QObject {
 public:
    StallWatchdog() {
        timer_.setInterval(2);
        QObject::connect(&timer_, &QTimer::timeout, this, [this] { tick(); });
        restart();
        timer_.start();
    }

    void restart() {
        longest_wall_ms_ = 0;
        longest_cpu_ms_ = 0;
        wall_ = std::chrono::steady_clock::now();
        cpu_ms_ = thread_ms();
    }
    double longest_wall_ms() const { return longest_wall_ms_; }
    double longest_cpu_ms() const { return longest_cpu_ms_; }

    static double thread_ms() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }

 private:
    void tick() {
        const auto now = std::chrono::steady_clock::now();
        const double cpu = thread_ms();
        longest_wall_ms_ =
            std::max(longest_wall_ms_, std::chrono::duration<double, std::milli>(now - wall_).count());
        longest_cpu_ms_ = std::max(longest_cpu_ms_, cpu - cpu_ms_);
        wall_ = now;
        cpu_ms_ = cpu;
    }

    QTimer timer_;
    std::chrono::steady_clock::time_point wall_;
    double cpu_ms_ = 0;
    double longest_wall_ms_ = 0;
    double longest_cpu_ms_ = 0;
};

}  // namespace splitscope::ui
