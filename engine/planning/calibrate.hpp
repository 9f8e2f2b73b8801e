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
    std::uint32_t threads = 0;  ///< threads of CPUs; 0 = one per core
    KindOptions kind_options{};
    std::uint32_t tokens = 16;    ///< tokens generated on each device
    std::int64_t columns = 4096;  ///< columns of the weights; smaller products stay in caches
};

/// A measured decode and its estimate.
struct MeasuredDecode {
    double seconds = 0;        ///< per token, without the time for sending graphs
    double from_products = 0;  ///< estimated from products and copies only
    double estimated = 0;      ///< with the result of the decode
};

/// Measurements of one backend.
struct MeasuredDevice {
    std::string name;
    DeviceFacts facts;
    std::string weights;                   ///< element type of the products
    std::optional<MeasuredDecode> decode;  ///< only with a model
    Message no_decode;                     ///< why there is no decode; empty without a model
    /// Sending a graph seemed to take longer than its products: the rates are lower bounds.
    bool disturbed = false;
    /// The rates of products, copies and operations cannot explain the time of the decode.
    bool contradicted = false;
};

struct Calibration {
    KnownMachine known;
    std::vector<MeasuredDevice> devices;  ///< in the order of the machine
};

/// Measures the devices of a machine: products of one token with weights of several types and of many tokens,
/// chains of small operations, copies between host and device, and a decode entirely on each device, of the
/// sample and, if `session` has a model with weights, of that model. Takes seconds per device. Simulated
/// devices cannot be measured. Errors: unsupported, with the device that is not present; those of the
/// backends; Cancelled.
Calibration calibrate(KnownMachine known, const BackendKinds& kinds, const Session* session,
                      const CalibrateOptions& options = {}, const JobContext& job = {});

}  // namespace splitscope
