// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "engine/formats/json_cursor.hpp"
#include "engine/formats/json_writer.hpp"
#include "engine/session/session.hpp"

namespace splitscope::session_parts {

/// The member "model" of a session: kind, context, batch, layers and attention always, other options only if
/// they differ from their defaults.
void write_model_options(JsonWriter& json, const ModelOptions& options);
/// Throws Error(bad_file) with the JSON pointer of the invalid value; patterns are not checked.
ModelOptions read_model_options(const JsonCursor& reader);

/// Throws Error(bad_file) with the JSON pointer of the first invalid pattern.
void require_patterns(const JsonCursor& reader, const ModelOptions& options);

/// The member "devices": facts of each backend, by name.
void write_devices(JsonWriter& json, const std::map<std::string, DeviceFacts>& devices);
std::map<std::string, DeviceFacts> read_devices(const JsonCursor& reader);

}  // namespace splitscope::session_parts
