// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>

#include "recorder/graph_snapshot.hpp"

namespace splitscope::recorder {

/// Statistics of values.
struct ValueStatistics {
    std::uint64_t values = 0;
    std::uint64_t nans = 0;
    std::uint64_t infinities = 0;
    std::uint64_t negative_infinities = 0;                   ///< of these
    double least = std::numeric_limits<double>::infinity();  ///< of finite values
    double most = -std::numeric_limits<double>::infinity();
    double sum = 0;
    double sum_of_squares = 0;

    void add(double value) {
        ++values;
        if (std::isnan(value)) {
            ++nans;
        } else if (std::isinf(value)) {
            ++infinities;
            if (value < 0) ++negative_infinities;
        } else {
            if (value < least) least = value;
            if (value > most) most = value;
            sum += value;
            sum_of_squares += value * value;
        }
    }
    bool all_finite() const { return nans == 0 && infinities == 0; }
    /// Whether the only non-finite values are −∞, as in a mask.
    bool only_negative_infinities() const {
        return nans == 0 && infinities > 0 && infinities == negative_infinities;
    }
};

/// Reads `size` bytes of a tensor's memory at `offset`.
using ReadBytes = std::function<void(void* to, std::size_t offset, std::size_t size)>;

/// Scans all values of a tensor piece by piece. Empty for unsupported types: those packed into blocks.
ValueStatistics scan_values(const TensorFacts& tensor, std::string_view type, const ReadBytes& read);

}  // namespace splitscope::recorder
