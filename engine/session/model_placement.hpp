// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/models/placement/place_model.hpp"
#include "engine/models/placement/program_defaults.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// Number of KV cache cells of a model session.
std::uint32_t context_cells(const Session& session);

/// The switches of placement.md §10 for a model session. Cheap.
PlacementFlags placement_flags(const Session& session);
/// As above, for complete options such as default_options(); also for files without a graph builder.
PlacementFlags placement_flags(const ModelOptions& options, const GgufFile& file, const Machine& machine,
                               Generation generation);

/// A machine with device facts by backend name. Backends of these kinds that are not presets answer as the
/// kind's devices.
Hardware hardware_of(Machine machine, const std::map<std::string, DeviceFacts>& devices,
                     const BackendKinds& kinds);
Hardware hardware_of(const Session& session);

/// Number of layers on accelerators, counting the output layer. Cheap; 0 if the options do not fit the
/// machine.
std::int32_t accelerated_layers(const Session& session);

/// The effect of the session's override rules on the model's tensors, in the order of
/// placement_flags(session).overrides: ModelOptions::overrides first. O(rules × tensors): do not call on the
/// UI thread. Throws Error(usage) with the invalid rule, and Cancelled.
std::vector<RuleUse> override_uses(const Session& session, const JobContext& job = {});

/// The defaults of a llama.cpp program for this file and machine. The single source of defaults for commands
/// and the window; see default_flags().
ModelOptions default_options(Program program, Generation generation, const GgufFile& file,
                             const Machine& machine);

/// Places the session's model with the defaults of that program; the selected graph is kept. No effect
/// without a model.
void use_defaults(Session& session, Program program);

/// The program whose defaults equal the session's options; empty if there is none.
std::optional<Program> program_with_defaults(const Session& session);

}  // namespace splitscope
