// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/schedule_json.hpp"
#include "engine/scheduler/explain.hpp"
#include "engine/scheduler/hazards.hpp"
#include "engine/scheduler/replay.hpp"
#include "engine/session/session.hpp"
#include "engine/session/summary.hpp"

namespace splitscope {

// analyse(session) schedules: Analysis::schedule has decisions, splits and copies in order, and `error` if
// the scheduler failed; Analysis::plan has the memory plan. summarise(analysis) returns the key figures.

/// One decision on a tensor.
struct WhyStep {
    std::size_t decision = 0;  ///< index in Schedule::decisions
    Pass pass = Pass::p1;
    std::string cause;     ///< the scheduler's label, such as "1.wgt0"; may be empty
    std::string from;      ///< previous backend; empty for none
    std::string to;        ///< new backend
    std::string reason;    ///< the cause in words
    std::string evidence;  ///< facts behind the decision, including refusals; may be empty
};

/// All decisions on one tensor.
struct Why {
    TensorId tensor;
    std::string identity;        ///< NAME@OP, or NAME@OP#2 where it repeats
    std::string backend;         ///< final backend; empty for none
    std::vector<WhyStep> steps;  ///< in order
    std::string text() const;    ///< one line per step
};

/// Decisions on a tensor, by its name (the first occurrence) or NAME@OP#N (TensorIdentity::parse). Throws
/// Error(unknown) if the graph has no such tensor.
Why why(const Analysis& analysis, std::string_view tensor);
Why why(const Analysis& analysis, TensorId tensor);

}  // namespace splitscope
