// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "engine/execution/debugger.hpp"
#include "engine/session/live_run.hpp"

namespace splitscope {

/// Runs the session up to one node of one computation (DebugStop::computation) and returns the node's values,
/// for comparison with another machine or an earlier run. Pass the tokens generated so far as
/// RunOptions::forced_tokens. Errors: those of run_model(); unknown, if the run ends before this node.
TensorCapture capture_node(const Session& session, RunOptions options, std::uint64_t computation,
                           const TensorIdentity& node, const JobContext& job = {});

}  // namespace splitscope
