// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "engine/execution/breakpoint.hpp"
#include "engine/formats/json_cursor.hpp"
#include "engine/formats/json_writer.hpp"

namespace splitscope::session_parts {

/// The member "breakpoints" of a session, omitted if empty: [{"kind": "glob", "text": "ffn_*", "enabled":
/// true}, …], restricted by "computation", "split", "ignored" and "outside". Kinds are "node", "glob",
/// "regex", "op", "backend" and "not-finite".
void write_breakpoints(JsonWriter& json, std::span<const Breakpoint> breakpoints);

/// Empty without the member. Throws Error(bad_file) with the JSON pointer of the invalid value.
std::vector<Breakpoint> read_breakpoints(const JsonCursor& session);

}  // namespace splitscope::session_parts
