// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/messages/message.hpp"
#include "engine/planning/lint.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// A change of the session that removes what a finding is about.
struct Remedy {
    Message what;  ///< for a button: "Remove the rule"
    Session changed;
};

/// Nothing where no single change of the session does it. Cheap.
std::optional<Remedy> remedy_of(const LintFinding& finding, const Session& session);

/// Whether a search for the best placement may do it.
bool is_searched_for(const LintFinding& finding);

}  // namespace splitscope
