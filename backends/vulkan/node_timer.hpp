// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "backends/vulkan/logical_device.hpp"

namespace splitscope::vulkan {

/// Timestamps the end of each command on the device.
class NodeTimer {
 public:
    explicit NodeTimer(std::shared_ptr<LogicalDevice> device) : device_(std::move(device)) {}
    ~NodeTimer();
    NodeTimer(const NodeTimer&) = delete;
    NodeTimer& operator=(const NodeTimer&) = delete;

    /// Records the start of up to `nodes` nodes; the previous measurement must have completed. Errors:
    /// memory.
    void begin(VkCommandBuffer commands, std::size_t nodes);
    /// Records a timestamp at the end of a node.
    void mark(VkCommandBuffer commands);
    /// Duration of each marked node; the work must have completed.
    std::vector<std::chrono::nanoseconds> take();

 private:
    std::shared_ptr<LogicalDevice> device_;
    VkQueryPool pool_ = VK_NULL_HANDLE;
    std::uint32_t room_ = 0;
    std::uint32_t stamps_ = 0;
};

}  // namespace splitscope::vulkan
