// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "backends/interface/backend_kind.hpp"
#include "backends/interface/machine.hpp"
#include "engine/planning/calibrate.hpp"

namespace splitscope {

/// Devices found by the kinds of backend that search for devices.
using DeviceListings = std::vector<std::pair<const BackendKind*, KindListing>>;

/// What `devices --json` prints.
std::string write_devices_json(const std::vector<Device*>& devices, const DeviceListings& listings,
                               const Machine& simulated);
/// What `devices --presets --json` prints.
std::string write_presets_json();
/// What `calibrate --json` prints.
std::string write_calibration_json(const Calibration& calibration);

}  // namespace splitscope
