// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_words.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "engine/planning/spellings.hpp"

namespace splitscope::cli {
namespace {

/// "FORMAT:{html,pdf}" → html, pdf.
std::vector<std::string> choices_in(const std::string& type) {
    std::vector<std::string> choices;
    const auto begin = type.find('{');
    const auto end = type.find('}', begin);
    if (begin == std::string::npos || end == std::string::npos) return choices;
    std::string word;
    for (const char c : type.substr(begin + 1, end - begin - 1) + ",") {
        if (c != ',') {
            word += c;
            continue;
        }
        choices.push_back(word);
        word.clear();
    }
    return choices;
}

OptionWords option_words(const CLI::Option& option) {
    OptionWords words;
    for (const std::string& name : option.get_lnames()) {
        words.names.push_back("--" + name);
        for (std::string& spelled : spellings_of("--" + name)) words.names.push_back(std::move(spelled));
    }
    for (const std::string& name : option.get_snames()) words.names.push_back("-" + name);
    words.description = option.get_description();
    if (option.get_items_expected_max() > 0) {
        words.value = option.get_type_name().empty() ? "VALUE" : option.get_type_name();
        words.choices = choices_in(words.value);
        // CLI11 appends checks after a colon or a space.
        words.value = words.value.substr(0, words.value.find_first_of(":{ "));
        words.standard = option.get_default_str();
    }
    return words;
}

std::vector<OptionWords> options_of(const CLI::App& app) {
    std::vector<OptionWords> options;
    for (const CLI::Option* option : app.get_options()) {
        const bool named = !option->get_lnames().empty() || !option->get_snames().empty();
        if (!named || option == app.get_help_ptr() || option->get_group().empty()) continue;
        options.push_back(option_words(*option));
    }
    return options;
}

}  // namespace

OptionWords help_words() {
    return {{"--help", "-h"}, {}, "Options of the command, with examples", {}};
}

std::vector<OptionWords> global_words(const CLI::App& program) {
    return options_of(program);
}

std::vector<CommandWords> words_of(const CLI::App& program) {
    std::vector<CommandWords> commands;
    for (const CLI::App* command : program.get_subcommands({})) {
        CommandWords words{
            command->get_name(), command->get_description(), {}, options_of(*command), command->get_footer()};
        for (const CLI::Option* option : command->get_options()) {
            if (!option->get_positional()) continue;
            const std::string name =
                option->get_type_name().substr(0, option->get_type_name().find_first_of(":{"));
            words.positionals.push_back(option->get_required() ? name : "[" + name + "]");
        }
        commands.push_back(std::move(words));
    }
    return commands;
}

}  // namespace splitscope::cli
