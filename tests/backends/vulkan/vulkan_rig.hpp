// SPDX-License-Identifier: MIT
// The first Vulkan device, with the validation layer if installed.
#pragma once

#include <memory>
#include <string>

#include "backends/interface/registry.hpp"
#include "backends/vulkan/vulkan_kind.hpp"

namespace splitscope {

struct VulkanRig {
    std::shared_ptr<VulkanBackendKind> kind;
    std::string why_not;  ///< empty when there is a device

    VulkanDevice& device() const { return static_cast<VulkanDevice&>(kind->device(0)); }
    /// For sessions that use the device.
    BackendKinds kinds() const {
        auto registry = std::make_shared<BackendRegistry>();
        registry->add(kind);
        return registry;
    }
    /// All messages of the validation layer, one per line.
    std::string messages() const {
        std::string text;
        for (const std::string& message : kind->messages()) text += message + "\n";
        return text;
    }
};

/// SPLITSCOPE_VULKAN_VALIDATION=0 disables the layer. `check_shaders` enables its checks of each pipeline,
/// which take most of its time.
VulkanRig make_vulkan_rig(bool check_shaders = true);

}  // namespace splitscope
