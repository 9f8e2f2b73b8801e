// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/models/architectures.hpp"

namespace splitscope {

/// The name without numbers: "blk.attn_q.weight".
std::string kind_of_tensor(std::string_view name);

/// The weight to which a scale ("blk.3.attn_q.scale") or a scale of its input belongs; none for other tensors
/// and for weights whose scales are not known.
std::optional<std::string> scaled_weight(std::string_view tensor);

/// Whether llama.cpp's loader of the architecture accepts tensors of this name; it rejects files with any
/// other.
bool loader_knows(const Architecture& architecture, std::string_view tensor);

}  // namespace splitscope
