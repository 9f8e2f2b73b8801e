// SPDX-License-Identifier: MIT
#include "backends/simulated/simulated_machine.hpp"

#include <string_view>
#include <unordered_map>
#include <utility>

namespace splitscope {

SimulatedMachine::SimulatedMachine(std::shared_ptr<const Machine> machine, const Graph* graph,
                                   EmptyTensors empty_tensors) {
    live_.machine = std::move(machine);
    for (const MachineBufferType& type : live_.machine->buffer_types) {
        types_.push_back(std::make_unique<SimulatedBufferType>(type, empty_tensors));
        live_.buffer_types.push_back(types_.back().get());
    }
    for (const MachineBackend& backend : live_.machine->backends) {
        devices_.push_back(std::make_unique<SimulatedDevice>(backend, live_.buffer_types, *log_));
        backends_.push_back(devices_.back()->new_backend());
        live_.backends.push_back(backends_.back().get());
    }
    if (graph != nullptr) {
        record_answers(*graph);
        record_sizes(*graph);
    }
}

void SimulatedMachine::record_answers(const Graph& graph) {
    for (std::size_t b = 0; b < devices_.size(); ++b) {
        const auto& supports = live_.machine->backends[b].supports;
        if (supports.empty()) continue;
        std::vector<std::int8_t> answers(graph.tensors.size(), -1);
        for (const auto& [node, answer] : supports) {
            if (node < static_cast<std::int64_t>(graph.nodes.size())) {
                answers[graph.nodes[static_cast<std::size_t>(node)].index()] = answer ? 1 : 0;
            }
        }
        devices_[b]->set_recorded_answers(std::move(answers));
    }
}

void SimulatedMachine::record_sizes(const Graph& graph) {
    // Distributes the records by type first, because a graph may name many types.
    std::unordered_map<std::string_view, std::vector<RecordedSize>> sizes;
    for (const auto& [key, bytes] : graph.alloc_sizes) sizes[key.second].push_back({key.first, bytes});
    for (const auto& type : types_) {
        if (const auto found = sizes.find(type->name()); found != sizes.end())
            type->set_recorded_sizes(found->second);
    }
}

}  // namespace splitscope
