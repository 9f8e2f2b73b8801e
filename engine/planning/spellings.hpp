// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitscope {

/// What follows a switch in llama.cpp's syntax.
enum class SwitchValue : std::uint8_t {
    value,         ///< a value in the next word
    nothing,       ///< none; llama-bench writes 0 or 1
    maybe_choice,  ///< none, or on, off, auto, 0 or 1
};

/// A multi-letter switch with a single dash, which command-line parsers do not support.
struct Spelling {
    std::string_view spelled;  ///< "-ngl"
    std::string_view option;   ///< "--gpu-layers"
    SwitchValue behind = SwitchValue::value;
};

/// Alternative spellings of an option, such as "-ngl" for "--gpu-layers"; for help, completions and the
/// manual page.
std::vector<std::string> spellings_of(std::string_view option);

/// Converts words to the parser's syntax and deprecated switches to their successors. Words after "--" are
/// unchanged.
std::vector<std::string> normalise_switches(const std::vector<std::string>& words);

/// Whether a word is a switch, not a value: a dash and no number.
bool is_switch(std::string_view word);
/// Whether the word belongs to a switch before it with SwitchValue::maybe_choice.
bool is_choice(std::string_view word);

/// How to write a misspelt switch: the similar one of `known`, or the one to which a number is attached.
/// Empty if there is none.
std::string meant_switch(const std::vector<std::string>& known, std::string_view word);

}  // namespace splitscope
