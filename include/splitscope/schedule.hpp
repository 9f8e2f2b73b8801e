// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/schedule_json.hpp"
#include "engine/scheduler/explain.hpp"
#include "engine/scheduler/findings.hpp"
#include "engine/scheduler/replay.hpp"
#include "engine/session/session.hpp"
#include "engine/session/summary.hpp"

namespace splitscope {

// analyse(session) schedules: Analysis::schedule has the decisions in their order, the splits, the copies;
// its `error` is set where the scheduler gives up. Analysis::plan has the memory. summarise(analysis) is the
// answer in one look.

/// One decision about a tensor.
struct WhyStep {
    std::size_t decision = 0;  ///< index in Schedule::decisions
    Pass pass = Pass::p1;
    std::string cause;     ///< the scheduler's own label, such as "1.wgt0"; may be empty
    std::string from;      ///< name of the backend before, empty for none
    std::string to;        ///< and after
    std::string reason;    ///< the cause in words
    std::string evidence;  ///< the facts it rests on, refusals included; may be empty
};

/// What the record says about one tensor.
struct Why {
    TensorId tensor;
    std::string identity;        ///< NAME@OP, or NAME@OP#2 where it repeats
    std::string backend;         ///< where it ended; empty for none
    std::vector<WhyStep> steps;  ///< in the order they were taken
    std::string text() const;    ///< one line per step
};

/// The record's answer for a tensor: the first of that name, or the one meant by NAME@OP#N
/// (TensorIdentity::parse). Throws Error(unknown) when the graph has none.
Why why(const Analysis& analysis, std::string_view tensor);
Why why(const Analysis& analysis, TensorId tensor);

}  // namespace splitscope
