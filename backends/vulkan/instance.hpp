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
    /// The validation layer, with its checks of synchronisation. Throws when it is wanted and not installed.
    bool validation = false;
    /// With its checks of the SPIR-V too, which take most of its time.
    bool check_shaders = true;
    /// Called with every message of the validation layer, also kept in messages().
    std::function<void(const std::string&)> on_message;
};

/// The connection to the Vulkan loader.
class Instance {
 public:
    /// Errors: unsupported, when there is no loader, no driver or no validation layer.
    explicit Instance(InstanceOptions options = {});
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    VkInstance handle() const { return instance_; }
    std::vector<VkPhysicalDevice> physical_devices() const;
    /// What the validation layer found so far.
    std::vector<std::string> messages() const;
    void add_message(const std::string& text);
    /// Passes messages on to `listener` for as long as the result lives, beginning with those that nobody has
    /// heard yet.
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
