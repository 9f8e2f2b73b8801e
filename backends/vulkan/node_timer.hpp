// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "backends/vulkan/logical_device.hpp"

namespace splitscope::vulkan {

/// Lets the device note when each of a row of commands has ended.
class NodeTimer {
 public:
    explicit NodeTimer(std::shared_ptr<LogicalDevice> device) : device_(std::move(device)) {}
    ~NodeTimer();
    NodeTimer(const NodeTimer&) = delete;
    NodeTimer& operator=(const NodeTimer&) = delete;

    /// Records the beginning of a row of at most so many nodes; nothing of the row before may be under way.
    /// Errors: memory.
    void begin(VkCommandBuffer commands, std::size_t nodes);
    /// Records the time: the end of a node.
    void mark(VkCommandBuffer commands);
    /// How long each marked node took; for work that is done.
    std::vector<std::chrono::nanoseconds> take();

 private:
    std::shared_ptr<LogicalDevice> device_;
    VkQueryPool pool_ = VK_NULL_HANDLE;
    std::uint32_t room_ = 0;
    std::uint32_t stamps_ = 0;
};

}  // namespace splitscope::vulkan
