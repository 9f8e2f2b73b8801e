// SPDX-License-Identifier: MIT
#include "backends/vulkan/check.hpp"

#include "backends/interface/messages.hpp"
#include "backends/vulkan/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope::vulkan {

Message describe(VkResult result) {
    switch (result) {
        case VK_SUCCESS:
            return msg::kResultSuccess;
        case VK_TIMEOUT:
            return msg::kResultTimeout;
        case VK_ERROR_OUT_OF_HOST_MEMORY:
            return msg::kResultOutOfHostMemory;
        case VK_ERROR_OUT_OF_DEVICE_MEMORY:
            return msg::kResultOutOfDeviceMemory;
        case VK_ERROR_INITIALIZATION_FAILED:
            return msg::kResultNotInitialised;
        case VK_ERROR_DEVICE_LOST:
            return msg::kResultDeviceLost;
        case VK_ERROR_LAYER_NOT_PRESENT:
            return msg::kResultNoLayer;
        case VK_ERROR_EXTENSION_NOT_PRESENT:
            return msg::kResultNoExtension;
        case VK_ERROR_FEATURE_NOT_PRESENT:
            return msg::kResultNoFeature;
        case VK_ERROR_INCOMPATIBLE_DRIVER:
            return msg::kResultNoDriver;
        case VK_ERROR_TOO_MANY_OBJECTS:
            return msg::kResultTooManyObjects;
        case VK_ERROR_INVALID_EXTERNAL_HANDLE:
            return msg::kResultRefusedMemory;
        default:
            return msg::kResultUnknown;
    }
}

void check(VkResult result, const Message& action, std::string_view where) {
    if (result == VK_SUCCESS) return;
    const Message problem = msg::kCallFailed(action, describe(result), static_cast<int>(result));
    switch (result) {
        case VK_ERROR_OUT_OF_HOST_MEMORY:
        case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        case VK_ERROR_TOO_MANY_OBJECTS:
            throw Error(ErrorKind::memory, problem, where, msg::kPutFewerLayers);
        case VK_ERROR_DEVICE_LOST:
            throw Error(ErrorKind::state, problem, where, msg::kRunOnCpuAfterLoss);
        default:
            throw Error(ErrorKind::unsupported, problem, where, msg::kUpdateDriver);
    }
}

}  // namespace splitscope::vulkan
