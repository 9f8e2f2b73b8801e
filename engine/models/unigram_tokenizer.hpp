// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/models/tokenizer.hpp"

namespace splitscope {

/// Viterbi segmentation by token scores: SentencePiece unigram vocabularies ("t5" in tokenizer.ggml.model).
std::unique_ptr<const Tokenizer> make_unigram_tokenizer(const GgufFile& file);

}  // namespace splitscope
