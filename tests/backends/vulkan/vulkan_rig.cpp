// SPDX-License-Identifier: MIT
#include "tests/backends/vulkan/vulkan_rig.hpp"

#include <cstdlib>
#include <string_view>

#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
#include "tests/backends/vulkan/environment.hpp"

namespace splitscope {

VulkanRig make_vulkan_rig(bool check_shaders) {
    const char* wish = std::getenv("SPLITSCOPE_VULKAN_VALIDATION");
    vulkan::InstanceOptions options;
    options.validation = wish == nullptr || std::string_view(wish) != "0";
    options.check_shaders = check_shaders;
    VulkanRig rig;
    try {
        rig.kind = std::make_shared<VulkanBackendKind>(options);
        (void)rig.kind->device_count();
    } catch (const Error&) {
        // Without a loader or the layer, only VulkanBackendKind's message about the loader matters.
        rig.kind = std::make_shared<VulkanBackendKind>();
    }
    if (rig.kind->device_count() == 0) rig.why_not = missing_vulkan(english(rig.kind->why_none()));
    return rig;
}

}  // namespace splitscope
