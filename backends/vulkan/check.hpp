// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "backends/vulkan/api.hpp"
#include "engine/messages/message.hpp"

namespace splitscope::vulkan {

/// "out of device memory", "device lost", …
Message describe(VkResult result);

/// Throws Error with `where` if a call failed: memory, state (device lost) or unsupported.
void check(VkResult result, const Message& action, std::string_view where);

}  // namespace splitscope::vulkan
