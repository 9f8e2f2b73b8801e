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

/// A problem that would make ggml abort, or run slowly without a message.
struct LintFinding {
    Severity severity = Severity::note;
    std::string rule;  ///< stable, e.g. "override-matches-nothing"
    Message what;
    Message cause;
    Message remedy;
    TensorId tensor = {};  ///< none if the finding is not about a tensor
    SplitId split = {};
    Message graph = {};  ///< which graph, if the plan has several
    /// `what`, with the graph.
    Message finding() const;
    friend bool operator==(const LintFinding&, const LintFinding&) = default;
};

/// Findings of a plan, most severe first.
std::vector<LintFinding> lint(const ModelPlan& plan);

/// Findings of any schedule: of a model's graph, a graph file or a capture, most severe first. Used by the
/// command line, reports and the window. `plan` belongs to the same session and covers the memory of the
/// prompt graph; without it, only the analysed graph is checked.
std::vector<LintFinding> lint(const Analysis& analysis, const Summary& summary,
                              const ModelPlan* plan = nullptr);
std::vector<LintFinding> lint(const Analysis& analysis, const ModelPlan* plan = nullptr);

}  // namespace splitscope
