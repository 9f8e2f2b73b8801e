// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// Between the sentences and the parts of a list.
inline constexpr Sentence<> kSemicolon{"list.semicolon", "; "};
inline constexpr Sentence<> kComma{"list.comma", ", "};
inline constexpr Sentence<> kColon{"list.colon", ": "};
inline constexpr Sentence<> kSpace{"list.space", " "};

}  // namespace splitscope::msg
