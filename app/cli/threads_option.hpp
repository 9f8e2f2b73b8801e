// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace splitscope::cli {

/// Adds --threads with a common range of values.
void add_threads_option(CLI::App& command, std::uint32_t& threads, const std::string& description);

}  // namespace splitscope::cli
