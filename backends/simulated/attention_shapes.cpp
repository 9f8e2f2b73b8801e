// SPDX-License-Identifier: MIT
#include "backends/simulated/attention_shapes.hpp"

#include <algorithm>

namespace splitscope {
namespace {

constexpr std::int64_t kStrideStep = 16;

bool has_even_strides(const Tensor& t) {
    if (traits_of(t.type).quantised) return true;
    return std::all_of(t.nb.begin() + 1, t.nb.end(), [](std::int64_t nb) { return nb % kStrideStep == 0; });
}

}  // namespace

AttentionShape AttentionShape::of(const GraphView& graph, TensorId node) {
    constexpr std::size_t kMaxBias = 1;
    const Sources& sources = graph.sources(node);
    return {&graph[sources[0]], &graph[sources[1]], &graph[sources[2]],
            sources[3].valid() ? &graph[sources[3]] : nullptr, graph[node].param_f32(kMaxBias)};
}

bool AttentionShape::can_group() const {
    return mask != nullptr && heads_per_key() >= 2 && max_bias == 0.0F && keys->ne[1] % kCellStep == 0 &&
           has_even_strides(*queries) && has_even_strides(*keys) && has_even_strides(*values) &&
           has_even_strides(*mask);
}

bool supports_head_sizes(std::span<const AttentionHeads> supported, const AttentionShape& shape) {
    return std::ranges::any_of(supported, [&](const AttentionHeads& heads) {
        if (heads.keys != shape.keys->ne[0] || heads.values != shape.values->ne[0]) return false;
        return heads.groups == 0 || (shape.can_group() && shape.heads_per_key() % heads.groups == 0);
    });
}

}  // namespace splitscope
