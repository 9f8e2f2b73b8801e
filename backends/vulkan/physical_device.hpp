// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/vulkan/api.hpp"
#include "engine/messages/message.hpp"

namespace splitscope::vulkan {

/// Abilities that a device may have. Without storage of 8 and 16 bits and timeline semaphores it is not
/// usable; the others are used where they are, or only told.
struct Features {
    bool storage_8bit = false;
    bool storage_16bit = false;
    bool timeline_semaphores = false;
    bool float16 = false;
    bool integer_dot_product = false;
    /// It multiplies four packed bytes in one step, not in several instructions.
    bool fast_integer_dot_product = false;
    bool subgroup_size_control = false;
    bool cooperative_matrix = false;
    bool memory_budget = false;
    bool external_host_memory = false;
};

/// What a driver says about one device.
struct PhysicalDevice {
    VkPhysicalDevice handle = VK_NULL_HANDLE;
    std::string name;
    std::string driver;  ///< name and version
    std::string api_version;
    VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_OTHER;
    VkPhysicalDeviceLimits limits{};
    std::uint64_t max_allocation = 0;  ///< bytes of the largest single allocation
    std::uint64_t total_memory = 0;    ///< bytes of the largest device-local heap
    std::uint32_t subgroup_size = 0;
    bool subgroup_operations = false;  ///< broadcasts and reductions in compute shaders
    std::uint32_t compute_family = 0;
    /// Nanoseconds of one tick of the clock that commands are timed with; 0 = there is none.
    double timestamp_period = 0;
    std::uint64_t timestamp_mask = 0;    ///< bits of a reading that count
    std::uint64_t import_alignment = 0;  ///< of host memory that it can use in place; 0 = it cannot
    Features features;
    std::string cache_key;  ///< changes with the device and its driver
    Message why_unusable;   ///< empty when it can be used

    bool usable() const { return why_unusable.empty(); }
    /// Of tensors in its buffers.
    std::uint64_t buffer_alignment() const;
    bool is_software() const { return type == VK_PHYSICAL_DEVICE_TYPE_CPU; }
    /// Its memory is the host's, so that what lies there already need not be copied.
    bool shares_host_memory() const {
        return is_software() || type == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
    }
    /// Lanes of a subgroup where each lane's read from memory takes its own time, as in software, so that
    /// reads are what to save; else 0.
    std::uint32_t reading_lanes() const {
        constexpr std::uint32_t kFewest = 8;
        return is_software() && subgroup_operations && subgroup_size >= kFewest ? subgroup_size : 0;
    }
};

PhysicalDevice describe(VkPhysicalDevice handle);

/// What it has of the optional abilities, in words: "float16, memory budget".
std::string feature_text(const Features& features);
/// "Vulkan 1.3.230, largest buffer 2 GiB, …".
Message limits_text(const PhysicalDevice& device);

/// Free bytes of the device-local heap now; the total when the driver does not say.
std::uint64_t free_memory(const PhysicalDevice& device);

}  // namespace splitscope::vulkan
