// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace splitscope {
class BackendRegistry;
}

namespace splitscope::cli {

/// An example of device names for help texts: a device of the first kind, and the CPU.
std::string example_devices(const BackendRegistry& kinds);
/// The same with a device that works in the CPU's memory; empty if there is none.
std::string example_host_devices(const BackendRegistry& kinds);

}  // namespace splitscope::cli
