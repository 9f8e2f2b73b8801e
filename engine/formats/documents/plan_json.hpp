// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/models/placement/program_defaults.hpp"
#include "engine/planning/companions.hpp"
#include "engine/planning/finding.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/planning/suggest.hpp"

namespace splitscope {

/// What `plan --json` prints (docs/file-formats.md); `like` and `generation` name the program whose
/// defaults apply.
std::string write_plan_json(const ModelPlan& plan, const GgufFile& file, Program like, Generation generation,
                            const std::vector<CompanionPlan>& companions = {});

/// What `suggest --json` prints.
std::string write_suggestion_json(const Suggestion& suggestion);

/// What `lint --json` prints.
std::string write_findings_json(const std::vector<Finding>& findings, const std::vector<Message>& notes);

}  // namespace splitscope
