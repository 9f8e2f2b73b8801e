// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "backends/interface/device.hpp"

namespace splitscope {

/// Meaning of ggml's names of devices and buffer types. Logs and recordings contain only the name, and so did
/// machine files before they had `kind` and `row_pad`. No other code may derive properties from names.

/// The kind of backend that computes for a device of this name; empty = none.
std::string kind_named(std::string_view device, DeviceKind type);
/// Whether the device computes in the CPU's memory.
bool computes_in_host_memory(std::string_view device);
/// See MachineBackend::reorders.
bool reorders_splits(std::string_view device);
/// See MachineBufferType::row_pad.
std::uint32_t row_pad_named(std::string_view buffer_type);

/// Whether llama.cpp put all layers on the device by default before it fitted models to memory: Metal.
bool offloads_by_default(std::string_view device);

}  // namespace splitscope
