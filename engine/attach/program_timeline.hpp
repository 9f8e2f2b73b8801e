// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/attach/program_view.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// Trace-event JSON for Perfetto and chrome://tracing: one row with the graphs, and one per backend with the
/// splits, nodes and copies that were timed. Times are since the program was attached. Throws Cancelled.
std::string program_timeline(std::string_view program,
                             std::span<const std::shared_ptr<const Computation>> computations,
                             const JobContext& job = {});

}  // namespace splitscope
