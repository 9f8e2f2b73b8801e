// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/formats/gguf.hpp"

namespace splitscope {

/// Throws Error(bad_file) for a key that llama.cpp would refuse to read: stored as another type, with another
/// number of entries than the model has layers, or a vocabulary without tokens.
void check_keys(const GgufFile& file, const std::string& architecture);

}  // namespace splitscope
