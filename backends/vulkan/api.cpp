// SPDX-License-Identifier: MIT
#define VOLK_IMPLEMENTATION
#include "backends/vulkan/api.hpp"
