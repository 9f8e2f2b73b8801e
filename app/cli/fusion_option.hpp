// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace splitscope::cli {

/// Adds --no-fusion, which clears `fuse`.
void add_fusion_option(CLI::App& command, bool& fuse);

}  // namespace splitscope::cli
