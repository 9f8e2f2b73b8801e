// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "backends/interface/event.hpp"
#include "backends/vulkan/logical_device.hpp"
#include "backends/vulkan/messages.hpp"

namespace splitscope {

/// A value of the device's timeline semaphore.
class VulkanEvent final : public Event {
 public:
    explicit VulkanEvent(std::shared_ptr<vulkan::LogicalDevice> device) : device_(std::move(device)) {}

    void synchronize() override { device_->wait(submission_, msg::kCannotFinishBeforeEvent); }
    void set(std::uint64_t submission) { submission_ = submission; }
    std::uint64_t submission() const { return submission_; }
    const std::shared_ptr<vulkan::LogicalDevice>& device() const { return device_; }

 private:
    std::shared_ptr<vulkan::LogicalDevice> device_;
    std::uint64_t submission_ = 0;  ///< 0 = never recorded
};

}  // namespace splitscope
