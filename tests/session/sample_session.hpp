// SPDX-License-Identifier: MIT
#pragma once

#include "engine/session/resources.hpp"
#include "engine/session/session.hpp"

namespace splitscope::testing {

inline Session sample_session() {
    return default_session(open_file(sample_model_path()));
}

/// The machine without its accelerators.
inline Machine cpu_only() {
    Machine machine = default_machine();
    machine.name = "CPU";
    machine.backends.erase(machine.backends.begin());
    return machine;
}

}  // namespace splitscope::testing
