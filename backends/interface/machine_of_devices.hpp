// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "backends/interface/backend_kind.hpp"

namespace splitscope {

class BackendRegistry;

/// The CPU as part of a machine. It has no kind: backends without a kind are computed by the CPU.
DescribedDevice described_cpu();

/// The machine with these devices of this computer, in this order. Devices that work in the CPU's memory are
/// placed before the CPU, which is last and added if missing; of several CPUs, the last named is used.
/// Devices of different kinds with equal names get the names by which they were requested. Errors: unknown,
/// with the available devices and why kinds have none.
Machine machine_of_devices(std::span<const std::string> names, const BackendRegistry& kinds,
                           const KindOptions& options = {});

/// Inserts a device before all others.
Machine with_device_first(Machine machine, DescribedDevice device);

/// "GPU0 + CPU": the name of a machine without a name.
std::string joined_names(const Machine& machine);

/// Records in the machine's `supports` the answers of the kinds' devices for each node of a graph, except for
/// backends named in `keep`.
void record_support(Machine& machine, const BackendRegistry& kinds, const Graph& graph,
                    const std::vector<bool>& keep);

}  // namespace splitscope
