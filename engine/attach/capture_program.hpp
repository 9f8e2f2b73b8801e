// SPDX-License-Identifier: MIT
#pragma once

#include "engine/attach/attached_program.hpp"
#include "engine/formats/capture_json.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// Records what a program schedules before it generates (attach.md §1.4): runs it until it has reserved or
/// computed one prompt graph and one single-token graph, then terminates it. If the program ends earlier,
/// returns what it has scheduled. Errors: io (it cannot be started), unsupported (no scheduler was seen),
/// Cancelled.
Capture capture_program(const AttachOptions& options, const JobContext& job = {});

}  // namespace splitscope
