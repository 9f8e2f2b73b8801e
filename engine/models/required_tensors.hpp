// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/formats/gguf.hpp"
#include "engine/models/loader_rules.hpp"

namespace splitscope {

/// Whether the rules of an architecture may require tensors of this kind.
bool can_be_required(std::string_view kind);

/// A tensor that llama.cpp's loader of the architecture requires and the file lacks. Covers only tensors that
/// graph builders treat as optional, because other architectures have none; builders report all others.
std::optional<std::string> missing_tensor(const GgufFile& file, const LoaderRules& rules);

}  // namespace splitscope
