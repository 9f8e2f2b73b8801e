// SPDX-License-Identifier: MIT
#include "backends/vulkan/logical_device.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <vector>

#include "backends/vulkan/check.hpp"
#include "backends/vulkan/messages.hpp"

namespace splitscope::vulkan {

LogicalDevice::LogicalDevice(std::shared_ptr<Instance> instance, PhysicalDevice physical, std::string name)
    : instance_(std::move(instance)),
      physical_(std::move(physical)),
      name_(std::move(name)),
      polls_(!physical_.is_software()) {
    vkGetPhysicalDeviceMemoryProperties(physical_.handle, &memory_);
    create_device();
    const VkResult made = create_objects();
    if (made != VK_SUCCESS) {
        table_.vkDestroySemaphore(device_, timeline_, nullptr);
        table_.vkDestroySemaphore(device_, relayed_, nullptr);
        table_.vkDestroyDevice(device_, nullptr);
    }
    check(made, msg::kCannotSetUpDevice, name_);
    relay_.emplace([this](std::uint64_t value) {
        VkSemaphoreSignalInfo signal{};
        signal.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
        signal.semaphore = relayed_;
        signal.value = value;
        table_.vkSignalSemaphore(device_, &signal);
    });
}

void LogicalDevice::create_device() {
    const Features& has = physical_.features;
    std::vector<const char*> extensions;
    VkPhysicalDeviceVulkan12Features v12{};
    v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    v12.bufferDeviceAddress = VK_TRUE;
    v12.timelineSemaphore = VK_TRUE;
    v12.storageBuffer8BitAccess = VK_TRUE;
    v12.uniformBufferStandardLayout = VK_TRUE;
    v12.shaderFloat16 = has.float16 ? VK_TRUE : VK_FALSE;
    v12.vulkanMemoryModel = has.cooperative_matrix ? VK_TRUE : VK_FALSE;
    v12.vulkanMemoryModelDeviceScope = v12.vulkanMemoryModel;
    const auto enable = [&](bool wanted, const char* extension, auto* optional) {
        if (!wanted) return;
        extensions.push_back(extension);
        optional->pNext = v12.pNext;
        v12.pNext = optional;
    };
    VkPhysicalDeviceShaderIntegerDotProductFeaturesKHR dot{};
    dot.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES_KHR;
    dot.shaderIntegerDotProduct = VK_TRUE;
    enable(has.integer_dot_product, VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME, &dot);
    VkPhysicalDeviceSubgroupSizeControlFeaturesEXT subgroups{};
    subgroups.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT;
    subgroups.subgroupSizeControl = VK_TRUE;
    subgroups.computeFullSubgroups = has.cooperative_matrix ? VK_TRUE : VK_FALSE;
    enable(has.subgroup_size_control, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, &subgroups);
    CooperativeMatrixFeatures matrices;
    matrices.cooperativeMatrix = VK_TRUE;
    enable(has.cooperative_matrix, kCooperativeMatrixExtension, &matrices);
    if (has.external_host_memory) extensions.push_back(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
    VkPhysicalDeviceVulkan11Features v11{};
    v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
    v11.storageBuffer16BitAccess = VK_TRUE;
    v11.pNext = &v12;
    VkPhysicalDeviceFeatures2 features{};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    features.features.shaderInt64 = VK_TRUE;
    features.pNext = &v11;

    const float priority = 1.0F;
    VkDeviceQueueCreateInfo queue{};
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = physical_.compute_family;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext = &features;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    check(vkCreateDevice(physical_.handle, &info, nullptr, &device_), msg::kCannotOpenDevice, name_);
    volkLoadDeviceTable(&table_, device_);
    table_.vkGetDeviceQueue(device_, physical_.compute_family, 0, &queue_);
}

VkResult LogicalDevice::create_objects() {
    VkSemaphoreTypeCreateInfo type{};
    type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo semaphore{};
    semaphore.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    semaphore.pNext = &type;
    VkResult made = table_.vkCreateSemaphore(device_, &semaphore, nullptr, &timeline_);
    if (made == VK_SUCCESS) made = table_.vkCreateSemaphore(device_, &semaphore, nullptr, &relayed_);
    VkDescriptorSetLayoutBinding binding{};
    binding.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    binding.descriptorCount = 1;
    binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    VkDescriptorSetLayoutCreateInfo layout{};
    layout.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    layout.bindingCount = 1;
    layout.pBindings = &binding;
    if (made != VK_SUCCESS) return made;
    return table_.vkCreateDescriptorSetLayout(device_, &layout, nullptr, &node_layout_);
}

LogicalDevice::~LogicalDevice() {
    wait_idle();
    relay_.reset();
    table_.vkDestroyDescriptorSetLayout(device_, node_layout_, nullptr);
    table_.vkDestroySemaphore(device_, timeline_, nullptr);
    table_.vkDestroySemaphore(device_, relayed_, nullptr);
    table_.vkDestroyDevice(device_, nullptr);
}

int LogicalDevice::memory_type(std::uint32_t allowed, VkMemoryPropertyFlags wanted,
                               VkMemoryPropertyFlags preferred) const {
    int found = -1;
    for (std::uint32_t i = 0; i < memory_.memoryTypeCount; ++i) {
        const VkMemoryPropertyFlags flags = memory_.memoryTypes[i].propertyFlags;
        if ((allowed >> i & 1U) == 0 || (flags & wanted) != wanted) continue;
        if ((flags & preferred) == preferred) return static_cast<int>(i);
        if (found < 0) found = static_cast<int>(i);
    }
    return found;
}

std::uint64_t LogicalDevice::submit(std::span<const VkCommandBuffer> commands, std::uint64_t relayed) {
    const std::scoped_lock lock(mutex_);
    const std::uint64_t value = submitted_ + 1;
    VkTimelineSemaphoreSubmitInfo timeline{};
    timeline.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
    timeline.signalSemaphoreValueCount = 1;
    timeline.pSignalSemaphoreValues = &value;
    timeline.pWaitSemaphoreValues = &relayed;
    const VkPipelineStageFlags waiting = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.pNext = &timeline;
    info.commandBufferCount = static_cast<std::uint32_t>(commands.size());
    info.pCommandBuffers = commands.data();
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &timeline_;
    info.waitSemaphoreCount = relayed > 0 ? 1 : 0;
    info.pWaitSemaphores = &relayed_;
    info.pWaitDstStageMask = &waiting;
    timeline.waitSemaphoreValueCount = info.waitSemaphoreCount;
    require(table_.vkQueueSubmit(queue_, 1, &info, VK_NULL_HANDLE), msg::kCannotSubmit);
    submitted_ = value;
    if (relayed > 0) {
        const std::scoped_lock relayed_lock(relayed_mutex_);
        const std::uint64_t before = relayed_before_.empty() ? 0 : relayed_before_.rbegin()->second;
        relayed_before_[value] = std::max(before, relayed);
    }
    return value;
}

std::uint64_t LogicalDevice::submitted() const {
    const std::scoped_lock lock(mutex_);
    return submitted_;
}

void LogicalDevice::wait_for_relay(std::uint64_t submission) const {
    std::uint64_t relayed = 0;
    {
        const std::scoped_lock lock(relayed_mutex_);
        const auto after = relayed_before_.upper_bound(submission);
        if (after == relayed_before_.begin()) return;
        relayed = std::prev(after)->second;
    }
    relay_->wait_for(relayed);
    const std::scoped_lock lock(relayed_mutex_);
    relayed_before_.erase(relayed_before_.begin(), relayed_before_.upper_bound(submission));
}

void LogicalDevice::require(VkResult result, const Message& action) const {
    if (result == VK_ERROR_DEVICE_LOST) lost_ = true;
    check(result, action, name_);
}

bool LogicalDevice::finishes_soon(std::uint64_t submission) const {
    // Drivers take about 0.1 ms to wake a thread, as long as several kernels.
    constexpr std::chrono::milliseconds kPolling{2};
    const auto end = std::chrono::steady_clock::now() + kPolling;
    std::uint64_t value = 0;
    while (std::chrono::steady_clock::now() < end) {
        if (table_.vkGetSemaphoreCounterValue(device_, timeline_, &value) != VK_SUCCESS) return false;
        if (value >= submission) return true;
    }
    return false;
}

void LogicalDevice::wait(std::uint64_t submission, const Message& action) const {
    if (submission == 0) return;
    wait_for_relay(submission);
    if (polls_ && finishes_soon(submission)) return;
    VkSemaphoreWaitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
    info.semaphoreCount = 1;
    info.pSemaphores = &timeline_;
    info.pValues = &submission;
    require(table_.vkWaitSemaphores(device_, &info, std::numeric_limits<std::uint64_t>::max()), action);
}

bool LogicalDevice::is_done(std::uint64_t submission) const {
    // No submission or signal may be in progress, which the validation layer would misinterpret.
    const std::scoped_lock lock(mutex_);
    return relay_->in_between([&] {
        std::uint64_t value = 0;
        return table_.vkGetSemaphoreCounterValue(device_, timeline_, &value) == VK_SUCCESS &&
               value >= submission;
    });
}

void LogicalDevice::wait_idle() const noexcept {
    wait_for_relay(submitted());
    // Waiting for a lost device is pointless.
    const std::scoped_lock lock(mutex_);
    table_.vkDeviceWaitIdle(device_);
}

}  // namespace splitscope::vulkan
