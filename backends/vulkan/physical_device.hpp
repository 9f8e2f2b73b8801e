// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "backends/vulkan/api.hpp"
#include "backends/vulkan/cooperative_matrix.hpp"
#include "engine/messages/message.hpp"

namespace splitscope::vulkan {

/// Optional features. A device without 8- and 16-bit storage and timeline semaphores is unusable; other
/// features are used if present, or only reported.
struct Features {
    bool storage_8bit = false;
    bool storage_16bit = false;
    bool timeline_semaphores = false;
    bool float16 = false;
    bool integer_dot_product = false;
    /// Hardware support for packed four-byte dot products.
    bool fast_integer_dot_product = false;
    bool subgroup_size_control = false;
    /// What modules with cooperative matrices need: the extension, its feature, full subgroups and the Vulkan
    /// memory model, with which other modules need the scope of the device.
    bool cooperative_matrix = false;
    bool memory_budget = false;
    bool external_host_memory = false;
};

/// Properties that select among kernels with the same result.
struct KernelTraits {
    /// Subgroup size if memory reads are executed per lane, as on software devices, so that reads should be
    /// minimised; else 0.
    std::uint32_t reading_lanes = 0;
    /// Subgroup size if reductions within subgroups are fastest; else 0.
    std::uint32_t summing_lanes = 0;
    /// Whether shaders that rely on it get subgroups of exactly `summing_lanes` lanes.
    bool fixed_lanes = false;
    std::uint32_t shared_bytes = 0;         ///< of a work group
    std::uint32_t group_invocations = 128;  ///< largest work group; Vulkan permits at least this
    /// Iterations of all loops of an invocation together, after which the driver silently ends them; 0: no
    /// limit.
    std::uint32_t max_iterations = 0;
    bool packed_dots = false;  ///< dot products of four bytes are faster than four products
    bool halves = false;       ///< F16 arithmetic
    /// If tiles of 32 rows would convert so many elements of columns to F16, a pass of its own converts them.
    std::int64_t min_conversions = std::int64_t{1} << 23;
    /// Shape of cooperative matrices of F16 with F32 accumulators.
    MatrixShape matrices;
    std::uint32_t matrix_lanes = 0;
    std::uint32_t matrix_subgroups = 0;  ///< most that multiply matrices together
};

/// Of compute shaders; zeros without subgroup size control.
struct SubgroupSizes {
    std::uint32_t least = 0;
    std::uint32_t most = 0;
    bool can_be_required = false;
};

/// Properties of a device as reported by its driver.
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
    SubgroupSizes subgroup_sizes;
    MatrixShape matrices;              ///< of its cooperative matrices, the most suitable one
    bool subgroup_operations = false;  ///< subgroup broadcasts and reductions in compute shaders
    std::uint32_t compute_family = 0;
    /// Nanoseconds per timestamp tick; 0 = no timestamps.
    double timestamp_period = 0;
    std::uint64_t timestamp_mask = 0;    ///< valid bits of a timestamp
    std::uint64_t import_alignment = 0;  ///< of host memory that it can use in place; 0 = it cannot
    Features features;
    std::string cache_key;  ///< depends on device and driver
    Message why_unusable;   ///< empty if it can be used

    bool usable() const { return why_unusable.empty(); }
    /// Alignment of tensors in buffers.
    std::uint64_t buffer_alignment() const;
    /// Bytes of the largest buffer: an allocation is a little larger, as shaders read whole words.
    std::uint64_t max_buffer() const;
    bool is_software() const { return type == VK_PHYSICAL_DEVICE_TYPE_CPU; }
    bool is_integrated() const { return type == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU; }
    /// Whether the device can read a file that is mapped read-only. Integrated GPUs share the host's memory,
    /// but some drivers import such memory and lose the device at the first submission, which needs write
    /// access.
    bool reads_mapped_files() const { return is_software() && import_alignment > 0; }
    /// Whether compute shaders can require `subgroup_size`.
    bool sets_subgroup_size() const;
    /// Whether compute shaders get `subgroup_size`: they require it, or there is no other.
    bool fixes_subgroup_size() const;
    KernelTraits kernel_traits() const;
};

PhysicalDevice describe(VkInstance instance, VkPhysicalDevice handle);

/// Optional features in words: "float16, memory budget".
std::string feature_text(const Features& features);
/// "Vulkan 1.3.230, largest buffer 2 GiB, …".
Message limits_text(const PhysicalDevice& device);

/// Free bytes of the device-local heap; the total if the driver does not report it.
std::uint64_t free_memory(const PhysicalDevice& device);

}  // namespace splitscope::vulkan
