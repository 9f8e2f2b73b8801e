// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "engine/session/session.hpp"
#include "engine/support/memory_bound.hpp"

namespace splitscope {

/// A machine with what is known of its devices, by their names.
struct KnownMachine {
    Machine machine;
    std::map<std::string, DeviceFacts> devices;
    friend bool operator==(const KnownMachine&, const KnownMachine&) = default;
};

/// That of a session, without what is about its graph: buffers, assignments and recorded answers.
KnownMachine machine_of(const Session& session);

/// Puts a machine in the place of a session's. Nothing of the old one stays: choices that name its devices
/// go, and the buffers that the session's graph names move to the memory of the same name, else to the CPU's.
void replace_machine(Session& session, KnownMachine known);

/// Adds the buffers of a recorded machine: each in the memory of the same name, or else in that of the CPU.
void adopt_buffers(Machine& machine, const Machine& recorded);

/// A machine document with the member "devices" of sessions, where anything is known. Throws Error(bad_file)
/// with the JSON pointer of the bad value, and Error(memory_bound).
KnownMachine parse_known_machine(std::string_view text, std::string_view source,
                                 MemoryBound bound = MemoryBound::kept);
std::string write_known_machine(const KnownMachine& known);

/// Told by the start of the file; false for what cannot be read.
bool is_machine_file(const std::filesystem::path& path);

}  // namespace splitscope
