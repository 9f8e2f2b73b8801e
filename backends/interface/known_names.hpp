// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "backends/interface/device.hpp"

namespace splitscope {

/// What a name that ggml gives a device or a buffer type stands for. Its logs and recordings say no more than
/// the name, and neither did machine files before they had `kind` and `row_pad`. Nothing else may conclude
/// anything from a name.

/// The kind of backend of this program that computes for a device of this name; empty = none does.
std::string kind_named(std::string_view device, DeviceKind type);
/// Devices that compute in the CPU's memory.
bool computes_in_host_memory(std::string_view device);
/// MachineBackend::reorders.
bool reorders_splits(std::string_view device);
/// MachineBufferType::row_pad.
std::uint32_t row_pad_named(std::string_view buffer_type);

/// Whether llama.cpp, before it fitted models to memory, put all layers there unless told otherwise: Metal.
bool offloads_by_default(std::string_view device);

}  // namespace splitscope
