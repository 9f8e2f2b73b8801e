// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/planning/plan_model.hpp"

namespace splitscope {

enum class Severity : std::uint8_t { note, warning, error };
std::string_view name_of(Severity severity);

/// Something that would make the reference abort, or crawl without saying so.
struct LintFinding {
    Severity severity = Severity::note;
    std::string rule;  ///< stable, e.g. "override-matches-nothing"
    std::string what;
    std::string cause;
    std::string remedy;
};

/// Findings of a plan, the worst first.
std::vector<LintFinding> lint(const ModelPlan& plan);

/// Findings of anything that was scheduled: a model's graph, a graph file, a capture. The worst first.
std::vector<LintFinding> lint(const Analysis& analysis);

}  // namespace splitscope
