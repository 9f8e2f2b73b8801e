// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/models/placement/program_defaults.hpp"
#include "engine/session/known_machine.hpp"
#include "engine/session/session.hpp"

namespace splitscope::ui {

/// What a file that is no session starts with.
struct FreshStart {
    std::optional<Generation> generation;     ///< where the file names none; none: the engine's choice
    Program program = Program::llama_server;  ///< a model is placed as it does without switches
    std::optional<KnownMachine> machine;      ///< of models that come without one; none: the simulated one
};

/// Makes a session of default_session() start that way. `demonstration`: a model is divided between an
/// accelerator and the CPU, for something to be seen, whatever a program would do.
void start_fresh(Session& session, const FreshStart& fresh, bool demonstration);

}  // namespace splitscope::ui
