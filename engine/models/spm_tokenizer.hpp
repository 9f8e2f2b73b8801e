// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/models/tokenizer.hpp"

namespace splitscope {

/// Merges by score with byte fallback: SentencePiece BPE vocabularies ("llama" in tokenizer.ggml.model).
std::unique_ptr<const Tokenizer> make_spm_tokenizer(const GgufFile& file);

}  // namespace splitscope
