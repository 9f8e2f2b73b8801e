// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "engine/formats/gguf.hpp"

namespace splitscope {

/// A tensor that llama.cpp's loader of the architecture requires and the file lacks. Builders find the
/// others: these are tensors that they read where they are, since other architectures do without.
std::optional<std::string> missing_tensor(const GgufFile& file, const std::string& architecture);

}  // namespace splitscope
