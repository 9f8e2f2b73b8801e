// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backends/vulkan/api.hpp"

namespace splitscope::vulkan {

struct InstanceOptions {
    /// Enables the validation layer with synchronisation checks. Throws if it is not installed.
    bool validation = false;
    /// Also checks SPIR-V, which takes most of the layer's time.
    bool check_shaders = true;
    /// Called with every validation message; see also messages().
    std::function<void(const std::string&)> on_message;
};

/// A Vulkan instance.
class Instance {
 public:
    /// Errors: unsupported, if there is no loader, driver or validation layer.
    explicit Instance(InstanceOptions options = {});
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    VkInstance handle() const { return instance_; }
    std::vector<VkPhysicalDevice> physical_devices() const;
    /// All validation messages so far.
    std::vector<std::string> messages() const;
    void add_message(const std::string& text);
    /// Forwards messages to `listener` for the lifetime of the result, starting with those not yet forwarded.
    std::shared_ptr<void> listen(std::function<void(const std::string&)> listener);

 private:
    using Listeners = std::list<std::function<void(const std::string&)>>;

    InstanceOptions options_;
    VkInstance instance_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    mutable std::mutex mutex_;
    std::vector<std::string> messages_;
    std::vector<std::string> unheard_;
    Listeners listeners_;
};

}  // namespace splitscope::vulkan
