// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "engine/execution/debugger.hpp"
#include "engine/session/live_run.hpp"

namespace splitscope {

/// Runs the session up to one node of one computation (DebugStop::computation) and returns what it computed:
/// the same tensor from another machine or an earlier run. Give the tokens generated so far as
/// RunOptions::forced_tokens. Errors: those of run_model(); unknown, when the run ends without this node.
TensorCapture capture_node(const Session& session, RunOptions options, std::uint64_t computation,
                           const TensorIdentity& node, const JobContext& job = {});

}  // namespace splitscope
