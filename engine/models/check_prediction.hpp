// SPDX-License-Identifier: MIT
#pragma once

#include "engine/formats/gguf.hpp"

namespace splitscope {

struct Architecture;

/// Throws Error(bad_file) if blocks for multi-token prediction (MTP) lack a tensor that llama.cpp's loader
/// requires, or have one of another shape. No graph reads these blocks, so builders do not check them.
void check_prediction(const GgufFile& file, const Architecture& architecture);

}  // namespace splitscope
