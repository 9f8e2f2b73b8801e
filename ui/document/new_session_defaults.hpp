// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/models/placement/program_defaults.hpp"
#include "engine/session/known_machine.hpp"
#include "engine/session/session.hpp"

namespace splitscope::ui {

/// Defaults for files that are not sessions.
struct NewSessionDefaults {
    std::optional<Generation> generation;     ///< if the file names none; empty: the engine's default
    Program program = Program::llama_server;  ///< whose default switches place a model
    std::optional<KnownMachine> machine;      ///< for models without one; empty: the simulated machine
};

/// Applies the defaults to a session made by default_session(). `demonstration`: divides a model between an
/// accelerator and the CPU regardless of the defaults, so that splits are visible.
void apply_new_session_defaults(Session& session, const NewSessionDefaults& defaults, bool demonstration);

}  // namespace splitscope::ui
