// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "engine/messages/message.hpp"
#include "engine/models/placement/weight_rule.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// The override that placed the weight which a decision follows, or which it is about.
std::optional<WeightRule> rule_behind(const Analysis& analysis, const Decision& decision);

/// The name of a tensor of the schedule, or its identity if another tensor of the graph has the same name.
std::string unambiguous_name(const Analysis& analysis, TensorId tensor);

/// As evidence_of(schedule, decision), with that override and unambiguous names.
Message evidence_of(const Analysis& analysis, const Decision& decision);

}  // namespace splitscope
