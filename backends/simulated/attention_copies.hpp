// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "engine/tensor/graph_view.hpp"

namespace splitscope {

/// Bytes of a FLASH_ATTN_EXT node on an NVIDIA device of this compute capability (7.5 and later): after the
/// result, most kernels need F16 copies of keys and values that have another type (placement.md §5).
std::uint64_t bytes_with_attention_copies(const GraphView& graph, TensorId node,
                                          std::uint32_t compute_capability);

}  // namespace splitscope
