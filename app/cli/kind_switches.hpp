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

/// Adds the options of the backend kinds to a command. Values are stored in `chosen`, which must live as long
/// as the command.
void add_kind_switches(CLI::App& command, const BackendRegistry& kinds, KindOptions& chosen);
/// As above, for comparisons of two devices of one kind: the first value of an option that is given twice
/// is stored in `reference`.
void add_kind_switches(CLI::App& command, const BackendRegistry& kinds, KindOptions& chosen,
                       KindOptions& reference);

}  // namespace splitscope::cli
