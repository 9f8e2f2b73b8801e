// SPDX-License-Identifier: MIT
// Help, manual page and completions cover every command and option.
#include <cstdlib>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "tests/cli/process.hpp"

namespace splitscope::test {
namespace {

std::set<std::string> matches(const std::string& text, const char* pattern) {
    const std::regex expression(pattern);
    std::set<std::string> found;
    for (std::sregex_iterator i(text.begin(), text.end(), expression), end; i != end; ++i)
        found.insert((*i)[1]);
    return found;
}

/// Commands as the program's help lists them.
std::set<std::string> commands() {
    const std::string help = splitscope({"--help"}).out;
    std::set<std::string> found = matches(help.substr(help.find("Subcommands:")), "\n  ([a-z-]+) ");
    found.erase("splitscope");  // the examples below the list
    return found;
}

/// Long options that a command's help lists at the beginnings of lines.
std::set<std::string> options_of(const std::string& command) {
    return matches(splitscope({command, "--help"}).out, "\n  (?:-[A-Za-z-]+,)*?(--[a-z0-9-]+)");
}

/// Undoes the dashes of roff.
std::string plain(std::string text) {
    for (auto at = text.find("\\-"); at != std::string::npos; at = text.find("\\-", at)) text.erase(at, 1);
    return text;
}

TEST(Words, EveryCommandIsListed) {
    const std::set<std::string> known = commands();
    for (const char* command :
         {"inspect", "schedule", "plan", "run", "compare", "import", "report", "devices", "make-model",
          "bench", "calibrate", "verify", "lint", "suggest", "completions", "manual"}) {
        EXPECT_TRUE(known.contains(command)) << command;
    }
}

TEST(Words, ManualHasEveryCommandAndOption) {
    const std::string manual = plain(splitscope({"manual"}).out);
    for (const std::string& command : commands()) {
        const auto begin = manual.find("\n.SS " + command + "\n");
        ASSERT_NE(begin, std::string::npos) << command;
        const std::string section = manual.substr(begin, manual.find("\n.S", begin + 1) - begin);
        for (const std::string& option : options_of(command)) {
            const bool global = option == "--help" || option == "--quiet" || option == "--version";
            EXPECT_NE((global ? manual : section).find(option), std::string::npos)
                << command << " " << option;
        }
    }
}

TEST(Words, EveryCommandWithOptionsHasAnExample) {
    for (const std::string& command : commands()) {
        const std::string help = splitscope({command, "--help"}).out;
        EXPECT_NE(help.find("splitscope " + command, help.find("Example")), std::string::npos) << command;
    }
}

TEST(Words, CompletionsHaveEveryCommandAndOption) {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const Outcome outcome = splitscope({"completions", shell});
        ASSERT_EQ(outcome.exit_code, 0);
        for (const std::string& command : commands()) {
            EXPECT_NE(outcome.out.find(command), std::string::npos) << shell << " " << command;
            for (const std::string& option : options_of(command)) {
                const std::string word = std::string(shell) == "fish" ? "-l " + option.substr(2) : option;
                EXPECT_NE(outcome.out.find(word), std::string::npos)
                    << shell << " " << command << " " << option;
            }
        }
    }
}

TEST(Words, ShellsUnderstandTheirCompletions) {
    const TemporaryFolder folder;
    for (const char* shell : {"bash", "zsh", "fish"}) {
        if (std::system(("command -v " + std::string(shell) + " >/dev/null 2>&1").c_str()) != 0) continue;
        const std::string script = folder.file(shell, splitscope({"completions", shell}).out);
        EXPECT_EQ(std::system((std::string(shell) + " -n '" + script + "'").c_str()), 0) << shell;
    }
}

TEST(Words, BashCompletesCommandsAndOptions) {
    const TemporaryFolder folder;
    const std::string script = folder.file("complete", splitscope({"completions", "bash"}).out);
    const std::string out = (folder.path() / "out").string();
    const std::string line =
        "bash -c '. \"" + script +
        "\"; COMP_WORDS=(splitscope sched); COMP_CWORD=1; _splitscope; echo ${COMPREPLY[@]}; "
        "COMP_WORDS=(splitscope run --prompt-t); COMP_CWORD=2; _splitscope; echo ${COMPREPLY[@]}; "
        "COMP_WORDS=(splitscope report --format s); COMP_CWORD=3; _splitscope; echo ${COMPREPLY[@]}' >'" +
        out + "'";
    ASSERT_EQ(std::system(line.c_str()), 0);
    EXPECT_EQ(read_file(out), "schedule\n--prompt-tokens\nsvg\n");
}

TEST(Words, ManualPageFormatsWithoutWarnings) {
    if (std::system("command -v groff >/dev/null 2>&1") != 0)
        GTEST_SKIP() << "NO GROFF: the manual page is not formatted";
    const TemporaryFolder folder;
    const std::string page = folder.file("splitscope.1", splitscope({"manual"}).out);
    const std::string warnings = (folder.path() / "warnings").string();
    ASSERT_EQ(std::system(("groff -K utf8 -man -Tutf8 -ww -z '" + page + "' 2>'" + warnings + "'").c_str()),
              0);
    EXPECT_EQ(read_file(warnings), "");
}

}  // namespace
}  // namespace splitscope::test
