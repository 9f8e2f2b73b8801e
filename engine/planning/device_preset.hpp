// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/messages/message.hpp"
#include "engine/models/placement/hardware.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// A device that can be planned for without having it.
struct DevicePreset {
    std::string name;    ///< as on the command line, e.g. "rtx-3090"
    std::string family;  ///< of devices with one backend: CUDA, Metal, CPU, …
    Message source;      ///< where the figures come from
    DeviceFacts facts;
    DeviceKind device = DeviceKind::gpu;
    std::string kind;          ///< MachineBackend::kind
    MachineBufferType memory;  ///< without a name
    bool reorders = false;     ///< nodes of a split: MachineBackend::reorders
    std::vector<std::int64_t> scan_states;
};

/// Those of resources/devices/devices.json. Throws Error(io, bad_file).
std::vector<DevicePreset> device_presets();

/// What a family refuses, reduced from its published support table (placement.md §14).
struct FamilySupport {
    std::vector<std::string> unsupported_ops;
    std::vector<UnsupportedPair> unsupported;
};
/// Of resources/devices/support.json; nothing for families without a table.
FamilySupport family_support(std::string_view family);

/// Adds a device before the machine's CPU as "CUDA0", "CUDA1", …; a CPU preset replaces the CPU's support
/// and facts instead. Returns the backend. Assignments follow their backends. Reads the support tables: not
/// for a UI thread. Throws Error(io, bad_file).
BackendId add_preset(Session& session, const DevicePreset& preset);

/// A machine of presets, in order: "rtx-3090", or "rtx-3090:20" for 20 GiB of its memory. The CPU is the one
/// named, else a common one. Throws Error(usage) naming what exists.
Hardware hardware_of_presets(const std::vector<std::string>& names);

/// Makes a machine of presets the session's; its options stay. Throws as hardware_of_presets().
void use_presets(Session& session, const std::vector<std::string>& names);

/// A machine of which nothing but its description is known.
Hardware hardware_of_machine(Machine machine);

}  // namespace splitscope
