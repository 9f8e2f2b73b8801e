// SPDX-License-Identifier: MIT
// How a machine's description and the Vulkan devices of this computer meet.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "backends/interface/machine.hpp"

namespace splitscope {

class VulkanKind;

/// "cpu", in upper or lower case.
bool is_cpu_name(const std::string& name);
/// "blas", likewise.
bool is_blas_name(const std::string& name);

/// A GPU called "Vulkan0", "Vulkan1", …: computed by that device where the computer has it.
bool is_vulkan(const MachineBackend& backend);

/// Notes for each node which of the machine's Vulkan backends take it.
void record_vulkan_support(Machine& machine, const Graph& graph);

/// The machine of these devices in the given order: "vulkan0" (also by number or by a part of the hardware's
/// name), "blas", which works in the CPU's memory and comes in front of it, and "cpu", which has to be last
/// and is added where it is missing. Errors: unknown, naming what exists or why there is no Vulkan device.
Machine machine_of_devices(std::span<const std::string> names, VulkanKind& vulkan);

}  // namespace splitscope
