// SPDX-License-Identifier: MIT
// A Vulkan layer for tests: makes devices fail as real ones do, and counts calls and allocations. The
// environment variable SPLITSCOPE_FAULTS selects the faults as "name=number" words (see Settings). The loader
// finds layers itself and calls C functions, so their state is global to the process.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>
#include <string>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include "tests/backends/vulkan/layer/fault_counts.hpp"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

/// 0 = never.
struct Settings {
    std::uint64_t lose_submit = 0;      ///< the device is lost at the n-th submission
    std::uint64_t lose_wait = 0;        ///< … at the n-th time the host waits
    std::uint64_t memory = 0;           ///< bytes that can be allocated together
    std::uint64_t fail_allocation = 0;  ///< the n-th allocation fails
    std::uint64_t largest = 0;          ///< bytes of the largest allocation, as the device says
    std::uint64_t compile = 0;          ///< no pipeline from the n-th on can be compiled
    std::uint64_t no_timeline = 0;      ///< the device has no timeline semaphores
    std::uint64_t no_clock = 0;         ///< the device has no timestamps
    std::uint64_t no_import = 0;        ///< the driver refuses host memory
    std::uint64_t own_memory = 0;       ///< the host cannot access the device's memory, as on most GPUs
};

Settings settings_from(const char* text) {
    Settings settings;
    const std::map<std::string, std::uint64_t*> names = {
        {"lose-submit", &settings.lose_submit}, {"lose-wait", &settings.lose_wait},
        {"memory", &settings.memory},           {"fail-allocation", &settings.fail_allocation},
        {"largest", &settings.largest},         {"compile", &settings.compile},
        {"no-timeline", &settings.no_timeline}, {"no-clock", &settings.no_clock},
        {"no-import", &settings.no_import},     {"own-memory", &settings.own_memory}};
    std::istringstream words(text != nullptr ? text : "");
    for (std::string word; words >> word;) {
        const auto equals = word.find('=');
        const auto found = names.find(word.substr(0, equals));
        if (found != names.end() && equals != std::string::npos)
            *found->second = std::strtoull(word.c_str() + equals + 1, nullptr, 10);
    }
    return settings;
}

/// The next link of the chain, looked up while the instance is created: later the loader would return this
/// layer.
struct InstanceCalls {
    PFN_vkGetInstanceProcAddr next = nullptr;
    VkInstance handle = VK_NULL_HANDLE;
    PFN_vkDestroyInstance destroy = nullptr;
    PFN_vkGetPhysicalDeviceFeatures2 features = nullptr;
    PFN_vkGetPhysicalDeviceProperties2 properties = nullptr;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties families = nullptr;
    PFN_vkGetPhysicalDeviceMemoryProperties memory = nullptr;
};

struct DeviceCalls {
    PFN_vkGetDeviceProcAddr next = nullptr;
    VkDevice handle = VK_NULL_HANDLE;
    bool lost = false;
    std::map<VkDeviceMemory, std::uint64_t> allocated;
    template <class Function>
    Function get(const char* name) const {
        return reinterpret_cast<Function>(next(handle, name));
    }
};

/// What a command buffer holds.
struct Commands {
    std::uint64_t barriers = 0;
    std::uint64_t dispatches = 0;
};

struct State {
    std::mutex mutex;
    Settings settings;
    FaultCounts counts;
    std::map<void*, InstanceCalls> instances;
    std::map<void*, DeviceCalls> devices;
    std::map<VkCommandBuffer, Commands> recorded;  ///< since each was begun
};

State& state() {
    static State the_state;
    return the_state;
}

/// Handles of one instance or device begin with the same pointer.
void* key_of(const void* handle) {
    void* key = nullptr;
    std::memcpy(&key, handle, sizeof(key));
    return key;
}

InstanceCalls instance_of(const void* handle) {
    const std::scoped_lock lock(state().mutex);
    return state().instances[key_of(handle)];
}

DeviceCalls& device_of(const void* handle) {
    const std::scoped_lock lock(state().mutex);
    return state().devices[key_of(handle)];
}

/// The chain link that contains the next layer, or null.
template <class Info>
Info* link_of(const void* next, VkStructureType type) {
    for (auto* info = static_cast<const VkBaseInStructure*>(next); info != nullptr; info = info->pNext) {
        if (info->sType != type) continue;
        auto* link = reinterpret_cast<Info*>(const_cast<VkBaseInStructure*>(info));
        if (link->function == VK_LAYER_LINK_INFO) return link;
    }
    return nullptr;
}

/// Work in progress ends before the device is lost; otherwise it would access freed memory.
VkResult lose(DeviceCalls& device) {
    device.get<PFN_vkDeviceWaitIdle>("vkDeviceWaitIdle")(device.handle);
    device.lost = true;
    return VK_ERROR_DEVICE_LOST;
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                               const VkAllocationCallbacks* allocator, VkInstance* instance) {
    auto* link =
        link_of<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const auto create = reinterpret_cast<PFN_vkCreateInstance>(next(VK_NULL_HANDLE, "vkCreateInstance"));
    const VkResult result = create(info, allocator, instance);
    if (result != VK_SUCCESS) return result;
    const auto found = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(next(*instance, name));
    };
    InstanceCalls calls;
    calls.next = next;
    calls.handle = *instance;
    found(calls.destroy, "vkDestroyInstance");
    found(calls.features, "vkGetPhysicalDeviceFeatures2");
    found(calls.properties, "vkGetPhysicalDeviceProperties2");
    found(calls.families, "vkGetPhysicalDeviceQueueFamilyProperties");
    found(calls.memory, "vkGetPhysicalDeviceMemoryProperties");
    const std::scoped_lock lock(state().mutex);
    state().instances[key_of(*instance)] = calls;
    state().settings = settings_from(std::getenv("SPLITSCOPE_FAULTS"));
    const std::uint64_t instances = state().counts.instances;
    state().counts = {};
    state().counts.instances = instances + 1;
    state().recorded.clear();
    return result;
}

VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance instance, const VkAllocationCallbacks* allocator) {
    if (instance == VK_NULL_HANDLE) return;
    void* const key = key_of(instance);
    instance_of(instance).destroy(instance, allocator);
    const std::scoped_lock lock(state().mutex);
    state().instances.erase(key);
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* allocator, VkDevice* device) {
    auto* link = link_of<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr instance_next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    const PFN_vkGetDeviceProcAddr next = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const auto create =
        reinterpret_cast<PFN_vkCreateDevice>(instance_next(instance_of(physical).handle, "vkCreateDevice"));
    const VkResult result = create(physical, info, allocator, device);
    if (result != VK_SUCCESS) return result;
    const std::scoped_lock lock(state().mutex);
    DeviceCalls& calls = state().devices[key_of(*device)];
    calls = {};
    calls.next = next;
    calls.handle = *device;
    ++state().counts.open_devices;
    return result;
}

VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice device, const VkAllocationCallbacks* allocator) {
    if (device == VK_NULL_HANDLE) return;
    void* const key = key_of(device);
    device_of(device).get<PFN_vkDestroyDevice>("vkDestroyDevice")(device, allocator);
    const std::scoped_lock lock(state().mutex);
    --state().counts.open_devices;
    state().counts.left_allocations += state().devices[key].allocated.size();
    state().devices.erase(key);
}

VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2* features) {
    instance_of(physical).features(physical, features);
    if (state().settings.no_timeline == 0) return;
    for (auto* s = static_cast<VkBaseOutStructure*>(features->pNext); s != nullptr; s = s->pNext) {
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)
            reinterpret_cast<VkPhysicalDeviceVulkan12Features*>(s)->timelineSemaphore = VK_FALSE;
    }
}

VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice physical,
                                          VkPhysicalDeviceProperties2* properties) {
    instance_of(physical).properties(physical, properties);
    if (state().settings.largest == 0) return;
    for (auto* s = static_cast<VkBaseOutStructure*>(properties->pNext); s != nullptr; s = s->pNext) {
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES)
            reinterpret_cast<VkPhysicalDeviceVulkan11Properties*>(s)->maxMemoryAllocationSize =
                state().settings.largest;
    }
}

VKAPI_ATTR void VKAPI_CALL get_families(VkPhysicalDevice physical, std::uint32_t* count,
                                        VkQueueFamilyProperties* families) {
    instance_of(physical).families(physical, count, families);
    if (families == nullptr || state().settings.no_clock == 0) return;
    for (std::uint32_t i = 0; i < *count; ++i) families[i].timestampValidBits = 0;
}

/// Type 0 becomes two: the device's, and the host's.
VKAPI_ATTR void VKAPI_CALL get_memory(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties* memory) {
    instance_of(physical).memory(physical, memory);
    if (state().settings.own_memory == 0) return;
    memory->memoryTypeCount = 2;
    memory->memoryTypes[1] = memory->memoryTypes[0];
    memory->memoryTypes[0].propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    memory->memoryTypes[1].propertyFlags &= ~VkMemoryPropertyFlags{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT};
}

VKAPI_ATTR void VKAPI_CALL get_requirements(VkDevice handle, VkBuffer buffer, VkMemoryRequirements* needs) {
    device_of(handle).get<PFN_vkGetBufferMemoryRequirements>("vkGetBufferMemoryRequirements")(handle, buffer,
                                                                                              needs);
    if (state().settings.own_memory != 0 && (needs->memoryTypeBits & 1U) != 0) needs->memoryTypeBits = 3;
}

void count_commands(const Commands& commands) {
    FaultCounts& counts = state().counts;
    counts.barriers += commands.barriers;
    counts.dispatches += commands.dispatches;
    counts.computing += commands.dispatches > 0 ? 1 : 0;
}

VKAPI_ATTR VkResult VKAPI_CALL begin_commands(VkCommandBuffer commands,
                                              const VkCommandBufferBeginInfo* info) {
    {
        const std::scoped_lock lock(state().mutex);
        state().recorded[commands] = {};
    }
    return device_of(commands).get<PFN_vkBeginCommandBuffer>("vkBeginCommandBuffer")(commands, info);
}

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, std::uint32_t count, const VkSubmitInfo* infos,
                                      VkFence fence) {
    DeviceCalls& device = device_of(queue);
    const std::uint64_t number = ++state().counts.submissions;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::scoped_lock lock(state().mutex);
        for (std::uint32_t c = 0; c < infos[i].commandBufferCount; ++c)
            count_commands(state().recorded[infos[i].pCommandBuffers[c]]);
    }
    if (device.lost) return VK_ERROR_DEVICE_LOST;
    if (number == state().settings.lose_submit) return lose(device);
    return device.get<PFN_vkQueueSubmit>("vkQueueSubmit")(queue, count, infos, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL wait_semaphores(VkDevice handle, const VkSemaphoreWaitInfo* info,
                                               std::uint64_t timeout) {
    DeviceCalls& device = device_of(handle);
    std::uint64_t number = 0;
    {
        const std::scoped_lock lock(state().mutex);
        number = ++state().counts.waits;
    }
    if (device.lost) return VK_ERROR_DEVICE_LOST;
    if (number == state().settings.lose_wait) return lose(device);
    return device.get<PFN_vkWaitSemaphores>("vkWaitSemaphores")(handle, info, timeout);
}

VKAPI_ATTR VkResult VKAPI_CALL wait_idle(VkDevice handle) {
    DeviceCalls& device = device_of(handle);
    const VkResult result = device.get<PFN_vkDeviceWaitIdle>("vkDeviceWaitIdle")(handle);
    return device.lost ? VK_ERROR_DEVICE_LOST : result;
}

VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice handle, const VkMemoryAllocateInfo* info,
                                        const VkAllocationCallbacks* allocator, VkDeviceMemory* memory) {
    DeviceCalls& device = device_of(handle);
    {
        const std::scoped_lock lock(state().mutex);
        std::uint64_t sum = info->allocationSize;
        for (const auto& [one, bytes] : device.allocated) sum += bytes;
        if (state().settings.memory > 0 && sum > state().settings.memory)
            return VK_ERROR_OUT_OF_DEVICE_MEMORY;
        bool imports = false;
        for (auto* s = static_cast<const VkBaseInStructure*>(info->pNext); s != nullptr; s = s->pNext)
            imports = imports || s->sType == VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT;
        if (!imports)
            state().counts.largest_allocation =
                std::max<std::uint64_t>(state().counts.largest_allocation, info->allocationSize);
        if (++state().counts.allocations == state().settings.fail_allocation)
            return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    VkMemoryAllocateInfo real = *info;
    if (state().settings.own_memory != 0) real.memoryTypeIndex = 0;
    const VkResult result =
        device.get<PFN_vkAllocateMemory>("vkAllocateMemory")(handle, &real, allocator, memory);
    const std::scoped_lock lock(state().mutex);
    if (result == VK_SUCCESS) device.allocated[*memory] = info->allocationSize;
    return result;
}

VKAPI_ATTR void VKAPI_CALL free_memory(VkDevice handle, VkDeviceMemory memory,
                                       const VkAllocationCallbacks* allocator) {
    DeviceCalls& device = device_of(handle);
    {
        const std::scoped_lock lock(state().mutex);
        device.allocated.erase(memory);
    }
    device.get<PFN_vkFreeMemory>("vkFreeMemory")(handle, memory, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL import_properties(VkDevice handle, VkExternalMemoryHandleTypeFlagBits type,
                                                 const void* pointer,
                                                 VkMemoryHostPointerPropertiesEXT* properties) {
    if (state().settings.no_import != 0) return VK_ERROR_INVALID_EXTERNAL_HANDLE;
    ++state().counts.imports;
    return device_of(handle).get<PFN_vkGetMemoryHostPointerPropertiesEXT>(
        "vkGetMemoryHostPointerPropertiesEXT")(handle, type, pointer, properties);
}

VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice handle, VkPipelineCache cache, std::uint32_t count,
                                                const VkComputePipelineCreateInfo* infos,
                                                const VkAllocationCallbacks* allocator,
                                                VkPipeline* pipelines) {
    std::uint64_t number = 0;
    {
        const std::scoped_lock lock(state().mutex);
        number = ++state().counts.pipelines;
    }
    if (state().settings.compile > 0 && number >= state().settings.compile) {
        std::fill_n(pipelines, count, VkPipeline{VK_NULL_HANDLE});
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    return device_of(handle).get<PFN_vkCreateComputePipelines>("vkCreateComputePipelines")(
        handle, cache, count, infos, allocator, pipelines);
}

VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer commands, VkPipelineStageFlags from,
                                   VkPipelineStageFlags to, VkDependencyFlags flags,
                                   std::uint32_t memory_count, const VkMemoryBarrier* memory,
                                   std::uint32_t buffer_count, const VkBufferMemoryBarrier* buffers,
                                   std::uint32_t image_count, const VkImageMemoryBarrier* images) {
    {
        const std::scoped_lock lock(state().mutex);
        ++state().recorded[commands].barriers;
    }
    device_of(commands).get<PFN_vkCmdPipelineBarrier>("vkCmdPipelineBarrier")(
        commands, from, to, flags, memory_count, memory, buffer_count, buffers, image_count, images);
}

VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer commands, std::uint32_t x, std::uint32_t y,
                                    std::uint32_t z) {
    {
        const std::scoped_lock lock(state().mutex);
        ++state().recorded[commands].dispatches;
    }
    device_of(commands).get<PFN_vkCmdDispatch>("vkCmdDispatch")(commands, x, y, z);
}

template <class Function>
PFN_vkVoidFunction as_void(Function function) {
    return reinterpret_cast<PFN_vkVoidFunction>(function);
}

PFN_vkVoidFunction device_function(const std::string& name);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_function(VkDevice device, const char* name) {
    if (const auto own = device_function(name)) return own;
    return device != VK_NULL_HANDLE ? device_of(device).next(device, name) : nullptr;
}

PFN_vkVoidFunction device_function(const std::string& name) {
    static const std::map<std::string, PFN_vkVoidFunction> own = {
        {"vkGetDeviceProcAddr", as_void(get_device_function)},
        {"vkDestroyDevice", as_void(destroy_device)},
        {"vkBeginCommandBuffer", as_void(begin_commands)},
        {"vkQueueSubmit", as_void(submit)},
        {"vkWaitSemaphores", as_void(wait_semaphores)},
        {"vkDeviceWaitIdle", as_void(wait_idle)},
        {"vkGetBufferMemoryRequirements", as_void(get_requirements)},
        {"vkAllocateMemory", as_void(allocate)},
        {"vkFreeMemory", as_void(free_memory)},
        {"vkGetMemoryHostPointerPropertiesEXT", as_void(import_properties)},
        {"vkCreateComputePipelines", as_void(create_pipelines)},
        {"vkCmdPipelineBarrier", as_void(barrier)},
        {"vkCmdDispatch", as_void(dispatch)}};
    const auto found = own.find(name);
    return found != own.end() ? found->second : nullptr;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_function(VkInstance instance, const char* name) {
    static const std::map<std::string, PFN_vkVoidFunction> own = {
        {"vkGetInstanceProcAddr", as_void(get_instance_function)},
        {"vkCreateInstance", as_void(create_instance)},
        {"vkDestroyInstance", as_void(destroy_instance)},
        {"vkCreateDevice", as_void(create_device)},
        {"vkGetPhysicalDeviceFeatures2", as_void(get_features)},
        {"vkGetPhysicalDeviceProperties2", as_void(get_properties)},
        {"vkGetPhysicalDeviceQueueFamilyProperties", as_void(get_families)},
        {"vkGetPhysicalDeviceMemoryProperties", as_void(get_memory)}};
    const auto found = own.find(name);
    if (found != own.end()) return found->second;
    if (const auto of_device = device_function(name)) return of_device;
    return instance != VK_NULL_HANDLE ? instance_of(instance).next(instance, name) : nullptr;
}

}  // namespace

EXPORTED VkResult vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* versions) {
    versions->loaderLayerInterfaceVersion = std::min(versions->loaderLayerInterfaceVersion, 2U);
    versions->pfnGetInstanceProcAddr = get_instance_function;
    versions->pfnGetDeviceProcAddr = get_device_function;
    versions->pfnGetPhysicalDeviceProcAddr = nullptr;
    return VK_SUCCESS;
}

EXPORTED FaultCounts* splitscope_fault_counts() {
    return &state().counts;
}
