// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/models/tokenizer.hpp"

namespace splitscope {

/// The segmentation with the highest sum of scores; characters without a token become byte tokens ("plamo2"
/// in tokenizer.ggml.model). Throws Error(bad_file) if a byte token is missing.
std::unique_ptr<const Tokenizer> make_plamo_tokenizer(const GgufFile& file);

}  // namespace splitscope
