// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/session/known_machine.hpp"
#include "engine/support/job.hpp"

namespace splitscope::cli {

/// Reads a machine file with its device facts. Throws Error(io, bad_file, memory_bound) with the path.
KnownMachine read_known_machine_file(const std::string& path, const JobContext& job);
/// Reads a machine file without device facts.
Machine read_machine_file(const std::string& path, const JobContext& job);

}  // namespace splitscope::cli
