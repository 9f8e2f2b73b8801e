// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace splitscope::cli {

/// Throws before anything is computed when results could not be kept: Error(io) when a file cannot be
/// written, Error(usage) when two are the same one, by whatever name, or one is "-".
void require_outputs(const std::vector<std::filesystem::path>& targets);

}  // namespace splitscope::cli
