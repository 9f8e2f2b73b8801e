// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace splitscope::bench {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

template <class Work>
double seconds_of(Work&& work) {
    const auto begin = Clock::now();
    work();
    return seconds_since(begin);
}

/// The upper one of two; 0 for no values.
inline double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
}

/// The median over pairs of neighbouring measurements.
inline double median_ratio(const std::vector<double>& numerators, const std::vector<double>& denominators) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < denominators.size(); ++i) ratios.push_back(numerators[i] / denominators[i]);
    return median(ratios);
}

/// Where benchmarks keep the models that they write: SPLITSCOPE_BENCH_MODELS, or a temporary folder.
inline std::filesystem::path models_folder() {
    const char* const given = std::getenv("SPLITSCOPE_BENCH_MODELS");
    std::filesystem::path folder =
        given != nullptr ? given : std::filesystem::temp_directory_path() / "splitscope-bench";
    std::filesystem::create_directories(folder);
    return folder;
}

}  // namespace splitscope::bench
