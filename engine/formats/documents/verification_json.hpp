// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/session/verify_schedule.hpp"

namespace splitscope {

/// What `verify --json` prints.
std::string write_verification_json(const std::vector<VerifiedGraph>& verified);

}  // namespace splitscope
