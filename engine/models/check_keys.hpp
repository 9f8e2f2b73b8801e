// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/formats/gguf.hpp"

namespace splitscope {

/// Throws Error(bad_file) for metadata that llama.cpp rejects: a key of the wrong type, an array whose length
/// is not the number of layers, or a vocabulary without tokens.
void check_keys(const GgufFile& file, const std::string& architecture);

}  // namespace splitscope
