// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/models/placement/hardware.hpp"
#include "engine/session/known_machine.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// Result of a device search by one kind of backend.
struct FoundDevices {
    std::string kind;  ///< its title
    KindListing listing;
};

/// A device that llama.cpp uses only if it is named.
struct IdleDevice {
    std::string name;
    Message why;
};
/// Those among the usable devices of this computer: software devices, integrated GPUs beside a discrete one,
/// and all integrated GPUs but the first (placement.md §1).
std::vector<IdleDevice> idle_devices(std::span<const ListedDevice> listed);

enum class DeviceUse : std::uint8_t {
    by_default,  ///< without the idle ones
    all,         ///< every usable device
};

/// The chosen devices of this computer, then the CPU.
struct ThisComputer {
    KnownMachine known;
    std::vector<FoundDevices> found;
    std::vector<IdleDevice> idle;  ///< left out
};

/// The devices with these names (machine_of_devices.hpp), with their facts. Errors: unknown.
KnownMachine known_devices(std::span<const std::string> names, const BackendKinds& kinds,
                           const KindOptions& options, const JobContext& job = {});

/// If options are set for some kinds (such as a folder of libraries), uses only those kinds and the CPU.
/// Loads drivers: do not call on the UI thread. Memory sizes are reported by the devices; rates come from a
/// preset of the same product, else they are unknown. Throws Cancelled.
ThisComputer this_computer(const BackendKinds& kinds, const KindOptions& options, const JobContext& job = {},
                           DeviceUse use = DeviceUse::by_default);

/// A product name without vendor, memory size and other details: "RTX 4090" for "NVIDIA GeForce RTX 4090
/// 24GB".
std::string product_name(const std::string& title);

}  // namespace splitscope
