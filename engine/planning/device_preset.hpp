// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/messages/message.hpp"
#include "engine/models/placement/hardware.hpp"
#include "engine/session/known_machine.hpp"

namespace splitscope {

/// Published figures of a device, for planning without the hardware.
struct DevicePreset {
    std::string name;    ///< as on the command line, e.g. "rtx-3090"
    std::string family;  ///< of devices with one backend: CUDA, Metal, CPU, …
    Message source;      ///< where the figures come from
    DeviceFacts facts;
    DeviceKind device = DeviceKind::gpu;
    std::string kind;            ///< MachineBackend::kind
    MachineBufferType memory;    ///< without a name
    bool equal_batches = false;  ///< MachineBackend::equal_batches, and likewise the next
    bool contiguous_blocks = false;
    bool half_experts = false;
    bool unmixed_bf16 = false;
    bool reorders = false;  ///< nodes of a split: MachineBackend::reorders
    std::vector<std::int64_t> scan_states;
    std::vector<std::string> repacks;  ///< MachineBackend::repacks
};

/// The presets of resources/devices/devices.json. Throws Error(io, bad_file).
std::vector<DevicePreset> device_presets();

/// The refusals of a backend family, from its published support table (placement.md §14).
struct FamilySupport {
    std::vector<std::string> unsupported_ops;
    std::vector<UnsupportedPair> unsupported;
    std::vector<std::string> attention_types;     ///< MachineBackend::attention_types
    std::vector<AttentionHeads> attention_heads;  ///< MachineBackend::attention_heads
};
/// The entry of resources/devices/support.json; empty for families without a table.
FamilySupport family_support(std::string_view family);

/// Inserts a device before the machine's CPU as "CUDA0", "CUDA1", …; a CPU preset instead replaces the CPU's
/// support table and facts. Returns the backend. Assignments are renumbered. Reads the support tables: do not
/// call on the UI thread. Throws Error(io, bad_file).
BackendId add_preset(Session& session, const DevicePreset& preset);

/// A machine of presets, in order: "rtx-3090", or "rtx-3090:20" for 20 GiB of memory. Adds a common CPU if
/// none is named. Throws Error(usage) with the available names, for several CPUs, and for more memory than a
/// card has.
Hardware hardware_of_presets(const std::vector<std::string>& names);

/// As replace_machine(), with a machine of presets. Throws as hardware_of_presets().
void use_presets(Session& session, const std::vector<std::string>& names);

/// The machine and the facts about its devices.
KnownMachine known_machine(Hardware hardware);

/// Hardware without device facts.
Hardware hardware_of_machine(Machine machine);

}  // namespace splitscope
