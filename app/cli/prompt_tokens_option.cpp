// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/prompt_tokens_option.hpp"

#include <CLI/CLI.hpp>

namespace splitscope::cli {

CLI::Option& add_prompt_tokens(CLI::App& command, std::vector<std::int32_t>& tokens,
                               const std::string& description) {
    return *command.add_option("--prompt-tokens", tokens, description)
                ->delimiter(',')
                ->check([](const std::string& id) { return id.empty() ? "no token ids" : std::string(); })
                ->type_name("IDS");
}

}  // namespace splitscope::cli
