// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// Nodes computed by one kernel, in order.
struct FusedKernel {
    std::vector<TensorId> nodes;
    std::uint64_t touched_bytes = 0;  ///< read and written, without results that stay within the kernel
};

/// Commands given to a device, and the nodes that it computes together.
struct DeviceWork {
    std::uint64_t submissions = 0;
    std::uint64_t dispatches = 0;
    std::uint64_t barriers = 0;
    std::uint64_t copies = 0;         ///< commands that copy
    std::uint64_t copied_bytes = 0;   ///< by these commands
    std::uint64_t touched_bytes = 0;  ///< read and written by dispatches, each tensor of a dispatch once
    /// Kernels of several nodes; while nodes are timed, those that would be used otherwise.
    std::vector<FusedKernel> fused;

    DeviceWork& operator+=(const DeviceWork& more) {
        submissions += more.submissions;
        dispatches += more.dispatches;
        barriers += more.barriers;
        copies += more.copies;
        copied_bytes += more.copied_bytes;
        touched_bytes += more.touched_bytes;
        fused.insert(fused.end(), more.fused.begin(), more.fused.end());
        return *this;
    }
};

}  // namespace splitscope
