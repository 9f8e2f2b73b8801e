// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "engine/session/session.hpp"
#include "engine/support/memory_bound.hpp"

namespace splitscope {

/// A machine with facts about its devices, by name.
struct KnownMachine {
    Machine machine;
    std::map<std::string, DeviceFacts> devices;
    friend bool operator==(const KnownMachine&, const KnownMachine&) = default;
};

/// The machine of a session, without the parts that refer to its graph: buffers, assignments and recorded
/// answers.
KnownMachine machine_of(const Session& session);

/// Replaces the machine of a session. Options that name its devices are reset, and the buffers of the
/// session's graph move to the buffer type of the same name, or to the CPU's.
void replace_machine(Session& session, KnownMachine known);

/// Adds the buffers of a recorded machine, each in the buffer type of the same name, else in the CPU's.
void adopt_buffers(Machine& machine, const Machine& recorded);

/// A machine document, with the member "devices" of sessions if any facts are known. Throws Error(bad_file)
/// with the JSON pointer of the invalid value, and Error(memory_bound).
KnownMachine parse_known_machine(std::string_view text, std::string_view source,
                                 MemoryBound bound = MemoryBound::enforced);
std::string write_known_machine(const KnownMachine& known);

/// Checks the start of the file; false if it cannot be read.
bool is_machine_file(const std::filesystem::path& path);

}  // namespace splitscope
