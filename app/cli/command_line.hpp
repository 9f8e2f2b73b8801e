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

/// Renders a report as a PDF document: what the command line cannot do by itself. Empty in a program built
/// without the desktop.
using PdfWriter = std::function<std::string(const Report&)>;

/// What the command line asks for once it was checked.
struct Request {
    /// Set when there is nothing more to do: a command ran, help was printed, or the options were wrong.
    std::optional<int> exit_code;
    /// File to open on the desktop; nothing = the sample.
    std::optional<std::filesystem::path> file;
    bool quiet = false;
    MemoryBound memory_bound = MemoryBound::kept;
    BackendKinds kinds = nullptr;  ///< those that were given
};

/// Checks the options and runs the command, if one was named. Needs no display and loads no GUI platform.
/// `kinds`: the backends that compute for real.
Request handle_command_line(int argc, const char* const* argv, const BackendKinds& kinds,
                            const PdfWriter& make_pdf = {});

/// Analyses the file of the request (nothing = the sample), writes its HTML report into the current folder,
/// under a name that is free, and prints where. Returns an exit code.
int write_report_without_display(const Request& request);

}  // namespace splitscope::cli
