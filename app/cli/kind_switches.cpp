// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kind_switches.hpp"

#include <CLI/CLI.hpp>

#include "app/cli/messages.hpp"
#include "backends/interface/registry.hpp"
#include "engine/messages/render.hpp"
#include "engine/planning/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope::cli {

void add_kind_switches(CLI::App& command, const BackendRegistry& kinds, KindOptions& chosen) {
    for (const KindOption& option : kinds.options()) {
        const auto choose = [&chosen, name = option.name](const std::string& value) { chosen[name] = value; };
        if (option.is_switch()) {
            command.add_flag_callback(
                "--" + option.name, [choose] { choose("on"); }, english(option.help));
        } else {
            command.add_option_function<std::string>("--" + option.name, choose, english(option.help))
                ->type_name(option.value);
        }
    }
}

void add_kind_switches(CLI::App& command, const BackendRegistry& kinds, KindOptions& chosen,
                       KindOptions& reference) {
    add_kind_switches(command, kinds, chosen);
    for (const KindOption& option : kinds.options()) {
        if (option.is_switch()) continue;
        command.remove_option(command.get_option("--" + option.name));
        const auto choose = [&chosen, &reference,
                             name = option.name](const std::vector<std::string>& values) {
            if (values.size() > 2) throw CLI::ValidationError("--" + name, "give it at most twice");
            chosen[name] = values.back();
            if (values.size() > 1) reference[name] = values.front();
        };
        command
            .add_option_function<std::vector<std::string>>("--" + option.name, choose, english(option.help))
            ->allow_extra_args(false)
            ->type_name(option.value);
    }
}

bool selects_devices(const BackendRegistry& kinds, const KindOptions& options) {
    return kinds.unused_option(options, nullptr) != nullptr;
}

void refuse_unused_option(const BackendRegistry& kinds, const KindOptions& options, const Machine& machine) {
    if (const auto* const option = kinds.unused_option(options, &machine)) {
        throw Error(ErrorKind::usage, msg::kNoDeviceOf(option->second), "--" + option->first,
                    msg::kNameItsDevices);
    }
}

}  // namespace splitscope::cli
