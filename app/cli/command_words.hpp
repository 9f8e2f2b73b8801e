// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace splitscope::cli {

/// An option, as needed by completions and manual page.
struct OptionWords {
    std::vector<std::string> names;  ///< "--output", "-o"
    std::string value;               ///< "FILE"; empty for a flag
    std::string description;
    std::string standard;                   ///< default value; may be empty
    std::vector<std::string> choices = {};  ///< allowed values, if enumerable
};

struct CommandWords {
    std::string name;
    std::string description;
    std::vector<std::string> positionals;  ///< "FILE", "[A B]"
    std::vector<OptionWords> options;      ///< without --help
    std::string footer;
};

OptionWords help_words();
/// Global options, without --help.
std::vector<OptionWords> global_words(const CLI::App& program);
std::vector<CommandWords> words_of(const CLI::App& program);

}  // namespace splitscope::cli
