// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitscope::cli {

/// What may stand behind a switch as llama.cpp's programs take it.
enum class Behind : std::uint8_t {
    value,         ///< a value, in the next word
    nothing,       ///< nothing; llama-bench writes 0 or 1
    maybe_choice,  ///< nothing, or on, off, auto, 0 or 1
};

/// A switch with one dash and several letters, which the parser of the command line does not know.
struct Spelling {
    std::string_view spelled;  ///< "-ngl"
    std::string_view option;   ///< "--gpu-layers"
    Behind behind = Behind::value;
};

/// Those that stand for an option, e.g. "-ngl" for "--gpu-layers"; for help, completions and the manual page.
std::vector<std::string> spellings_of(std::string_view option);

/// Arguments as the parser of the command line understands them. What is behind "--" stays, and all of a
/// command that runs another program.
std::vector<std::string> in_our_spelling(int argc, const char* const* argv);

}  // namespace splitscope::cli
