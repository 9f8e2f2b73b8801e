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

/// Fewest single-character changes that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The command that was probably meant; empty when none is near.
std::string nearest_command(const CLI::App& program, const std::string& word);

/// The option that was probably meant by the first unknown one among the arguments; empty when none is near.
std::string nearest_option(const CLI::App& command, const std::vector<std::string>& arguments);

}  // namespace splitscope::cli
