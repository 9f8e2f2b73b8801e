// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "backends/interface/machine.hpp"
#include "engine/importers/scheduler_log.hpp"

namespace splitscope {

/// The backends a log names: accelerators in the order in which their buffers or splits appear, the CPU last.
/// What a log does not say (memory sizes, alignment, what is supported) is the usual.
Machine machine_of_log(const LoggedGraph& logged, const LogFacts& facts);

/// The backend that a complete name, or one cut to five bytes, means. Where several fit, `near` is taken if
/// it is among them. None for "NULL" and unknown ones.
BackendId backend_named(const Machine& machine, std::string_view name, BackendId near = {});

}  // namespace splitscope
