// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "engine/formats/gguf.hpp"

namespace splitscope {

/// The number of blocks before those for multi-token prediction (MTP), as the metadata gives it.
std::uint64_t trunk_blocks(const GgufFile& file);

}  // namespace splitscope
