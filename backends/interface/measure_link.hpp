// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "backends/interface/machine.hpp"

namespace splitscope {

/// Transfer speed between the host and a device.
struct LinkRates {
    double bandwidth = 0;  ///< bytes per second of the slower direction
    double latency = 0;    ///< seconds of the smallest copy
};

/// The extra function of kinds that measure it nearer to the device than buffers do. Errors: those of
/// LiveRequest.
using MeasureLink = std::function<LinkRates(const MachineBackend& described)>;
inline constexpr const char* kMeasureLink = "measure-link";

}  // namespace splitscope
