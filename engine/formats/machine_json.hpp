// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "backends/interface/machine.hpp"
#include "engine/formats/json_cursor.hpp"
#include "engine/formats/json_writer.hpp"
#include "engine/support/memory_bound.hpp"

namespace splitscope {

/// Names are in every row of a report and in many labels; real ones take a few words.
inline constexpr std::size_t kMaxMachineNameBytes = 256;

/// As many as a scheduler takes.
inline constexpr std::size_t kMaxBackends = 16;

/// As many as a recording has: schedules number them with 16 bits, and each is asked about with each backend.
inline constexpr std::size_t kMaxBufferTypes = 1024;

/// Reads a `splitscope-machine` document (formats.md). Throws Error(bad_file) with the JSON pointer of the
/// bad value, and Error(memory_bound).
Machine parse_machine_json(std::string_view text, std::string_view source = "machine",
                           MemoryBound bound = MemoryBound::kept);

/// The same from a value of another document.
Machine read_machine(const JsonCursor& document, std::string_view source);

std::string write_machine_json(const Machine& machine);
/// The same as a value of another document. `further` writes members behind its own.
void write_machine(JsonWriter& json, const Machine& machine, const std::function<void()>& further = {});

/// Checks what scheduling relies on: 1 to 16 backends, the last one the CPU, each takes its own buffer type
/// and none twice, at most 1024 buffer types, known names of at most 256 bytes, alignments that are powers of
/// two. Throws Error(bad_file).
void validate(const Machine& machine);

/// Checks that a machine fits a graph: buffers named by the graph exist, assigned tensors exist.
void validate(const Machine& machine, const Graph& graph);

}  // namespace splitscope
