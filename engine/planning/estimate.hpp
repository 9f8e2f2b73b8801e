// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/messages/message.hpp"
#include "engine/models/placement/hardware.hpp"
#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// Parameters of the estimate. Shares are relative to published peaks.
struct EstimateAssumptions {
    double bandwidth_share = 0.75;
    double flops_share = 0.5;
    double link_share = 0.8;
    double node_seconds = 3e-6;       ///< overhead per operation on a device
    double slow_node_seconds = 8e-6;  ///< overhead per operation at worst, also on the CPU
    double split_seconds = 20e-6;     ///< overhead per split
    Message described() const;
    /// Also names the devices with measured rates, to which these shares do not apply.
    Message described(const Hardware& hardware) const;

    double memory_rate(const DeviceFacts& device) const;
    /// Bytes per second of weights of this type, in products of few tokens.
    double weight_rate(const DeviceFacts& device, ElementType type) const;
    double link_rate(const DeviceFacts& device) const;
    double flops_rate(const DeviceFacts& device, bool reduced) const;
    /// Seconds to start one operation; `host`: the device is the CPU.
    double start_seconds(const DeviceFacts& device, bool host) const;
};

struct SplitCost {
    SplitId split;
    double copy_seconds = 0;
    double compute_seconds = 0;
};

/// Time of one computation of a graph by the roofline model: each node takes the longer of its memory traffic
/// and its arithmetic, splits run sequentially, and inputs cross the link of the slower device.
struct Estimate {
    bool known = false;  ///< figures of all computing devices are known
    double seconds = 0;
    /// Additional time if every operation had the worst overhead.
    double slow_start_seconds = 0;
    double copy_seconds = 0;
    std::vector<SplitCost> splits;

    /// Whether `seconds` is worth displaying: for small models, the overhead of operations dominates and the
    /// real time may be more than twice as long.
    bool is_reliable() const { return known && slow_start_seconds <= seconds; }
};

/// O(nodes).
Estimate estimate(const Schedule& schedule, const Hardware& hardware,
                  const EstimateAssumptions& assumptions = {});

/// Time of one node on a device with known figures; `host` means the CPU, which has no overhead per
/// operation.
double node_time(const GraphView& graph, TensorId node, const DeviceFacts& device, bool host,
                 const EstimateAssumptions& assumptions = {});

/// Bytes copied between devices for one input of a split; of a stack of experts, only the selected ones.
double input_bytes_copied(const Schedule& schedule, const Split& split, TensorId input);

}  // namespace splitscope
