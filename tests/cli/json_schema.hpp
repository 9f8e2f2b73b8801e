// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace splitscope::test {

/// The first place where a value breaks a schema, as "POINTER: what", or nothing. Knows what the schemas in
/// resources/schemas use of JSON Schema draft 7: type, const, enum, anyOf, $ref into definitions, properties,
/// required, additionalProperties, items, minItems, maxItems and minimum; anything else is reported.
std::string schema_problem(const nlohmann::json& schema, const nlohmann::json& value);

/// The schema NAME.schema.json of the source tree.
nlohmann::json schema_named(const std::string& name);

}  // namespace splitscope::test
