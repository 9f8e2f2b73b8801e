// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/models/tokenizer.hpp"

namespace splitscope {

/// Splits text into words, in lower case and without accents unless the file says otherwise, and each word
/// greedily into the longest tokens ("bert" in tokenizer.ggml.model). A word that cannot be split becomes the
/// unknown token.
std::unique_ptr<const Tokenizer> make_wordpiece_tokenizer(const GgufFile& file);

}  // namespace splitscope
