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

/// A node of a recorded graph that is another one in the graph built from the model.
struct GraphDifference {
    std::size_t position = 0;  ///< in Graph::nodes
    std::string recorded;      ///< operation and name; empty = it has no such node
    std::string built;
};

/// A recorded graph beside the graph that our builder makes of the model it was recorded from: the same
/// operations in the same order, or where not, and each decision compared.
struct ModelReplay {
    std::shared_ptr<const Schedule> schedule;  ///< ours, on the recorded machine
    std::uint32_t tokens = 0;                  ///< read off the recorded sizes
    bool flash_attention = false;
    std::int32_t gpu_layers = 0;               ///< as the recorded decisions have it
    std::vector<std::uint32_t> device_layers;  ///< per device of the machine; empty without devices
    std::size_t nodes = 0;                     ///< of the recorded graph
    std::vector<GraphDifference> different_nodes;
    RecordedComparison decisions;  ///< of the nodes that are the same
    bool same() const { return different_nodes.empty() && decisions.same(); }
};

/// Builds the model's graph in the form that fits the recorded one best, places its weights as the recorded
/// decisions tell, and schedules it on `session`'s machine and generation. `session.file` is a log, recording
/// or dump with decisions. Throws Error(usage) when it has none, Error(unsupported) without a graph builder,
/// and Cancelled.
ModelReplay replay_on_model(const Session& session, const Model& model, const JobContext& job = {});

}  // namespace splitscope
