// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "app/cli/command_line.hpp"
#include "app/cli/console.hpp"
#include "backends/interface/registry.hpp"

namespace CLI {
class App;
}

namespace splitscope::cli {

/// The action of the selected command; returns an exit code.
using Action = std::function<int(Console&)>;
using SetAction = std::function<void(Action)>;

/// Data for creating the commands.
struct CommandContext {
    SetAction set_action;
    BackendKinds kinds;  ///< those whose devices can be named, with their options
    PdfWriter make_pdf;  ///< see command_line.hpp; may be empty
};

/// Adds each command of the list in app/CMakeLists.txt, in its order.
void add_commands(CLI::App& program, const CommandContext& context);

}  // namespace splitscope::cli
