// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "backends/interface/registry.hpp"
#include "engine/support/memory_bound.hpp"

namespace splitscope {
struct Report;
}

namespace splitscope::cli {

/// Renders a report as PDF. Empty in a program built without the desktop.
using PdfWriter = std::function<std::string(const Report&)>;

/// The result of parsing the command line.
struct Request {
    /// Set if the program should exit: a command ran, help was printed, or the options were invalid.
    std::optional<int> exit_code;
    /// File to open on the desktop; empty = the sample.
    std::optional<std::filesystem::path> file;
    bool quiet = false;
    MemoryBound memory_bound = MemoryBound::enforced;
    BackendKinds kinds = nullptr;  ///< as passed to handle_command_line()
};

/// Parses the options and runs the command, if any. Needs no display and loads no GUI platform. `kinds`:
/// available backends.
Request handle_command_line(int argc, const char* const* argv, const BackendKinds& kinds,
                            const PdfWriter& make_pdf = {});

/// Analyses the requested file (default: the sample), writes an HTML report with an unused name to the
/// working folder, and prints its name. Returns an exit code.
int write_report_without_display(const Request& request);

}  // namespace splitscope::cli
