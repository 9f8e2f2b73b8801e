// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/models/tokenizer.hpp"

namespace splitscope {

/// The division into tokens with the best sum of scores, bytes for all other characters ("plamo2" in
/// tokenizer.ggml.model). Throws Error(bad_file) if the vocabulary lacks a byte.
std::unique_ptr<const Tokenizer> make_plamo_tokenizer(const GgufFile& file);

}  // namespace splitscope
