// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/messages/message.hpp"
#include "engine/planning/lint.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// A session change that resolves a finding, or that makes it cost less.
struct Remedy {
    Message what;  ///< for a button: "Remove the rule"
    Session changed;
};

/// Empty if no single session change does. Cheap.
std::optional<Remedy> remedy_of(const Finding& finding, const Session& session);

/// Whether the placement search may resolve the finding.
bool is_searched_for(const Finding& finding);

}  // namespace splitscope
