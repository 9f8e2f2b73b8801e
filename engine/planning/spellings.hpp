// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitscope {

/// What may stand behind a switch as llama.cpp's programs take it.
enum class Behind : std::uint8_t {
    value,         ///< a value, in the next word
    nothing,       ///< nothing; llama-bench writes 0 or 1
    maybe_choice,  ///< nothing, or on, off, auto, 0 or 1
};

/// A switch with one dash and several letters, which parsers of command lines do not know.
struct Spelling {
    std::string_view spelled;  ///< "-ngl"
    std::string_view option;   ///< "--gpu-layers"
    Behind behind = Behind::value;
};

/// Those that stand for an option, e.g. "-ngl" for "--gpu-layers"; for help, completions and the manual page.
std::vector<std::string> spellings_of(std::string_view option);

/// Words as the command line's parser understands them. What is behind "--" stays.
std::vector<std::string> in_our_spelling(const std::vector<std::string>& words);
/// The same of a program's arguments, without its name; all of a command that runs another program stays.
std::vector<std::string> in_our_spelling(int argc, const char* const* argv);

/// The words of a line as a shell separates them: blanks, quotes and backslashes; "\" at the end of a line
/// joins it with the next. A quote that is not closed ends with the text.
std::vector<std::string> shell_words(std::string_view line);

}  // namespace splitscope
