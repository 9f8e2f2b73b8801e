// SPDX-License-Identifier: MIT
#include "backends/vulkan/instance.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <string_view>
#include <utility>

#include "backends/vulkan/check.hpp"
#include "backends/vulkan/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope::vulkan {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

VKAPI_ATTR VkBool32 VKAPI_CALL on_validation_message(VkDebugUtilsMessageSeverityFlagBitsEXT /*severity*/,
                                                     VkDebugUtilsMessageTypeFlagsEXT /*types*/,
                                                     const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                     void* user) {
    // Newer layers also report their own settings as a warning.
    const char* id = data->pMessageIdName;
    if (id == nullptr || std::string_view(id) != "VALIDATION-SETTINGS")
        static_cast<Instance*>(user)->add_message(data->pMessage);
    return VK_FALSE;
}

template <class Function>
Function function_of(VkInstance instance, const char* name) {
    return reinterpret_cast<Function>(vkGetInstanceProcAddr(instance, name));
}

bool has_validation_layer() {
    std::uint32_t count = 0;
    vkEnumerateInstanceLayerProperties(&count, nullptr);
    std::vector<VkLayerProperties> layers(count);
    vkEnumerateInstanceLayerProperties(&count, layers.data());
    return std::ranges::any_of(layers, [](const VkLayerProperties& layer) {
        return std::string_view(layer.layerName) == kValidationLayer;
    });
}

}  // namespace

Instance::Instance(InstanceOptions options) : options_(std::move(options)) {
    // volk's functions are global and loaded once, because another instance may be using them. Extension
    // functions are per instance and queried separately.
    static std::mutex loading;
    static bool loaded = false;
    const std::scoped_lock lock(loading);
    if (!loaded && volkInitialize() != VK_SUCCESS) {
        throw Error(ErrorKind::unsupported, msg::kNoLoader, "Vulkan", msg::kInstallLoader);
    }
    if (volkGetInstanceVersion() < VK_API_VERSION_1_2) {
        throw Error(ErrorKind::unsupported, msg::kOldLoader, "Vulkan", msg::kUpdateLoader);
    }
    VkApplicationInfo application{};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.pApplicationName = "Splitscope";
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;

    VkDebugUtilsMessengerCreateInfoEXT messenger{};
    messenger.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
    messenger.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    messenger.messageType =
        VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
    messenger.pfnUserCallback = on_validation_message;
    messenger.pUserData = this;
    constexpr std::array kChecks = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    VkValidationFeaturesEXT features{};
    features.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
    features.enabledValidationFeatureCount = static_cast<std::uint32_t>(kChecks.size());
    features.pEnabledValidationFeatures = kChecks.data();
    constexpr std::array kWithoutShaders = {VK_VALIDATION_FEATURE_DISABLE_SHADERS_EXT};
    if (!options_.check_shaders) {
        features.disabledValidationFeatureCount = static_cast<std::uint32_t>(kWithoutShaders.size());
        features.pDisabledValidationFeatures = kWithoutShaders.data();
    }
    const char* layer = kValidationLayer;
    const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    if (options_.validation) {
        if (!has_validation_layer()) {
            throw Error(ErrorKind::unsupported, msg::kNoValidationLayer, "Vulkan",
                        msg::kInstallValidationLayer);
        }
        info.enabledLayerCount = 1;
        info.ppEnabledLayerNames = &layer;
        info.enabledExtensionCount = 1;
        info.ppEnabledExtensionNames = &extension;
        features.pNext = &messenger;
        info.pNext = &features;
    }
    check(vkCreateInstance(&info, nullptr, &instance_), msg::kCannotStartVulkan, "Vulkan");
    if (!loaded) volkLoadInstanceOnly(instance_);
    loaded = true;
    if (options_.validation) {
        messenger.pNext = nullptr;
        function_of<PFN_vkCreateDebugUtilsMessengerEXT>(instance_, "vkCreateDebugUtilsMessengerEXT")(
            instance_, &messenger, nullptr, &messenger_);
    }
}

Instance::~Instance() {
    if (messenger_ != VK_NULL_HANDLE) {
        function_of<PFN_vkDestroyDebugUtilsMessengerEXT>(instance_, "vkDestroyDebugUtilsMessengerEXT")(
            instance_, messenger_, nullptr);
    }
    vkDestroyInstance(instance_, nullptr);
}

std::vector<VkPhysicalDevice> Instance::physical_devices() const {
    std::uint32_t count = 0;
    vkEnumeratePhysicalDevices(instance_, &count, nullptr);
    std::vector<VkPhysicalDevice> devices(count);
    vkEnumeratePhysicalDevices(instance_, &count, devices.data());
    devices.resize(count);
    return devices;
}

std::vector<std::string> Instance::messages() const {
    const std::scoped_lock lock(mutex_);
    return messages_;
}

void Instance::add_message(const std::string& text) {
    const std::scoped_lock lock(mutex_);
    messages_.push_back(text);
    if (options_.on_message) options_.on_message(text);
    if (listeners_.empty()) unheard_.push_back(text);
    for (const auto& listener : listeners_) listener(text);
}

std::shared_ptr<void> Instance::listen(std::function<void(const std::string&)> listener) {
    const std::scoped_lock lock(mutex_);
    for (const std::string& text : std::exchange(unheard_, {})) listener(text);
    const auto place = listeners_.insert(listeners_.end(), std::move(listener));
    return {static_cast<void*>(this), [this, place](void*) {
                const std::scoped_lock end(mutex_);
                listeners_.erase(place);
            }};
}

}  // namespace splitscope::vulkan
