// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/models/placement/hardware.hpp"
#include "engine/session/known_machine.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// What a kind of backend that searches for devices found.
struct FoundDevices {
    std::string kind;  ///< its title
    KindListing listing;
};

/// The devices of this computer that can be used, then the CPU.
struct ThisComputer {
    KnownMachine known;
    std::vector<FoundDevices> found;
};

/// The devices of these names (machine_of_devices.hpp) with what they say of themselves. Errors: unknown.
KnownMachine known_devices(std::span<const std::string> names, const BackendKinds& kinds,
                           const KindOptions& options, const JobContext& job = {});

/// Where the options have a value for some kinds, such as the folder of their devices, only those of these
/// kinds, and the CPU. Loads drivers: not for a UI thread. Memory is what the devices say; rates are those of
/// the preset of the same product, where there is one, else not known. Throws Cancelled.
ThisComputer this_computer(const BackendKinds& kinds, const KindOptions& options, const JobContext& job = {});

/// A product's name without its maker, its memory and other details: "RTX 4090" of "NVIDIA GeForce RTX 4090
/// 24GB".
std::string product_name(const std::string& title);

}  // namespace splitscope
