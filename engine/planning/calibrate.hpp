// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/planning/estimate.hpp"
#include "engine/session/known_machine.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

struct CalibrateOptions {
    std::uint32_t threads = 0;  ///< of CPUs; 0 = one per core
    KindOptions kind_options{};
    std::uint32_t tokens = 16;    ///< that each device generates with the model
    std::int64_t columns = 4096;  ///< of the products; less than that stays in caches
};

/// A decode as it was measured, beside its estimate.
struct MeasuredDecode {
    double seconds = 0;        ///< per token, without sending graphs
    double from_products = 0;  ///< estimated from products and copies alone
    double estimated = 0;      ///< with what the decode itself has shown
};

/// What was measured of one backend.
struct MeasuredDevice {
    std::string name;
    DeviceFacts facts;
    std::string weights;                   ///< element type of the products
    std::optional<MeasuredDecode> decode;  ///< only with a model
    Message no_decode;                     ///< why there is none; empty without a model
};

struct Calibration {
    KnownMachine known;
    std::vector<MeasuredDevice> devices;  ///< in the machine's order
};

/// Measures the devices of a machine: products of one token and of many, chains of small operations, copies
/// between host and device, and, where `session` has a model with weights, a decode wholly on each. What the
/// machine only describes cannot be measured. Takes seconds for each device. Errors: unsupported, naming what
/// is not there; those of the backends; Cancelled.
Calibration calibrate(KnownMachine known, const BackendKinds& kinds, const Session* session,
                      const CalibrateOptions& options = {}, const JobContext& job = {});

}  // namespace splitscope
