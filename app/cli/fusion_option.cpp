// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/fusion_option.hpp"

#include <CLI/CLI.hpp>

namespace splitscope::cli {

void add_fusion_option(CLI::App& command, bool& fuse) {
    command.add_flag_callback(
        "--no-fusion", [&fuse] { fuse = false; },
        "Compute every node with a kernel of its own, even on devices that fuse nodes");
}

}  // namespace splitscope::cli
