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

/// What can be said about values without keeping them.
struct ValueStatistics {
    std::uint64_t values = 0;
    std::uint64_t nans = 0;
    std::uint64_t infinities = 0;
    double least = std::numeric_limits<double>::infinity();  ///< of the finite ones
    double most = -std::numeric_limits<double>::infinity();
    double sum = 0;
    double sum_of_squares = 0;

    void add(double value) {
        ++values;
        if (std::isnan(value)) {
            ++nans;
        } else if (std::isinf(value)) {
            ++infinities;
        } else {
            if (value < least) least = value;
            if (value > most) most = value;
            sum += value;
            sum_of_squares += value * value;
        }
    }
    bool all_finite() const { return nans == 0 && infinities == 0; }
};

/// Reads `size` bytes of a tensor's memory from `offset` on.
using ReadBytes = std::function<void(void* to, std::size_t offset, std::size_t size)>;

/// True for types whose values are looked at: numbers that are not packed into blocks.
bool can_look_at(std::string_view type);

/// All values of a tensor, in pieces. Nothing for other types.
ValueStatistics look_at_values(const TensorFacts& tensor, std::string_view type, const ReadBytes& read);

}  // namespace splitscope::recorder
