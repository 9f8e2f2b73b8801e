// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/threads_option.hpp"

#include <CLI/CLI.hpp>

#include "engine/support/limits.hpp"

namespace splitscope::cli {

void add_threads_option(CLI::App& command, std::uint32_t& threads, const std::string& description) {
    command.add_option("-t,--threads", threads, description)
        ->check(CLI::Range(0, kMaxThreads))
        ->capture_default_str()
        ->type_name("N");
}

}  // namespace splitscope::cli
