// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/planning/lint.hpp"
#include "engine/scheduler/decision_stop.hpp"

namespace splitscope::ui {

// Translated labels of enumerations whose stable names are used in files and on the command line.

Message label_of(Severity severity);
Message label_of(StopKind kind);

}  // namespace splitscope::ui
