// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>

namespace splitscope {

/// Runs the desktop program until its window is closed; returns the exit code. Needs a display.
/// `file`: what to open; nothing = the sample model.
int run_desktop(int argc, char** argv, const std::optional<std::filesystem::path>& file);

}  // namespace splitscope
