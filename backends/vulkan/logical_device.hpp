// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "backends/vulkan/instance.hpp"
#include "backends/vulkan/physical_device.hpp"
#include "backends/vulkan/relay.hpp"
#include "engine/messages/message.hpp"

namespace splitscope::vulkan {

/// An open device with a single queue. Submissions run in order; a timeline semaphore counts the completed
/// ones. A second timeline lets submissions wait for other devices: a relay (relay.hpp) signals it.
class LogicalDevice {
 public:
    LogicalDevice(std::shared_ptr<Instance> instance, PhysicalDevice physical, std::string name);
    ~LogicalDevice();
    LogicalDevice(const LogicalDevice&) = delete;
    LogicalDevice& operator=(const LogicalDevice&) = delete;

    VkDevice handle() const { return device_; }
    const VolkDeviceTable& call() const { return table_; }
    const PhysicalDevice& physical() const { return physical_; }
    const std::string& name() const { return name_; }

    /// One uniform block with a dynamic offset: the node's parameters.
    VkDescriptorSetLayout node_layout() const { return node_layout_; }

    /// Index of a memory type in `allowed` (a bit set) with all flags of `wanted`, preferably also
    /// `preferred`; -1 if there is none.
    int memory_type(std::uint32_t allowed, VkMemoryPropertyFlags wanted,
                    VkMemoryPropertyFlags preferred = 0) const;
    VkMemoryPropertyFlags memory_flags(int type) const { return memory_.memoryTypes[type].propertyFlags; }

    /// Submits command buffers that start when the relay has reached `relayed`; returns their submission
    /// number. Errors: state, memory.
    std::uint64_t submit(std::span<const VkCommandBuffer> commands, std::uint64_t relayed = 0);
    /// Number of the last submission.
    std::uint64_t submitted() const;
    /// Blocks until a submission has completed. `action` is for error messages.
    void wait(std::uint64_t submission, const Message& action) const;
    bool is_done(std::uint64_t submission) const;
    /// Waits for other devices on behalf of this one, on a separate thread.
    Relay& relay() { return *relay_; }
    /// Whether the device was lost; it is then unusable.
    bool is_lost() const { return lost_; }
    /// Waits for all submissions; does not throw.
    void wait_idle() const noexcept;

 private:
    /// Opens the device with the features that it has and the kernels use.
    void create_device();
    /// Creates semaphores and layouts, up to the first that fails.
    VkResult create_objects();
    /// Waits for the relay as far as the submission depends on it. A wait for the device alone can return
    /// while the relay's thread is still in the call that signalled the device; the validation layer, which
    /// takes the same lock at the end of both calls, then blocks until its timeout.
    void wait_for_relay(std::uint64_t submission) const;
    /// Polls for a moment; false if the submission takes longer.
    bool finishes_soon(std::uint64_t submission) const;
    /// Throws if a call failed; records a lost device.
    void require(VkResult result, const Message& action) const;

    std::shared_ptr<Instance> instance_;
    PhysicalDevice physical_;
    std::string name_;
    bool polls_;  ///< before it sleeps; in software, that would slow the device down
    VkPhysicalDeviceMemoryProperties memory_{};
    VkDevice device_ = VK_NULL_HANDLE;
    VolkDeviceTable table_{};
    VkQueue queue_ = VK_NULL_HANDLE;
    VkSemaphore timeline_ = VK_NULL_HANDLE;
    VkSemaphore relayed_ = VK_NULL_HANDLE;
    VkDescriptorSetLayout node_layout_ = VK_NULL_HANDLE;
    mutable std::mutex mutex_;
    std::uint64_t submitted_ = 0;
    mutable std::mutex relayed_mutex_;  ///< other devices wait for this one with mutex_ held
    /// For submissions that depend on the relay: the highest relay number that they or earlier ones wait for.
    mutable std::map<std::uint64_t, std::uint64_t> relayed_before_;
    mutable std::optional<Relay> relay_;
    mutable std::atomic<bool> lost_ = false;
};

}  // namespace splitscope::vulkan
