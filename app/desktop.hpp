// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "backends/interface/registry.hpp"
#include "engine/support/memory_bound.hpp"

namespace splitscope {

struct Report;

/// Runs the desktop program until its window is closed; returns the exit code. Needs a display.
/// `kinds`: the backends that compute for real. `file`: what to open; nothing = the sample model.
int run_desktop(int argc, char** argv, BackendKinds kinds, const std::optional<std::filesystem::path>& file,
                MemoryBound bound);

/// A report as a PDF document; needs no display. May be called where no window was ever opened.
std::string pdf_without_display(const Report& report);

}  // namespace splitscope
