// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/scheduler/recorded.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// A node that differs between the recorded graph and the graph built from the model.
struct GraphDifference {
    std::size_t position = 0;  ///< in Graph::nodes
    std::string recorded;      ///< operation and name; empty = missing
    std::string built;
};

/// A recorded graph compared with the graph built from its model: whether operations and order are equal, and
/// every decision.
struct ModelReplay {
    std::shared_ptr<const Schedule> schedule;  ///< simulated, on the recorded machine
    std::uint32_t tokens = 0;                  ///< derived from the recorded sizes
    bool flash_attention = false;
    std::int32_t gpu_layers = 0;               ///< derived from the recorded decisions
    std::vector<std::uint32_t> device_layers;  ///< per device of the machine; empty without devices
    std::size_t nodes = 0;                     ///< of the recorded graph
    std::vector<GraphDifference> different_nodes;
    RecordedSchedule recorded;     ///< what was recorded, on the graph of `schedule`
    RecordedComparison decisions;  ///< of the nodes that are the same
    bool same() const { return different_nodes.empty() && decisions.same(); }
};

/// Builds the model's graph in the form that best matches the recorded one, places its weights according to
/// the recorded decisions, and schedules it on `session`'s machine and generation. `session.file` is a log,
/// recording or dump with decisions. Throws Error(usage) if it has none, Error(unsupported) without a graph
/// builder, and Cancelled.
ModelReplay replay_on_model(const Session& session, const Model& model, const JobContext& job = {});

}  // namespace splitscope
