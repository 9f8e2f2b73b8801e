// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/suggestion.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "engine/support/nearest_name.hpp"

namespace splitscope::cli {

std::string nearest_command(const CLI::App& program, const std::string& word) {
    std::vector<std::string> known;
    for (const CLI::App* command : program.get_subcommands({})) known.push_back(command->get_name());
    return nearest_name(known, word);
}

std::string nearest_option(const CLI::App& command, const std::vector<std::string>& arguments) {
    std::vector<std::string> known;
    for (const CLI::App* app = &command; app != nullptr; app = app->get_parent()) {
        for (const CLI::Option* option : app->get_options()) {
            for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
        }
    }
    for (const std::string& argument : arguments) {
        const std::string name = argument.substr(0, argument.find('='));
        if (!name.starts_with("--") || std::ranges::find(known, name) != known.end()) continue;
        std::string nearest = nearest_name(known, name);
        if (!nearest.empty()) return nearest;
    }
    return {};
}

}  // namespace splitscope::cli
