// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "backends/interface/machine.hpp"

namespace splitscope {

/// Transfer speed between the host and a device.
struct LinkRates {
    double bandwidth = 0;  ///< bytes per second, of the slower direction
    double latency = 0;    ///< seconds, of the smallest copy
};

/// An extra function of kinds that can measure the link without the overhead of buffers. Errors: those of
/// BackendKind::make().
using MeasureLink = std::function<LinkRates(const MachineBackend& described)>;
inline constexpr const char* kMeasureLink = "measure-link";

}  // namespace splitscope
