// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/messages/message.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/session/summary.hpp"

namespace splitscope {

enum class Severity : std::uint8_t { note, warning, error };
std::string_view name_of(Severity severity);

/// Something that would make the reference abort, or crawl without saying so.
struct LintFinding {
    Severity severity = Severity::note;
    std::string rule;  ///< stable, e.g. "override-matches-nothing"
    Message what;
    Message cause;
    Message remedy;
    TensorId tensor = {};  ///< of the graph it is about; none where it is about no tensor
    SplitId split = {};
    Message graph = {};  ///< which one, where a plan has several; the same may be found in each
    /// `what` with the graph.
    Message finding() const;
    friend bool operator==(const LintFinding&, const LintFinding&) = default;
};

/// Findings of a plan, the worst first.
std::vector<LintFinding> lint(const ModelPlan& plan);

/// Findings of anything that was scheduled: a model's graph, a graph file, a capture. The worst first. The
/// command line, reports and the window all show these. `plan`: of the same session; it knows the memory of
/// the prompt's graph too, else that of the analysed graph is judged.
std::vector<LintFinding> lint(const Analysis& analysis, const Summary& summary,
                              const ModelPlan* plan = nullptr);
std::vector<LintFinding> lint(const Analysis& analysis, const ModelPlan* plan = nullptr);

}  // namespace splitscope
