// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/console.hpp"
#include "app/cli/session_options.hpp"

namespace splitscope::cli {

/// The session of a model that is going to be computed. A model that `plan` calls impossible or unknown fails
/// with the same exit code here; only files that cannot be read are bad input.
Session make_runnable_session(const SessionOptions& options, const JobContext& job);

/// Why a session cannot be computed, as the problem of an error: "the file holds no weights, …".
Message problem_of(const Message& reason);

/// Notes which of the given switches for several sequences have no effect on a run, which has one.
void note_unused_sequences(Console& console, const PlacementSwitches& switches);

}  // namespace splitscope::cli
