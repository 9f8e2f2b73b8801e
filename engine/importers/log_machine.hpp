// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "backends/interface/machine.hpp"
#include "engine/importers/scheduler_log.hpp"

namespace splitscope {

/// The backends named in a log: accelerators in order of first appearance, the CPU last. Unlogged properties
/// (memory size, alignment, supported operations) get defaults.
Machine machine_of_log(const LoggedGraph& logged, const LogFacts& facts);

/// The backend with this full or truncated (five bytes) name. If several match, prefers `near`. None for
/// "NULL" and unknown names.
BackendId backend_named(const Machine& machine, std::string_view name, BackendId near = {});

}  // namespace splitscope
