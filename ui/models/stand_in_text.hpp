// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "engine/session/session.hpp"

namespace splitscope::ui {

/// Says that times are the CPU's, as a sentence; empty without devices. `stand_ins`: RunResult::stand_ins of
/// a run of this session.
QString stand_in_text(const Session& session, const std::vector<BackendId>& stand_ins);

}  // namespace splitscope::ui
