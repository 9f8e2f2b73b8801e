// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "engine/formats/json_writer.hpp"
#include "engine/session/object_reader.hpp"
#include "engine/session/session.hpp"

namespace splitscope::session_parts {

/// The member "model" of a session: kind, context, batch, layers and attention always, the other switches
/// where they differ from their defaults.
void write_model_options(JsonWriter& json, const ModelOptions& options);
/// Throws Error(bad_file) with the JSON pointer of the bad value; patterns may be any text.
ModelOptions read_model_options(const ObjectReader& reader);

/// Throws Error(bad_file) with the JSON pointer of the first pattern that cannot be understood.
void require_patterns(const ObjectReader& reader, const ModelOptions& options);

/// The member "devices": what is known of each backend, by name.
void write_devices(JsonWriter& json, const std::map<std::string, DeviceFacts>& devices);
std::map<std::string, DeviceFacts> read_devices(const ObjectReader& reader);

}  // namespace splitscope::session_parts
