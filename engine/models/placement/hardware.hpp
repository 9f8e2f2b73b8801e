// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends/interface/machine.hpp"
#include "engine/tensor/type_set.hpp"

namespace splitscope {

/// What a device can hold and do. Zero = not known.
struct DeviceFacts {
    std::string preset;  ///< where the numbers come from; empty = given by the user or unknown
    std::string title;
    std::uint64_t memory_total = 0;
    std::uint64_t memory_free = 0;
    double memory_bandwidth = 0;  ///< bytes per second
    double link_bandwidth = 0;    ///< bytes per second between this device and the host, one way
    double flops_f16 = 0;         ///< floating-point operations per second of matrix products
    double flops_f32 = 0;
    friend bool operator==(const DeviceFacts&, const DeviceFacts&) = default;
};

/// A machine with the facts that placement and estimates need beside it.
struct Hardware {
    Machine machine;                        ///< without buffers and assignments
    std::vector<DeviceFacts> devices;       ///< one per backend; may be empty
    BufferTypeId pinned_type;               ///< pinned host memory of the first device that has one
    BufferTypeId repack_type;               ///< the CPU's memory of interleaved weights
    TypeSet repacked_types;                 ///< what it takes
    std::vector<std::string> hardware_ids;  ///< per backend, equal = the same card; may be empty
    /// Writes down what real devices of the machine answer about each node of a graph; empty when all of
    /// them are only described.
    std::function<void(Machine&, const Graph&)> record_support;

    const DeviceFacts* facts(BackendId backend) const {
        return backend.index() < devices.size() ? &devices[backend.index()] : nullptr;
    }
};

}  // namespace splitscope
