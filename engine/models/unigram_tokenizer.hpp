// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/models/tokenizer.hpp"

namespace splitscope {

/// Of all ways to cut a text into tokens, the one whose scores sum to the most ("t5" in
/// tokenizer.ggml.model). Throws Error(bad_file) for a damaged table of replaced characters.
std::unique_ptr<const Tokenizer> make_unigram_tokenizer(const GgufFile& file);

}  // namespace splitscope
