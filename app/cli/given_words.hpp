// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace splitscope::cli {

/// A program's arguments for the parser: llama.cpp's spellings converted, and its switches without effect on
/// the placement left out for commands that only plan. Throws Error(usage) for an unknown switch with one
/// dash, which the parser would read as a one-letter option with its value, for switches that cannot be
/// planned, and for "SWITCH=" without a value. Arguments of commands that run another program are unchanged.
std::vector<std::string> given_words(const CLI::App& program, int argc, const char* const* argv);

}  // namespace splitscope::cli
