// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backends/interface/backend_kind.hpp"

namespace CLI {
class App;
}

namespace splitscope {
class BackendRegistry;
}

namespace splitscope::cli {

/// Adds the settings of the kinds of backend to a command: what is given goes into `chosen`, which must live
/// as long as the command.
void add_kind_switches(CLI::App& command, const BackendRegistry& kinds, KindOptions& chosen);

}  // namespace splitscope::cli
