// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/session/known_machine.hpp"
#include "engine/support/job.hpp"

namespace splitscope::cli {

/// A machine file, with what it says of its devices. Throws Error(io, bad_file, memory_bound), naming it.
KnownMachine read_known_machine_file(const std::string& path, const JobContext& job);
/// The machine alone.
Machine read_machine_file(const std::string& path, const JobContext& job);

}  // namespace splitscope::cli
