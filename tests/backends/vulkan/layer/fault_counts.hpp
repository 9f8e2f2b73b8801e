// SPDX-License-Identifier: MIT
// Counters of the test layer; reset with each instance, but for their number.
#pragma once

#include <cstdint>

struct FaultCounts {
    std::uint64_t instances = 0;  ///< made in this process
    std::uint64_t submissions = 0;
    std::uint64_t waits = 0;               ///< of the host for work
    std::uint64_t computing = 0;           ///< command buffers that were submitted and hold dispatches
    std::uint64_t barriers = 0;            ///< in command buffers, each time that they are submitted
    std::uint64_t dispatches = 0;          ///< likewise
    std::uint64_t imports = 0;             ///< host memory that a driver was asked to use in place
    std::uint64_t allocations = 0;         ///< of memory, imports included
    std::uint64_t largest_allocation = 0;  ///< bytes, without imports
    std::uint64_t pipelines = 0;
    std::int64_t open_devices = 0;
    std::uint64_t left_allocations = 0;  ///< memory that was not freed before its device was destroyed
};
