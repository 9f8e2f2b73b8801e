// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/session/live_run.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// What `run --json` prints; with `profile`, also the time of each step of the prompt
/// and of the last token.
std::string write_run_json(const RunResult& result, bool profile);

/// Measurements of one kind of work, one per repetition.
struct MeasuredWork {
    std::string name;
    std::uint32_t tokens = 0;
    std::vector<double> seconds;

    double rate(std::size_t i) const { return seconds[i] > 0 ? tokens / seconds[i] : 0; }
    double mean() const {
        double sum = 0;
        for (std::size_t i = 0; i < seconds.size(); ++i) sum += rate(i);
        return sum / static_cast<double>(seconds.size());
    }
    /// Sample standard deviation; 0 for a single value.
    double deviation() const {
        if (seconds.size() < 2) return 0;
        double sum = 0;
        for (std::size_t i = 0; i < seconds.size(); ++i) sum += (rate(i) - mean()) * (rate(i) - mean());
        return std::sqrt(sum / static_cast<double>(seconds.size() - 1));
    }
};

/// What `bench --json` prints.
std::string write_bench_json(const Session& session, const std::vector<MeasuredWork>& all,
                             std::uint32_t threads);

}  // namespace splitscope
