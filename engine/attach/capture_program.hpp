// SPDX-License-Identifier: MIT
#pragma once

#include "engine/attach/attached_program.hpp"
#include "engine/formats/capture_json.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// What a program schedules before it computes anything (attach.md §1.4): runs it until it has reserved a
/// prompt and a token, or has computed one of each, and ends it. A program that ends earlier leaves what it
/// had scheduled. Errors: io (it cannot be started), unsupported (nothing was seen), Cancelled.
Capture capture_program(const AttachOptions& options, const JobContext& job = {});

}  // namespace splitscope
