// SPDX-License-Identifier: MIT
// The Vulkan functions, found at run time: the program does not need a Vulkan loader to start.
#pragma once

#include <volk.h>
