// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "engine/session/session.hpp"

namespace splitscope {

/// What `schedule --why --json` prints: the decisions on these tensors.
std::string write_why_json(const Analysis& analysis, std::span<const TensorId> tensors);

}  // namespace splitscope
