// SPDX-License-Identifier: MIT
#include "backends/interface/machine_buffers.hpp"

#include <string_view>
#include <unordered_map>

namespace splitscope {

std::vector<const MachineBuffer*> machine_buffers(const Machine& machine, const Graph& graph) {
    std::unordered_map<std::string_view, const MachineBuffer*> named;
    for (const MachineBuffer& buffer : machine.buffers) named.try_emplace(buffer.name, &buffer);
    std::vector<const MachineBuffer*> buffers;
    buffers.reserve(graph.buffers.size());
    for (const std::string& name : graph.buffers) {
        const auto found = named.find(name);
        buffers.push_back(found == named.end() ? nullptr : found->second);
    }
    return buffers;
}

}  // namespace splitscope
