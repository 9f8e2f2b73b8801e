// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "backends/vulkan/instance.hpp"
#include "backends/vulkan/physical_device.hpp"
#include "backends/vulkan/relay.hpp"
#include "engine/messages/message.hpp"

namespace splitscope::vulkan {

/// An opened device with its one queue. All work goes through the queue in the order of submission, and a
/// timeline semaphore counts the submissions that are done. A second one lets submissions wait for what other
/// devices do: a relay (relay.hpp) raises it.
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

    /// One uniform block with a dynamic offset: the description of a shader's node.
    VkDescriptorSetLayout node_layout() const { return node_layout_; }

    /// Index of a memory type with all of `wanted` among `allowed` (a bit set), preferring one that also has
    /// `preferred`; -1 when there is none.
    int memory_type(std::uint32_t allowed, VkMemoryPropertyFlags wanted,
                    VkMemoryPropertyFlags preferred = 0) const;
    VkMemoryPropertyFlags memory_flags(int type) const { return memory_.memoryTypes[type].propertyFlags; }

    /// Queues a command buffer, to begin when the relay has reached `relayed`; the number that its end is
    /// counted with. Errors: state, memory.
    std::uint64_t submit(VkCommandBuffer commands, std::uint64_t relayed = 0);
    /// The number of the newest submission.
    std::uint64_t submitted() const;
    /// The host waits until a submission is done. `what` is for the error.
    void wait(std::uint64_t submission, const Message& action) const;
    bool is_done(std::uint64_t submission) const;
    /// What of other devices the work of this one waits for, in a thread of its own.
    Relay& relay() { return *relay_; }
    /// It was lost: nothing can be computed on it any more.
    bool is_lost() const { return lost_; }
    /// Everything submitted until now; does not throw.
    void wait_idle() const noexcept;

 private:
    /// Waits for the relay as far as these submissions do. A wait for the device alone may end while the
    /// relay's thread is still in the call that let the device go on, and the validation layer, which holds
    /// its lock during a wait's end and needs it to end that call, then stands still until its time is out.
    void wait_for_relay(std::uint64_t submission) const;
    /// Throws for a failure; remembers that the device was lost.
    void require(VkResult result, const Message& action) const;

    std::shared_ptr<Instance> instance_;
    PhysicalDevice physical_;
    std::string name_;
    VkPhysicalDeviceMemoryProperties memory_{};
    VkDevice device_ = VK_NULL_HANDLE;
    VolkDeviceTable table_{};
    VkQueue queue_ = VK_NULL_HANDLE;
    VkSemaphore timeline_ = VK_NULL_HANDLE;
    VkSemaphore relayed_ = VK_NULL_HANDLE;
    VkDescriptorSetLayout node_layout_ = VK_NULL_HANDLE;
    mutable std::mutex mutex_;
    std::uint64_t submitted_ = 0;
    mutable std::mutex relayed_mutex_;  ///< other devices wait for this one while mutex_ is held
    /// Of submissions that wait for the relay: the highest number that they and those before wait for.
    mutable std::map<std::uint64_t, std::uint64_t> relayed_before_;
    mutable std::optional<Relay> relay_;
    mutable std::atomic<bool> lost_ = false;
};

}  // namespace splitscope::vulkan
