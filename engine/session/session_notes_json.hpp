// SPDX-License-Identifier: MIT
#pragma once

#include "engine/formats/json_cursor.hpp"
#include "engine/formats/json_writer.hpp"
#include "engine/session/session_notes.hpp"

namespace splitscope::session_parts {

/// The members "bookmarks" ([{"tensor": "ffn_out-3@MUL_MAT", "note": "why here?"}, …]) and "decision_stops"
/// ([{"kind": "cause", "text": "3.upg", "enabled": true}, …]) of a session, each omitted if empty.
void write_notes(JsonWriter& json, const SessionNotes& notes);

/// Absent members are empty lists. Throws Error(bad_file) with the JSON pointer of the invalid value.
SessionNotes read_notes(const JsonCursor& session);

}  // namespace splitscope::session_parts
