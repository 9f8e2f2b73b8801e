// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace splitscope::cli {

/// Checks output files before anything is computed. Throws Error(io) if a file cannot be written,
/// Error(usage) if two paths name the same file, or one is "-".
void require_outputs(const std::vector<std::filesystem::path>& targets);

}  // namespace splitscope::cli
