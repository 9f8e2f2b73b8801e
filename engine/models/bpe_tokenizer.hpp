// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/models/tokenizer.hpp"

namespace splitscope {

/// Splits text into words with the vocabulary's pre-tokenizer and merges their bytes by its merge list
/// ("gpt2" in tokenizer.ggml.model). Throws Error(unsupported) with the pre-tokenizer if it is unknown.
std::unique_ptr<const Tokenizer> make_bpe_tokenizer(const GgufFile& file);

}  // namespace splitscope
