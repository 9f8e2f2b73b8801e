// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/planning/lint.hpp"
#include "engine/scheduler/decision_stop.hpp"

namespace splitscope::ui {

// Words for values that files and the command line call by stable names.

Message label_of(Severity severity);
Message label_of(StopKind kind);

}  // namespace splitscope::ui
