// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "backends/interface/machine.hpp"
#include "engine/support/job.hpp"

namespace splitscope::cli {

/// A machine file. Throws Error(io, bad_file, memory_bound), naming it.
Machine read_machine_file(const std::string& path, const JobContext& job);

}  // namespace splitscope::cli
