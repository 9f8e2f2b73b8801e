// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace splitscope::cli {

/// One option as completions and the manual page need it.
struct OptionWords {
    std::vector<std::string> names;  ///< "--output", "-o"
    std::string value;               ///< "FILE"; empty for a flag
    std::string description;
    std::string standard;                   ///< value without the option; may be empty
    std::vector<std::string> choices = {};  ///< the values there are, where they are few
};

struct CommandWords {
    std::string name;
    std::string description;
    std::vector<std::string> positionals;  ///< "FILE", "[A B]"
    std::vector<OptionWords> options;      ///< without --help
    std::string footer;
};

OptionWords help_words();
/// Options of the program itself, without --help.
std::vector<OptionWords> global_words(const CLI::App& program);
std::vector<CommandWords> words_of(const CLI::App& program);

}  // namespace splitscope::cli
