// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace splitscope::cli {

/// Adds --prompt-tokens, which takes token ids separated by commas.
CLI::Option& add_prompt_tokens(CLI::App& command, std::vector<std::int32_t>& tokens,
                               const std::string& description);

}  // namespace splitscope::cli
