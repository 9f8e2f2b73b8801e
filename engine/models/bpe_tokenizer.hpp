// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/models/tokenizer.hpp"

namespace splitscope {

/// Cuts text into words by the vocabulary's pre-tokenizer and merges their bytes in the order of its merge
/// list ("gpt2" in tokenizer.ggml.model). Throws Error(unsupported) naming the pre-tokenizer when it is not
/// known.
std::unique_ptr<const Tokenizer> make_bpe_tokenizer(const GgufFile& file);

}  // namespace splitscope
