// SPDX-License-Identifier: MIT
#include "tests/bench/machine_load.hpp"

#include <algorithm>
#include <fstream>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

namespace splitscope::bench {

LoadWatch::Times LoadWatch::now() {
    // Of the columns of /proc/stat, guest time is part of another one.
    constexpr int kIdle = 3;
    constexpr int kFields = 8;
    std::ifstream stat("/proc/stat");
    std::string word;
    stat >> word;
    const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    Times times;
    for (int field = 0; field < kFields; ++field) {
        double count = 0;
        stat >> count;
        times.all += count / ticks;
        // Waiting for a disk takes no processor.
        if (field == kIdle || field == kIdle + 1) times.idle += count / ticks;
    }
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    times.own = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    return times;
}

LoadWatch::LoadWatch() : begin_(now()) {}

double LoadWatch::others() const {
    const Times end = now();
    const double all = end.all - begin_.all;
    if (all <= 0) return 0;
    const double busy = all - (end.idle - begin_.idle);
    return std::clamp((busy - (end.own - begin_.own)) / all, 0.0, 1.0);
}

}  // namespace splitscope::bench
