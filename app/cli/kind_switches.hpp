// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backends/interface/backend_kind.hpp"

namespace splitscope {
struct Machine;
}

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

/// Whether options select devices, as a folder of libraries does.
bool selects_devices(const BackendRegistry& kinds, const KindOptions& options);
/// Throws Error(usage) if an option selects devices and none of them is in the machine.
void refuse_unused_option(const BackendRegistry& kinds, const KindOptions& options, const Machine& machine);

}  // namespace splitscope::cli
