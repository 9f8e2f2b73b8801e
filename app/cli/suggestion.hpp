// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace splitscope::cli {

/// The command with the most similar name; empty if none is similar.
std::string nearest_command(const CLI::App& program, const std::string& word);

/// The option most similar to the first unknown argument; empty if none is similar.
std::string nearest_option(const CLI::App& command, const std::vector<std::string>& arguments);

}  // namespace splitscope::cli
