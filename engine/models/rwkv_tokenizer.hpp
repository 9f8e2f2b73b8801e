// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/models/tokenizer.hpp"

namespace splitscope {

/// Greedy longest match ("rwkv" in tokenizer.ggml.model).
std::unique_ptr<const Tokenizer> make_rwkv_tokenizer(const GgufFile& file);

}  // namespace splitscope
