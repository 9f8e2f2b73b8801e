// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/models/placement/place_model.hpp"
#include "engine/models/placement/program_defaults.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// Cells of the KV cache of a session with a model.
std::uint32_t context_cells(const Session& session);

/// The switches of placement.md §10 that a session with a model stands for. Cheap.
PlacementFlags placement_flags(const Session& session);
/// The same of options that say everything, as default_options() do: for files without a graph builder.
PlacementFlags placement_flags(const ModelOptions& options, const GgufFile& file, const Machine& machine,
                               Generation generation);

/// A machine with the facts about its backends, by their names. Backends of these kinds that are no presets
/// answer as the devices of their kind do.
Hardware hardware_of(Machine machine, const std::map<std::string, DeviceFacts>& devices,
                     const BackendKinds& kinds);
Hardware hardware_of(const Session& session);

/// Layers of the session's model that are on accelerators, the output layer counted as one. Cheap; 0 when
/// the options do not fit the machine.
std::int32_t accelerated_layers(const Session& session);

/// What the override rules of a session do to the tensors of its model, in the order of
/// placement_flags(session).overrides: those of ModelOptions::overrides first. Takes time proportional to
/// rules × tensors: not for a UI thread. Throws Error(usage) naming the rule that is wrong, and Cancelled.
std::vector<RuleUse> override_uses(const Session& session, const JobContext& job = {});

/// What a program of llama.cpp starts with for this file on this machine. The one source of defaults for the
/// commands and the window: see default_flags().
ModelOptions default_options(Program program, Generation generation, const GgufFile& file,
                             const Machine& machine);

/// Places the session's model as that program does when no switch is given; the graph that is looked at
/// stays. Without a model nothing changes.
void use_defaults(Session& session, Program program);

/// The program whose defaults the options of a session are; nothing when any differs.
std::optional<Program> program_with_defaults(const Session& session);

}  // namespace splitscope
