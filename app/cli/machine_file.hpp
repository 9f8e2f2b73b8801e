// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "backends/interface/machine.hpp"

namespace splitscope::cli {

/// A machine file. Throws Error(io, bad_file), naming it.
Machine read_machine_file(const std::string& path);

}  // namespace splitscope::cli
