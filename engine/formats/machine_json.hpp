// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "backends/interface/machine.hpp"
#include "engine/formats/json_cursor.hpp"
#include "engine/formats/json_writer.hpp"
#include "engine/support/memory_bound.hpp"

namespace splitscope {

/// Reads a `splitscope-machine` document (formats.md). Throws Error(bad_file) with the JSON pointer of the
/// bad value, and Error(memory_bound).
Machine parse_machine_json(std::string_view text, std::string_view source = "machine",
                           MemoryBound bound = MemoryBound::enforced);

/// What to do about names of operations and element types that this program does not know.
enum class UnknownNames : std::uint8_t {
    refuse,
    keep,  ///< they have no effect; for sessions, whose machine editor shows them as such
};

/// Reads a machine embedded in another document.
Machine read_machine(const JsonCursor& document, std::string_view source,
                     UnknownNames unknown = UnknownNames::refuse);

std::string write_machine_json(const Machine& machine);
/// Writes a machine as a value of another document. `further` may append members.
void write_machine(JsonWriter& json, const Machine& machine, const std::function<void()>& further = {});

/// Checks the preconditions of scheduling: 1 to kMaxBackends backends, the last one a CPU, each supporting
/// its own buffer type and listing none twice, at most kMaxBufferTypes buffer types, known names of at most
/// kMaxMachineNameBytes, alignments that are powers of two. Throws Error(bad_file).
void validate(const Machine& machine);

/// Checks a machine against a graph: buffers and assigned tensors named by one exist in the other.
void validate(const Machine& machine, const Graph& graph);

}  // namespace splitscope
