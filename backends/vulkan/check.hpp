// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "backends/vulkan/api.hpp"

namespace splitscope::vulkan {

/// "out of device memory", "device lost", …
std::string_view name_of(VkResult result);

/// Throws Error naming `where` when a call failed: memory, state (device lost) or unsupported.
void check(VkResult result, std::string_view what, std::string_view where);

}  // namespace splitscope::vulkan
