// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/scheduler/schedule.hpp"

namespace splitscope {

struct DebugLogOptions {
    bool nodes = true;   ///< also the nodes, not only the split headers
    bool causes = true;  ///< fill the cause column
};

/// The schedule as ggml's scheduler of its generation prints it with debug output enabled (scheduler.md §9).
/// Sources are shown after rewiring.
std::string debug_log(const Schedule& schedule, const DebugLogOptions& options = {});

}  // namespace splitscope
