// SPDX-License-Identifier: GPL-3.0-or-later
// The manual page, generated from the options so that it is complete.

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/command_words.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"

namespace splitscope::cli {
namespace {

/// Escapes text for roff.
std::string roff(std::string_view text) {
    std::string out;
    bool at_line_start = true;
    for (const char c : text) {
        if (at_line_start && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else {
            out += c;
        }
        at_line_start = c == '\n';
    }
    return out;
}

std::string option_entry(const OptionWords& option) {
    std::string names;
    for (const std::string& name : option.names)
        names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
    std::string out = ".TP\n" + names;
    if (!option.value.empty()) out += fmt::format(" \\fI{}\\fR", roff(option.value));
    out += "\n" + roff(option.description);
    if (!option.standard.empty() && option.standard != "\"\"")
        out += fmt::format(" (default: {})", roff(option.standard));
    return out + ".\n";
}

std::string command_section(const CommandWords& command) {
    std::string out = fmt::format(".SS {}\n{}.\n.PP\n\\fBsplitscope {}\\fR", command.name,
                                  roff(command.description), roff(command.name));
    for (const std::string& positional : command.positionals)
        out += fmt::format(" \\fI{}\\fR", roff(positional));
    if (!command.options.empty()) out += " [\\fIOPTION\\fR]...";
    out += "\n";
    for (const OptionWords& option : command.options) out += option_entry(option);
    if (!command.footer.empty()) out += ".PP\n.nf\n" + roff(command.footer) + "\n.fi\n";
    return out;
}

std::string manual_page(const CLI::App& program) {
    std::string out =
        ".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n"
        ".TH SPLITSCOPE 1 \"\" \"Splitscope " SPLITSCOPE_VERSION
        "\" \"User Commands\"\n"
        ".SH NAME\nsplitscope \\- see how a tensor\\-graph scheduler places, splits and runs a model\n"
        ".SH SYNOPSIS\n.B splitscope\n.RI [ FILE ]\n.br\n.B splitscope\n.I COMMAND\n.RI [ OPTION ]...\n"
        ".SH DESCRIPTION\nWithout a command,\n.B splitscope\nopens the desktop program on\n.IR FILE ,\n"
        "or on a small built\\-in model.\n"
        "Without a display it analyses the file, writes a report into the current folder under an unused "
        "name, and prints its path.\n"
        ".PP\nCommands need no display.\n"
        ".PP\nAn input file named \"\\-\" is standard input, for text formats; an output file named \"\\-\" "
        "is standard output.\n"
        ".SH OPTIONS\n";
    out += option_entry(help_words());
    for (const OptionWords& option : global_words(program)) out += option_entry(option);
    out += ".SH COMMANDS\n";
    for (const CommandWords& command : words_of(program)) out += command_section(command);
    out +=
        ".SH EXIT STATUS\n"
        ".TP\n.B 0\nSuccess.\n"
        ".TP\n.B 1\nA difference was found, something does not fit, or scheduling or running failed.\n"
        ".TP\n.B 2\nBad input or usage; one line on standard error states the problem, its place and a "
        "remedy.\n"
        ".TP\n.B 130\nInterrupted.\n"
        ".SH ENVIRONMENT\n"
        ".TP\n.B SPLITSCOPE_RESOURCES\nFolder of the program's resource files, if they are not installed "
        "beside it.\n"
        ".SH NOTES\nEvery output of\n.B \\-\\-json\nhas a schema in the folder\n.I schemas\nof the program's "
        "own files.\n";
    return out;
}

}  // namespace

void add_manual(CLI::App& program, const CommandContext& context) {
    CLI::App& command = *program.add_subcommand("manual", "Print the manual page in roff format");
    command.footer("Example:\n  splitscope manual | man -l -");
    command.callback([set_action = context.set_action, &program] {
        // Collect the words now, while the program's options exist.
        set_action([page = manual_page(program)](Console& console) {
            console.write(page);
            return kOk;
        });
    });
}

}  // namespace splitscope::cli
