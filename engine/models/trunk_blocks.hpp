// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/formats/gguf.hpp"

namespace splitscope {

/// The number of the block of a tensor such as "blk.3.attn_q.weight".
std::optional<std::uint64_t> block_number(std::string_view tensor);

/// The number of blocks before those for multi-token prediction (MTP), as the metadata gives it.
std::uint64_t trunk_blocks(const GgufFile& file);

}  // namespace splitscope
