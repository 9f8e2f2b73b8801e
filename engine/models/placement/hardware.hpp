// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backends/interface/machine.hpp"
#include "engine/tensor/type_set.hpp"

namespace splitscope {

/// Capacity and speed of a device. 0 = unknown.
struct DeviceFacts {
    std::string preset;  ///< source of the figures; empty = entered by the user, or unknown
    std::string title;
    std::uint64_t memory_total = 0;
    std::uint64_t memory_free = 0;
    double memory_bandwidth = 0;  ///< bytes per second
    double link_bandwidth = 0;    ///< bytes per second between this device and the host, one way
    double flops_f16 = 0;         ///< floating-point operations per second of matrix products
    double flops_f32 = 0;
    double link_latency = 0;  ///< seconds per copy before the first byte arrives, e.g. on a network
    double node_seconds = 0;  ///< seconds to start an operation; used only if measured
    /// Bytes per second of products of one token with weights of a type; where missing, memory_bandwidth.
    std::map<ElementType, double> weight_bandwidth{};
    bool measured = false;  ///< the rates were measured (calibrate()), not published
    friend bool operator==(const DeviceFacts&, const DeviceFacts&) = default;
};

/// A machine with the device facts that placement and estimates need.
struct Hardware {
    Machine machine;                        ///< without buffers and assignments
    std::vector<DeviceFacts> devices;       ///< one per backend; may be empty
    BufferTypeId pinned_type;               ///< pinned host memory of the first device that supports it
    BufferTypeId repack_type;               ///< CPU buffer type for repacked weights
    TypeSet repacked_types;                 ///< element types that it accepts
    std::vector<std::string> hardware_ids;  ///< per backend; equal ids mean the same card; may be empty
    /// False for sizes as llama.cpp measures them without allocating (llama-fit-params): the prompt graph
    /// then has no pinned nodes.
    bool pins_nodes = true;
    /// Records the answers of the machine's real devices for each node of a graph; empty if all devices are
    /// simulated.
    std::function<void(Machine&, const Graph&)> record_support;

    const DeviceFacts* facts(BackendId backend) const {
        return backend.index() < devices.size() ? &devices[backend.index()] : nullptr;
    }
};

}  // namespace splitscope
