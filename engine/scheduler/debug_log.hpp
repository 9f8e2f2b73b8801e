// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/scheduler/schedule.hpp"

namespace splitscope {

struct DebugLogOptions {
    bool nodes = true;   ///< also the nodes, not only the split headers
    bool causes = true;  ///< fill the cause column
};

/// The schedule as the real scheduler of its generation prints it when its debug output is switched on
/// (scheduler.md §9). Sources appear rewired.
std::string debug_log(const Schedule& schedule, const DebugLogOptions& options = {});

}  // namespace splitscope
