// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "engine/session/object_reader.hpp"
#include "engine/session/session.hpp"

namespace splitscope::session_parts {

/// The member "model" of a session: kind, context, batch, layers and attention always, the other switches
/// where they differ from their defaults.
ordered_json write_model_options(const ModelOptions& options);
/// Throws Error(bad_file) with the JSON pointer of the bad value.
ModelOptions read_model_options(const ObjectReader& reader);

/// The member "devices": what is known of each backend, by name.
ordered_json write_devices(const std::map<std::string, DeviceFacts>& devices);
std::map<std::string, DeviceFacts> read_devices(const ObjectReader& reader);

}  // namespace splitscope::session_parts
