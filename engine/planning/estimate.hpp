// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/models/placement/hardware.hpp"
#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// What an estimate takes for granted. The shares are of the published peaks.
struct EstimateAssumptions {
    double bandwidth_share = 0.75;
    double flops_share = 0.5;
    double link_share = 0.8;
    double node_seconds = 3e-6;    ///< to start one operation on a device
    double split_seconds = 20e-6;  ///< to end one split and begin the next
    std::string text() const;
};

struct SplitCost {
    SplitId split;
    double copy_seconds = 0;
    double compute_seconds = 0;
};

/// The time of one pass through a graph, by the roofline: each node takes the longer of reading its bytes and
/// computing its operations, splits run one after another, and inputs cross the slower device's link.
struct Estimate {
    bool known = false;  ///< every device that computes has figures
    double seconds = 0;
    double copy_seconds = 0;
    std::vector<SplitCost> splits;
};

/// Linear in the graph.
Estimate estimate(const Schedule& schedule, const Hardware& hardware,
                  const EstimateAssumptions& assumptions = {});

/// Bytes that a node moves between memory and its device: only the rows that are looked up, the experts that
/// are chosen.
double node_bytes(const GraphView& graph, TensorId node);

/// Time of one node on a device with known figures; `host` says that it is the CPU, which starts at no cost.
double node_time(const GraphView& graph, TensorId node, const DeviceFacts& device, bool host,
                 const EstimateAssumptions& assumptions = {});

/// Bytes that cross between devices when a split's input is copied: of a stack of experts only the chosen.
double input_bytes_copied(const Schedule& schedule, const Split& split, TensorId input);

}  // namespace splitscope
