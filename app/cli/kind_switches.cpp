// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kind_switches.hpp"

#include <CLI/CLI.hpp>

#include "backends/interface/registry.hpp"

namespace splitscope::cli {

void add_kind_switches(CLI::App& command, const BackendRegistry& kinds, KindOptions& chosen) {
    for (const KindOption& option : kinds.options()) {
        const auto choose = [&chosen, name = option.name](const std::string& value) { chosen[name] = value; };
        if (option.is_switch()) {
            command.add_flag_callback(
                "--" + option.name, [choose] { choose("on"); }, option.help);
        } else {
            command.add_option_function<std::string>("--" + option.name, choose, option.help)
                ->type_name(option.value);
        }
    }
}

}  // namespace splitscope::cli
