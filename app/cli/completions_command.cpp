// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"

namespace splitscope::cli {
namespace {

struct CommandWords {
    std::string name;
    std::string description;
    std::vector<std::pair<std::string, std::string>> options;  ///< "--name" and what it does
};

std::vector<std::pair<std::string, std::string>> options_of(const CLI::App& app) {
    std::vector<std::pair<std::string, std::string>> options;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            options.emplace_back("--" + name, option->get_description());
        }
    }
    return options;
}

std::vector<CommandWords> words_of(const CLI::App& program) {
    std::vector<CommandWords> commands;
    for (const CLI::App* command : program.get_subcommands({})) {
        commands.push_back({command->get_name(), command->get_description(), options_of(*command)});
    }
    return commands;
}

std::string joined_options(const std::vector<std::pair<std::string, std::string>>& options) {
    std::string out;
    for (const auto& [name, description] : options) out += (out.empty() ? "" : " ") + name;
    return out;
}

std::string bash_script(const CLI::App& program) {
    std::string names;
    std::string cases;
    for (const CommandWords& command : words_of(program)) {
        names += (names.empty() ? "" : " ") + command.name;
        cases += fmt::format("        {}) words=\"{}\" ;;\n", command.name, joined_options(command.options));
    }
    return fmt::format(
        "# bash completion for splitscope\n"
        "_splitscope() {{\n"
        "    local current=\"${{COMP_WORDS[COMP_CWORD]}}\" words\n"
        "    case \"${{COMP_WORDS[1]}}\" in\n{}"
        "        *) words=\"{} {}\" ;;\n"
        "    esac\n"
        "    if [[ $COMP_CWORD -gt 1 && $current != -* ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
        "    elif [[ $COMP_CWORD -eq 1 && $current != -* ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\"; compgen -f -- "
        "\"$current\")\n"
        "    else\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
        "    fi\n"
        "}}\n"
        "complete -o filenames -F _splitscope splitscope\n",
        cases, names, joined_options(options_of(program)));
}

/// Text inside single quotes of zsh and fish scripts.
std::string quoted(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\'') {
            out += "\\'";
        } else if (c != '\n') {
            out += c;
        }
    }
    return out;
}

/// As quoted(), for an option of zsh's _arguments, where brackets and colons have a meaning.
std::string zsh_quoted(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':') out += '\\';
        if (c == '\'') out += "'\\'";
        out += c;
    }
    return out;
}

std::string zsh_script(const CLI::App& program) {
    std::string commands;
    std::string cases;
    for (const CommandWords& command : words_of(program)) {
        commands += fmt::format("        '{}:{}'\n", command.name, zsh_quoted(command.description));
        cases += fmt::format("        {}) _arguments", command.name);
        for (const auto& [name, description] : command.options) {
            cases += fmt::format(" \\\n            '{}[{}]'", name, zsh_quoted(description));
        }
        cases += " \\\n            '*:file:_files' ;;\n";
    }
    return fmt::format(
        "#compdef splitscope\n"
        "_splitscope() {{\n"
        "    local -a commands=(\n{}    )\n"
        "    if (( CURRENT == 2 )); then\n"
        "        _describe command commands\n"
        "        _files\n"
        "        return\n"
        "    fi\n"
        "    local command=$words[2]\n"
        "    (( CURRENT-- ))\n"
        "    shift words\n"
        "    case $command in\n{}"
        "        *) _files ;;\n"
        "    esac\n"
        "}}\n"
        "_splitscope \"$@\"\n",
        commands, cases);
}

std::string fish_script(const CLI::App& program) {
    std::string out = "# fish completion for splitscope\n";
    for (const CommandWords& command : words_of(program)) {
        out += fmt::format("complete -c splitscope -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                           quoted(command.description));
        for (const auto& [name, description] : command.options) {
            out += fmt::format("complete -c splitscope -n '__fish_seen_subcommand_from {}' -l {} -d '{}'\n",
                               command.name, name.substr(2), quoted(description));
        }
    }
    return out;
}

}  // namespace

void add_completions(CLI::App& program, const SetAction& set_action) {
    auto shell = std::make_shared<std::string>();
    CLI::App& command = *program.add_subcommand("completions", "Print a completion script for a shell");
    command.add_option("shell", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}))
        ->type_name("SHELL");
    command.footer("Example:\n  source <(splitscope completions bash)");
    command.callback([shell, set_action, &program] {
        // The words are taken here, while the program's options still exist.
        std::string script = *shell == "bash"  ? bash_script(program)
                             : *shell == "zsh" ? zsh_script(program)
                                               : fish_script(program);
        set_action([script = std::move(script)](Console& console) {
            console.print(script);
            return kOk;
        });
    });
}

}  // namespace splitscope::cli
