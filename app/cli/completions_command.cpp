// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/command_words.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"

namespace splitscope::cli {
namespace {

/// A command's own options, then those of the program.
std::vector<OptionWords> all_options(const CommandWords& command, const CLI::App& program) {
    std::vector<OptionWords> options = command.options;
    options.push_back(help_words());
    for (OptionWords& option : global_words(program)) options.push_back(std::move(option));
    return options;
}

bool is_file(const OptionWords& option) {
    return option.value == "FILE";
}

/// Single letters need no completion.
bool is_letter(const std::string& name) {
    return name.size() == 2;
}

std::string names_of(const std::vector<OptionWords>& options) {
    std::string out;
    for (const OptionWords& option : options) {
        for (const std::string& name : option.names) {
            if (!is_letter(name)) out += (out.empty() ? "" : " ") + name;
        }
    }
    return out;
}

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, " "));
}

/// Completions of option values from short lists.
std::string bash_values(const CommandWords& command) {
    std::string out;
    for (const OptionWords& option : command.options) {
        if (option.choices.empty()) continue;
        std::string patterns;
        for (const std::string& name : option.names)
            patterns += fmt::format("{}'{} {}'", patterns.empty() ? "" : " | ", command.name, name);
        out += fmt::format("        {}) values=\"{}\" ;;\n", patterns, joined(option.choices));
    }
    return out;
}

std::string bash_script(const CLI::App& program) {
    std::string names;
    std::string cases;
    std::string values;
    for (const CommandWords& command : words_of(program)) {
        values += bash_values(command);
        names += (names.empty() ? "" : " ") + command.name;
        std::string words = names_of(all_options(command, program));
        if (command.name == "completions") words += " bash zsh fish";
        cases += fmt::format("        {}) words=\"{}\" ;;\n", command.name, words);
    }
    std::vector<OptionWords> global = global_words(program);
    global.push_back(help_words());
    return fmt::format(
        "# bash completion for splitscope\n"
        "_splitscope() {{\n"
        "    local current=\"${{COMP_WORDS[COMP_CWORD]}}\" words values=\n"
        "    case \"${{COMP_WORDS[1]}} ${{COMP_WORDS[COMP_CWORD - 1]}}\" in\n{}"
        "    esac\n"
        "    case \"${{COMP_WORDS[1]}}\" in\n{}"
        "        *) words=\"{} {}\" ;;\n"
        "    esac\n"
        "    if [[ -n $values ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$current\")\n"
        "    elif [[ $current == -* ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
        "    elif [[ $COMP_CWORD -eq 1 || ${{COMP_WORDS[1]}} == completions ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\"; compgen -f -- "
        "\"$current\")\n"
        "    else\n"
        "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
        "    fi\n"
        "}}\n"
        "complete -o filenames -F _splitscope splitscope\n",
        values, cases, names, names_of(global));
}

/// Escapes text for single quotes in fish.
std::string fish_quoted(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        if (c != '\n') out += c;
    }
    return out;
}

/// Escapes text for single quotes in zsh, where brackets and colons have a meaning.
std::string zsh_quoted(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
        if (c == '\'') out += "'\\'";
        if (c != '\n') out += c;
    }
    return out;
}

std::string zsh_option(const std::string& name, const OptionWords& option) {
    std::string out = fmt::format("'{}[{}]", name, zsh_quoted(option.description));
    if (!option.value.empty())
        out += fmt::format(":{}:{}", zsh_quoted(option.value),
                           !option.choices.empty() ? "(" + joined(option.choices) + ")"
                           : is_file(option)       ? "_files"
                                                   : "");
    return out + "'";
}

std::string zsh_script(const CLI::App& program) {
    std::string commands;
    std::string cases;
    for (const CommandWords& command : words_of(program)) {
        commands += fmt::format("        '{}:{}'\n", command.name, zsh_quoted(command.description));
        cases += fmt::format("        {}) _arguments", command.name);
        for (const OptionWords& option : all_options(command, program)) {
            for (const std::string& name : option.names)
                cases += " \\\n            " + zsh_option(name, option);
        }
        cases += command.name == "completions" ? " \\\n            '1:shell:(bash zsh fish)' ;;\n"
                                               : " \\\n            '*:file:_files' ;;\n";
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

std::string fish_option(const std::string& condition, const OptionWords& option) {
    std::string out = fmt::format("complete -c splitscope -n '{}'", condition);
    for (const std::string& name : option.names)
        out += name.starts_with("--") ? " -l " + name.substr(2)
               : is_letter(name)      ? " -s " + name.substr(1)
                                      : " -o " + name.substr(1);
    if (!option.value.empty()) out += is_file(option) ? " -r -F" : " -x";
    if (!option.choices.empty()) out += fmt::format(" -a '{}'", joined(option.choices));
    return out + fmt::format(" -d '{}'\n", fish_quoted(option.description));
}

std::string fish_script(const CLI::App& program) {
    std::string out = "# fish completion for splitscope\n";
    for (const CommandWords& command : words_of(program)) {
        out += fmt::format("complete -c splitscope -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                           fish_quoted(command.description));
        for (const OptionWords& option : all_options(command, program))
            out += fish_option("__fish_seen_subcommand_from " + command.name, option);
    }
    for (const OptionWords& option : global_words(program))
        out += fish_option("__fish_use_subcommand", option);
    out += "complete -c splitscope -n '__fish_seen_subcommand_from completions' -x -a 'bash zsh fish'\n";
    return out;
}

}  // namespace

void add_completions(CLI::App& program, const CommandContext& context) {
    auto shell = std::make_shared<std::string>();
    CLI::App& command = *program.add_subcommand("completions", "Print a completion script for a shell");
    command.add_option("shell", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}))
        ->type_name("SHELL");
    command.footer("Example:\n  source <(splitscope completions bash)");
    command.callback([shell, set_action = context.set_action, &program] {
        // Collect the words now, while the program's options exist.
        std::string script = *shell == "bash"  ? bash_script(program)
                             : *shell == "zsh" ? zsh_script(program)
                                               : fish_script(program);
        set_action([script = std::move(script)](Console& console) {
            console.write(script);
            return kOk;
        });
    });
}

}  // namespace splitscope::cli
