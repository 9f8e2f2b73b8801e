// SPDX-License-Identifier: MIT
// Vulkan functions, loaded at run time: the program starts without a Vulkan loader.
#pragma once

#include <volk.h>
