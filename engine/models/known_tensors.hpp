// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/models/architectures.hpp"

namespace splitscope {

/// The name without numbers: "blk.attn_q.weight".
std::string kind_of_tensor(std::string_view name);

/// Whether llama.cpp's loader of the architecture accepts tensors of this name; it rejects files with any
/// other.
bool loader_knows(const Architecture& architecture, std::string_view tensor);

}  // namespace splitscope
