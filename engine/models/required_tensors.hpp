// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "engine/formats/gguf.hpp"

namespace splitscope {

/// A tensor that llama.cpp's loader of the architecture requires and the file lacks. Covers only tensors that
/// graph builders treat as optional, because other architectures have none; builders report all others.
std::optional<std::string> missing_tensor(const GgufFile& file, const std::string& architecture);

}  // namespace splitscope
