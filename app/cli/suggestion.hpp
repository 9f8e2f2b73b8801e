// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace splitscope::cli {

/// The Levenshtein distance.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The command with the most similar name; empty if none is similar.
std::string nearest_command(const CLI::App& program, const std::string& word);

/// The option most similar to the first unknown argument; empty if none is similar.
std::string nearest_option(const CLI::App& command, const std::vector<std::string>& arguments);

}  // namespace splitscope::cli
