// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "backends/interface/registry.hpp"
#include "engine/support/memory_bound.hpp"

namespace splitscope {

struct Report;

/// Runs the desktop program until its window is closed; returns the exit code. Needs a display. `kinds`:
/// available backends. `file`: empty = the sample model.
int run_desktop(int argc, char** argv, BackendKinds kinds, const std::optional<std::filesystem::path>& file,
                MemoryBound bound);

/// Renders a report as PDF without a display. May be called without a window.
std::string pdf_without_display(const Report& report);

}  // namespace splitscope
