// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/session/verify_schedule.hpp"

namespace splitscope {

class JsonWriter;

/// The member `name` with what `verify` found of each graph.
void write_verified(JsonWriter& json, std::string_view name, const std::vector<VerifiedGraph>& verified);

/// What `verify --json` prints.
std::string write_verification_json(const std::vector<VerifiedGraph>& verified);

}  // namespace splitscope
