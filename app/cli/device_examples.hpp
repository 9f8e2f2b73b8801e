// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace splitscope {
class BackendRegistry;
}

namespace splitscope::cli {

/// Devices as users may name them, for help texts: one of the first kind in front of the CPU.
std::string example_devices(const BackendRegistry& kinds);
/// The same with a device that works in the CPU's memory; empty when there is no such kind.
std::string example_host_devices(const BackendRegistry& kinds);

}  // namespace splitscope::cli
