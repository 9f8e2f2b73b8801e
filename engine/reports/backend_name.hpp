// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// Name of a backend of the schedule's machine; an en dash if there is none.
const std::string& backend_name(const Schedule& schedule, BackendId backend);

}  // namespace splitscope
