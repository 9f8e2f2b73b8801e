// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "engine/models/vocabulary.hpp"

namespace splitscope::test {

/// Values of tokenizer.ggml.token_type.
inline constexpr auto kNormal = static_cast<std::int32_t>(TokenKind::normal);
inline constexpr auto kControl = static_cast<std::int32_t>(TokenKind::control);
inline constexpr auto kUser = static_cast<std::int32_t>(TokenKind::user_defined);

}  // namespace splitscope::test
