// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "backends/interface/backend_kind.hpp"

namespace splitscope {

class BackendRegistry;

/// The CPU as machines describe it. It needs no kind: what has none is computed by the CPU.
DescribedDevice described_cpu();

/// The machine of these devices of this computer, in this order. Devices that work in the CPU's memory come
/// right before the CPU, which is last and added where it is missing; of several CPUs the one named last. Of
/// devices of different kinds with one name, later ones have that by which they were asked for. Errors:
/// unknown, naming what exists and why a kind has no device.
Machine machine_of_devices(std::span<const std::string> names, const BackendRegistry& kinds,
                           const KindOptions& options = {});

/// Puts a device in front of all others.
Machine with_device_first(Machine machine, DescribedDevice device);

/// "GPU0 + CPU": the name of a machine that has none of its own.
std::string joined_names(const Machine& machine);

/// Writes what the devices of kinds answer about each node of a graph into the machine's `supports`, except
/// for backends that `keep` names.
void record_support(Machine& machine, const BackendRegistry& kinds, const Graph& graph,
                    const std::vector<bool>& keep);

}  // namespace splitscope
