// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "backends/interface/machine.hpp"
#include "engine/tensor/graph_view.hpp"

namespace splitscope {

/// KV cache cells that attention kernels read at a time.
inline constexpr std::int64_t kCellStep = 256;

/// The sources of a FLASH_ATTN_EXT node, as far as devices distinguish them.
struct AttentionShape {
    const Tensor* queries;
    const Tensor* keys;
    const Tensor* values;
    const Tensor* mask;  ///< null = none
    float max_bias;

    static AttentionShape of(const GraphView& graph, TensorId node);

    std::int64_t heads_per_key() const { return queries->ne[2] / std::max<std::int64_t>(keys->ne[2], 1); }
    /// Whether query heads that share keys (grouped-query attention) can be computed together.
    bool can_group() const;
};

/// Whether one of the entries allows these head sizes.
bool supports_head_sizes(std::span<const AttentionHeads> supported, const AttentionShape& shape);

}  // namespace splitscope
