// SPDX-License-Identifier: MIT
#include "backends/vulkan/physical_device.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "backends/vulkan/messages.hpp"
#include "engine/messages/messages.hpp"

namespace splitscope::vulkan {
namespace {

std::vector<std::string> extensions_of(VkPhysicalDevice handle) {
    std::uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(handle, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> found(count);
    vkEnumerateDeviceExtensionProperties(handle, nullptr, &count, found.data());
    std::vector<std::string> names;
    names.reserve(found.size());
    for (const VkExtensionProperties& extension : found) names.emplace_back(extension.extensionName);
    return names;
}

std::string version_text(std::uint32_t version) {
    return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
                       VK_API_VERSION_PATCH(version));
}

std::vector<VkQueueFamilyProperties> families_of(VkPhysicalDevice handle) {
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(handle, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(handle, &count, families.data());
    return families;
}

/// A compute queue family, preferably without graphics.
std::optional<std::uint32_t> compute_family_of(std::span<const VkQueueFamilyProperties> families) {
    std::optional<std::uint32_t> best;
    for (std::uint32_t i = 0; i < families.size(); ++i) {
        if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) continue;
        const bool draws = (families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
        if (!best || !draws) best = i;
        if (!draws) break;
    }
    return best;
}

/// Checks the requirements of all shaders, and records optional features.
Message missing_feature(VkPhysicalDevice handle, Features& found) {
    VkPhysicalDeviceVulkan12Features v12{};
    v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    VkPhysicalDeviceVulkan11Features v11{};
    v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
    v11.pNext = &v12;
    VkPhysicalDeviceFeatures2 features{};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    features.pNext = &v11;
    vkGetPhysicalDeviceFeatures2(handle, &features);
    found.storage_8bit = v12.storageBuffer8BitAccess != VK_FALSE;
    found.storage_16bit = v11.storageBuffer16BitAccess != VK_FALSE;
    found.timeline_semaphores = v12.timelineSemaphore != VK_FALSE;
    if (v12.bufferDeviceAddress == VK_FALSE) return msg::kNoBufferAddresses;
    if (v12.timelineSemaphore == VK_FALSE) return msg::kNoTimelineSemaphores;
    if (v12.storageBuffer8BitAccess == VK_FALSE) return msg::kNo8BitStorage;
    if (v12.uniformBufferStandardLayout == VK_FALSE) return msg::kNoStandardLayout;
    if (v11.storageBuffer16BitAccess == VK_FALSE) return msg::kNo16BitStorage;
    if (features.features.shaderInt64 == VK_FALSE) return msg::kNo64BitIntegers;
    return {};
}

/// Queried only on devices with integer dot products.
bool multiplies_packed_bytes_fast(VkPhysicalDevice handle) {
    VkPhysicalDeviceShaderIntegerDotProductPropertiesKHR dot{};
    dot.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES_KHR;
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &dot;
    vkGetPhysicalDeviceProperties2(handle, &properties);
    return dot.integerDotProduct4x8BitPackedSignedAccelerated != VK_FALSE;
}

/// Queried only on devices with subgroup size control.
SubgroupSizes subgroup_sizes(VkPhysicalDevice handle) {
    VkPhysicalDeviceSubgroupSizeControlPropertiesEXT control{};
    control.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES_EXT;
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &control;
    vkGetPhysicalDeviceProperties2(handle, &properties);
    return {control.minSubgroupSize, control.maxSubgroupSize,
            (control.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0};
}

class Extensions {
 public:
    explicit Extensions(VkPhysicalDevice handle) : names_(extensions_of(handle)) {}
    bool has(std::string_view name) const { return std::ranges::find(names_, name) != names_.end(); }

 private:
    std::vector<std::string> names_;
};

void read_properties(PhysicalDevice& d, const Extensions& extensions) {
    VkPhysicalDeviceDriverProperties driver{};
    driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    VkPhysicalDeviceVulkan11Properties v11{};
    v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
    v11.pNext = &driver;
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT import{};
    import.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT;
    d.features.external_host_memory = extensions.has(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
    if (d.features.external_host_memory) driver.pNext = &import;
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &v11;
    vkGetPhysicalDeviceProperties2(d.handle, &properties);
    d.driver = fmt::format("{} {}", driver.driverName, driver.driverInfo);
    d.subgroup_size = v11.subgroupSize;
    d.import_alignment = import.minImportedHostPointerAlignment;
    constexpr VkSubgroupFeatureFlags kWanted =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
    d.subgroup_operations = (v11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 &&
                            (v11.subgroupSupportedOperations & kWanted) == kWanted;
    d.max_allocation = v11.maxMemoryAllocationSize;
}

std::uint64_t largest_device_heap(VkPhysicalDevice handle) {
    VkPhysicalDeviceMemoryProperties memory{};
    vkGetPhysicalDeviceMemoryProperties(handle, &memory);
    std::uint64_t largest = 0;
    for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
        if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
            largest = std::max(largest, memory.memoryHeaps[i].size);
    }
    return largest;
}

void read_features(PhysicalDevice& d, VkInstance instance, const Extensions& extensions) {
    VkPhysicalDeviceVulkan12Features v12{};
    v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    VkPhysicalDeviceShaderIntegerDotProductFeaturesKHR dot{};
    dot.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES_KHR;
    CooperativeMatrixFeatures matrices;
    VkPhysicalDeviceSubgroupSizeControlFeaturesEXT subgroups{};
    subgroups.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT;
    VkPhysicalDeviceFeatures2 features{};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    features.pNext = &v12;
    if (extensions.has(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME)) v12.pNext = &subgroups;
    if (extensions.has(VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME)) {
        dot.pNext = v12.pNext;
        v12.pNext = &dot;
    }
    if (extensions.has(kCooperativeMatrixExtension)) {
        matrices.pNext = v12.pNext;
        v12.pNext = &matrices;
    }
    vkGetPhysicalDeviceFeatures2(d.handle, &features);
    d.features.float16 = v12.shaderFloat16 != VK_FALSE;
    d.features.integer_dot_product = dot.shaderIntegerDotProduct != VK_FALSE;
    d.features.fast_integer_dot_product =
        d.features.integer_dot_product && multiplies_packed_bytes_fast(d.handle);
    d.features.subgroup_size_control = subgroups.subgroupSizeControl != VK_FALSE;
    d.features.cooperative_matrix =
        matrices.cooperativeMatrix != VK_FALSE && subgroups.computeFullSubgroups != VK_FALSE &&
        v12.vulkanMemoryModel != VK_FALSE && v12.vulkanMemoryModelDeviceScope != VK_FALSE;
    if (d.features.cooperative_matrix) d.matrices = suitable_shape(instance, d.handle);
    if (d.features.subgroup_size_control) d.subgroup_sizes = subgroup_sizes(d.handle);
    d.features.memory_budget = extensions.has(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
}

/// Chooses the family of queues. Returns false if the device has none for computing.
bool choose_queue_family(PhysicalDevice& d) {
    const std::vector<VkQueueFamilyProperties> families = families_of(d.handle);
    const auto family = compute_family_of(families);
    if (!family) return false;
    d.compute_family = *family;
    const std::uint32_t bits = families[*family].timestampValidBits;
    if (bits > 0) {
        d.timestamp_period = static_cast<double>(d.limits.timestampPeriod);
        d.timestamp_mask = ~std::uint64_t{0} >> (64U - bits);
    }
    return true;
}

}  // namespace

PhysicalDevice describe(VkInstance instance, VkPhysicalDevice handle) {
    PhysicalDevice d;
    d.handle = handle;
    VkPhysicalDeviceProperties basic{};
    vkGetPhysicalDeviceProperties(handle, &basic);
    d.name = basic.deviceName;
    d.type = basic.deviceType;
    d.limits = basic.limits;
    d.api_version = version_text(basic.apiVersion);
    if (basic.apiVersion < VK_API_VERSION_1_2) {
        d.driver = version_text(basic.driverVersion);
        d.why_unusable = msg::kOldDriver(d.api_version);
        return d;
    }
    const Extensions extensions(handle);
    read_properties(d, extensions);
    for (const std::uint8_t byte : basic.pipelineCacheUUID) d.cache_key += fmt::format("{:02x}", byte);
    d.cache_key += fmt::format("-{:x}-{:x}-{:x}", basic.vendorID, basic.deviceID, basic.driverVersion);
    d.total_memory = largest_device_heap(handle);
    read_features(d, instance, extensions);
    d.why_unusable = missing_feature(handle, d.features);
    if (!choose_queue_family(d)) d.why_unusable = msg::kNoComputeQueue;
    return d;
}

std::uint64_t PhysicalDevice::buffer_alignment() const {
    constexpr std::uint64_t kSmallest = 64;
    return std::max<std::uint64_t>(
        {kSmallest, limits.minStorageBufferOffsetAlignment, limits.optimalBufferCopyOffsetAlignment});
}

std::uint64_t PhysicalDevice::max_buffer() const {
    return max_allocation - std::min(max_allocation, buffer_alignment());
}

bool PhysicalDevice::sets_subgroup_size() const {
    return subgroup_sizes.can_be_required && subgroup_sizes.least <= subgroup_size &&
           subgroup_size <= subgroup_sizes.most;
}

bool PhysicalDevice::fixes_subgroup_size() const {
    return sets_subgroup_size() ||
           (subgroup_sizes.least == subgroup_size && subgroup_sizes.most == subgroup_size);
}

KernelTraits PhysicalDevice::kernel_traits() const {
    constexpr std::uint32_t kMinReading = 8;
    constexpr std::uint32_t kMinSumming = 4;
    const std::uint32_t lanes = subgroup_operations ? subgroup_size : 0;
    KernelTraits traits;
    traits.shared_bytes = limits.maxComputeSharedMemorySize;
    traits.group_invocations =
        std::min(limits.maxComputeWorkGroupInvocations, limits.maxComputeWorkGroupSize[0]);
    if (is_software()) {
        // The limit of Mesa's llvmpipe; other software devices may have none.
        traits.max_iterations = 65535;
        traits.reading_lanes = lanes >= kMinReading ? lanes : 0;
        return traits;
    }
    traits.summing_lanes = lanes >= kMinSumming ? lanes : 0;
    traits.fixed_lanes = traits.summing_lanes > 0 && fixes_subgroup_size();
    traits.packed_dots = features.fast_integer_dot_product && traits.summing_lanes > 0;
    traits.halves = features.float16;
    // Four subgroups multiply matrices together, and each must have as many lanes as is assumed.
    const bool has_matrices = features.cooperative_matrix && features.float16 && fixes_subgroup_size() &&
                              4 * lanes <= traits.group_invocations;
    if (has_matrices && lanes >= kMinReading) {
        traits.matrices = matrices;
        traits.matrix_lanes = matrices.exists() ? lanes : 0;
        traits.matrix_subgroups = 8 * lanes <= traits.group_invocations ? 8 : 4;
    }
    return traits;
}

std::uint64_t free_memory(const PhysicalDevice& device) {
    if (!device.features.memory_budget) return device.total_memory;
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{};
    budget.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT;
    VkPhysicalDeviceMemoryProperties2 memory{};
    memory.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2;
    memory.pNext = &budget;
    vkGetPhysicalDeviceMemoryProperties2(device.handle, &memory);
    std::uint64_t free = 0;
    for (std::uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; ++i) {
        if ((memory.memoryProperties.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) == 0) continue;
        const std::uint64_t left =
            budget.heapBudget[i] > budget.heapUsage[i] ? budget.heapBudget[i] - budget.heapUsage[i] : 0;
        free = std::max(free, left);
    }
    return free;
}

std::string feature_text(const Features& features) {
    std::vector<std::string_view> names;
    const auto add = [&names](bool has, std::string_view name) {
        if (has) names.push_back(name);
    };
    add(features.storage_8bit, "8-bit storage");
    add(features.storage_16bit, "16-bit storage");
    add(features.timeline_semaphores, "timeline semaphores");
    add(features.float16, "float16");
    add(features.integer_dot_product,
        features.fast_integer_dot_product ? "integer dot product" : "integer dot product (not accelerated)");
    add(features.subgroup_size_control, "subgroup size control");
    add(features.cooperative_matrix, "cooperative matrix");
    add(features.memory_budget, "memory budget");
    add(features.external_host_memory, "external host memory");
    return fmt::format("{}", fmt::join(names, ", "));
}

Message limits_text(const PhysicalDevice& device) {
    Message limits = msg::kVulkanLimits(device.api_version, device.max_allocation,
                                        device.limits.maxComputeSharedMemorySize,
                                        device.limits.maxComputeWorkGroupInvocations, device.subgroup_size);
    return device.is_software() ? Message::list({std::move(limits), msg::kInSoftware}, msg::kComma) : limits;
}

}  // namespace splitscope::vulkan
