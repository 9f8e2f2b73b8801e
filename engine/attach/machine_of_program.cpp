// SPDX-License-Identifier: MIT
#include "engine/attach/machine_of_program.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "engine/tensor/op.hpp"

namespace splitscope {
namespace {

struct Answers {
    std::size_t accepted = 0;
    std::size_t refused = 0;
};

/// A device's answers about an operation.
struct OpAnswers {
    Answers all;
    std::map<std::string, Answers> with;  ///< an element type among node and sources
};

std::set<std::string> types_of(const Graph& graph, const Tensor& node) {
    std::set<std::string> types{std::string(name_of(node.type))};
    for (const TensorId source : node.src) {
        if (source.valid()) types.emplace(name_of(graph[source].type));
    }
    return types;
}

void count(const Graph& graph, const MachineBackend& backend, std::map<std::string, OpAnswers>& answers) {
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const Tensor& node = graph[graph.nodes[n]];
        if (!can_stop_at(node)) continue;
        const auto told = backend.supports.find(static_cast<std::int64_t>(n));
        const bool accepted = told == backend.supports.end() || told->second;
        OpAnswers& of_op = answers[std::string(name_of(node.op))];
        const auto add = [accepted](Answers& sum) { ++(accepted ? sum.accepted : sum.refused); };
        add(of_op.all);
        for (const std::string& type : types_of(graph, node)) add(of_op.with[type]);
    }
}

void take_rules(MachineBackend& backend, const std::map<std::string, OpAnswers>& answers) {
    backend.supports.clear();
    for (const auto& [op, told] : answers) {
        if (told.all.refused == 0) continue;
        if (told.all.accepted == 0) {
            backend.unsupported_ops.push_back(op);
            continue;
        }
        for (const auto& [type, with] : told.with) {
            if (with.refused > 0 && with.accepted == 0) backend.unsupported.push_back({op, {type}});
        }
    }
}

}  // namespace

Machine machine_of_program(std::span<const std::shared_ptr<const AttachedGraph>> graphs) {
    if (graphs.empty()) return {};
    Machine machine = graphs.back()->captured->machine;
    machine.buffers.clear();
    machine.assignments.clear();
    const auto same_devices = [&](const AttachedGraph& graph) {
        return std::ranges::equal(graph.captured->machine.backends, machine.backends, {},
                                  &MachineBackend::name, &MachineBackend::name);
    };
    for (std::size_t b = 0; b < machine.backends.size(); ++b) {
        std::map<std::string, OpAnswers> answers;
        for (const auto& graph : graphs) {
            if (same_devices(*graph)) count(*graph->graph, graph->captured->machine.backends[b], answers);
        }
        take_rules(machine.backends[b], answers);
    }
    return machine;
}

}  // namespace splitscope
