// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

#include "engine/models/placement/hardware.hpp"

namespace splitscope {

/// A measured decode of one model entirely on one device.
struct TimedDecode {
    double seconds = 0;     ///< per token
    std::size_t nodes = 0;  ///< operations per token
    /// Seconds per token with the device's rates replaced.
    std::function<double(const DeviceFacts& facts)> estimated;
};

/// Seconds of computing in a measurement of `whole` seconds that includes sending a graph, which took
/// `sending` in another measurement: at least half, because noise can make `sending` the longer one.
double without_sending(double whole, double sending);

/// The memory rates of products are changed at most by this factor: what else a decode takes has other
/// causes.
inline constexpr double kMostMemoryFactor = 4;

/// Fits the rates of a device to decodes: the overhead per operation to that of a small model, whose weights
/// take hardly any time, and the memory rates to that of a large one. Either may be null; with the large one
/// only, the overhead takes what the memory rates do not explain. A large one that is mostly overhead
/// replaces the small one. False if the rates cannot explain the decode of the large one, or of the small one
/// if it is alone: something disturbed a measurement.
bool fit_rates(DeviceFacts& facts, const TimedDecode* small, const TimedDecode* large);

}  // namespace splitscope
