// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/messages/message.hpp"
#include "engine/models/placement/weight_rule.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// The override that placed the weight which a decision follows, or which it is about.
std::optional<WeightRule> rule_behind(const Analysis& analysis, const Decision& decision);

/// As evidence_of(schedule, decision), with that override.
Message evidence_of(const Analysis& analysis, const Decision& decision);

}  // namespace splitscope
