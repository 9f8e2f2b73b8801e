// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/models/tokenizer.hpp"

namespace splitscope {

/// Words in lower case without accents, each cut into the longest tokens from its start ("bert" in
/// tokenizer.ggml.model). A word with no such cut becomes the unknown token.
std::unique_ptr<const Tokenizer> make_wordpiece_tokenizer(const GgufFile& file);

}  // namespace splitscope
