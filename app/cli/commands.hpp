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

/// Each function adds one command to the program. `kinds`: backends whose devices and options are available.
void add_inspect(CLI::App& program, const SetAction& set_action);
void add_schedule(CLI::App& program, const SetAction& set_action, const BackendKinds& kinds);
void add_run(CLI::App& program, const SetAction& set_action, const BackendKinds& kinds);
/// `make_pdf`: see command_line.hpp; may be empty.
void add_report(CLI::App& program, const SetAction& set_action, const BackendKinds& kinds,
                const PdfWriter& make_pdf);
void add_compare(CLI::App& program, const SetAction& set_action, const BackendKinds& kinds);
void add_devices(CLI::App& program, const SetAction& set_action, const BackendKinds& kinds);
void add_plan(CLI::App& program, const SetAction& set_action, const BackendKinds& kinds);
void add_lint(CLI::App& program, const SetAction& set_action, const BackendKinds& kinds);
void add_suggest(CLI::App& program, const SetAction& set_action, const BackendKinds& kinds);
void add_import(CLI::App& program, const SetAction& set_action);
void add_record(CLI::App& program, const SetAction& set_action);
void add_attach(CLI::App& program, const SetAction& set_action);
void add_capture(CLI::App& program, const SetAction& set_action);
void add_make_model(CLI::App& program, const SetAction& set_action);
void add_verify(CLI::App& program, const SetAction& set_action, const BackendKinds& kinds);
void add_bench(CLI::App& program, const SetAction& set_action, const BackendKinds& kinds);
void add_manual(CLI::App& program, const SetAction& set_action);
void add_completions(CLI::App& program, const SetAction& set_action);

}  // namespace splitscope::cli
