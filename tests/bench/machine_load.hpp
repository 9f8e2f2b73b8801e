// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope::bench {

/// Measures what other programs take of the processors while a benchmark runs, which would affect its
/// figures.
class LoadWatch {
 public:
    LoadWatch();

    /// Fraction of all processors' time since construction that this process did not use and that was not
    /// idle, in [0, 1]. Includes time that a host took from this machine. 0 where it cannot be measured.
    double others() const;
    /// Whether figures measured since construction may be compared.
    bool quiet() const { return others() <= kMaxOthers; }

    static constexpr double kMaxOthers = 0.1;

 private:
    /// In seconds since boot, or since the start of this process.
    struct Times {
        double all = 0;
        double idle = 0;
        double own = 0;
    };
    static Times now();

    Times begin_;
};

}  // namespace splitscope::bench
