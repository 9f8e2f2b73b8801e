// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/interface/backend.hpp"
#include "backends/vulkan/recording.hpp"

namespace splitscope {

/// Names of nodes by the numbers under which shaders report a fault.
struct NodeNames {
    std::uint32_t first = 1;  ///< number of the first name
    std::vector<std::string> names;

    /// Null if the number is not one of these.
    const std::string* find(std::uint32_t number) const {
        return number >= first && number - first < names.size() ? &names[number - first] : nullptr;
    }
};

/// Commands of a split, recorded once and submitted for each computation. The places of its tensors must not
/// change.
class VulkanPlan final : public GraphPlan {
 public:
    VulkanPlan(const BoundGraph& graph, std::span<const TensorId> nodes)
        : graph_(graph), nodes_(nodes.begin(), nodes.end()) {}

    const BoundGraph& graph() const { return graph_; }
    std::span<const TensorId> nodes() const { return nodes_; }

    std::shared_ptr<const vulkan::Memory> moved;  ///< memory of moved results
    std::shared_ptr<const vulkan::Memory> scratch;
    /// Its destructor waits for commands that use the memory above.
    std::unique_ptr<vulkan::Recorder> recorder;
    std::vector<VkCommandBuffer> commands;  ///< in order; several for long work
    DeviceWork work;
    std::shared_ptr<const NodeNames> names;
    bool keeps_results = true;
    std::uint64_t submission = 0;

 private:
    BoundGraph graph_;
    std::vector<TensorId> nodes_;
};

}  // namespace splitscope
