// SPDX-License-Identifier: MIT
#include "backends/vulkan/check.hpp"

#include <fmt/format.h>

#include "engine/support/error.hpp"

namespace splitscope::vulkan {

std::string_view name_of(VkResult result) {
    switch (result) {
        case VK_SUCCESS:
            return "success";
        case VK_TIMEOUT:
            return "timeout";
        case VK_ERROR_OUT_OF_HOST_MEMORY:
            return "out of host memory";
        case VK_ERROR_OUT_OF_DEVICE_MEMORY:
            return "out of device memory";
        case VK_ERROR_INITIALIZATION_FAILED:
            return "initialisation failed";
        case VK_ERROR_DEVICE_LOST:
            return "device lost";
        case VK_ERROR_LAYER_NOT_PRESENT:
            return "layer not present";
        case VK_ERROR_EXTENSION_NOT_PRESENT:
            return "extension not present";
        case VK_ERROR_FEATURE_NOT_PRESENT:
            return "feature not present";
        case VK_ERROR_INCOMPATIBLE_DRIVER:
            return "no Vulkan driver is installed";
        case VK_ERROR_TOO_MANY_OBJECTS:
            return "too many objects";
        case VK_ERROR_INVALID_EXTERNAL_HANDLE:
            return "the driver refuses this memory";
        default:
            return "unknown failure";
    }
}

void check(VkResult result, std::string_view what, std::string_view where) {
    if (result == VK_SUCCESS) return;
    const std::string problem = fmt::format("{}: {} ({})", what, name_of(result), static_cast<int>(result));
    switch (result) {
        case VK_ERROR_OUT_OF_HOST_MEMORY:
        case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        case VK_ERROR_TOO_MANY_OBJECTS:
            throw Error(ErrorKind::memory, problem, std::string(where),
                        "put fewer layers on the device, or use a smaller context or batch");
        case VK_ERROR_DEVICE_LOST:
            throw Error(ErrorKind::state, problem, std::string(where),
                        "run again on the CPU; the driver's log may say why the device was lost");
        default:
            throw Error(ErrorKind::unsupported, problem, std::string(where),
                        "update the driver, or run on the CPU");
    }
}

}  // namespace splitscope::vulkan
