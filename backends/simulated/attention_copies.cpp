// SPDX-License-Identifier: MIT
#include "backends/simulated/attention_copies.hpp"

#include "backends/simulated/attention_shapes.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

constexpr std::uint64_t kHalfBytes = 2;
constexpr std::uint64_t kCopyAlignment = 128;
constexpr std::uint32_t kAda = 890;

/// Whether the kernel for few tokens runs, which reads every type but F32 in place.
bool reads_in_place(const AttentionShape& shape, std::uint32_t compute_capability) {
    constexpr std::int64_t kWidest = 256;
    constexpr std::int64_t kStep = 64;
    constexpr std::int64_t kWithoutKernel = 192;
    constexpr std::int64_t kManyCells = 8192;
    const Tensor& q = *shape.queries;
    const bool possible = q.ne[0] <= kWidest && q.ne[0] % kStep == 0 && q.ne[0] != kWithoutKernel &&
                          shape.keys->ne[1] % kCellStep == 0;
    if (!possible) return false;
    const std::int64_t tokens = q.ne[1];
    if (tokens == 1 && !shape.can_group()) return true;
    const bool ada = compute_capability >= kAda;
    if (traits_of(shape.keys->type).quantised || traits_of(shape.values->type).quantised)
        return tokens <= (ada ? 2 : 1);
    return ada && tokens == 1 && q.ne[3] == 1 &&
           !(shape.heads_per_key() > 4 && shape.keys->ne[1] >= kManyCells);
}

bool share_memory(const Tensor& keys, TensorId key_id, const Tensor& values) {
    return values.is_view() && (values.view_src == key_id ||
                                (values.view_src == keys.view_src && values.view_offs == keys.view_offs));
}

}  // namespace

std::uint64_t bytes_with_attention_copies(const GraphView& graph, TensorId node,
                                          std::uint32_t compute_capability) {
    const AttentionShape shape = AttentionShape::of(graph, node);
    const bool in_place = reads_in_place(shape, compute_capability);
    std::uint64_t bytes = byte_size(graph[node]);
    const auto add = [&](const Tensor& copied) {
        bytes = (bytes + kCopyAlignment - 1) / kCopyAlignment * kCopyAlignment +
                static_cast<std::uint64_t>(element_count(copied)) * kHalfBytes;
    };
    const auto needs_copy = [&](const Tensor& t) {
        return t.type != ElementType::f16 && (!in_place || t.type == ElementType::f32);
    };
    if (needs_copy(*shape.keys)) add(*shape.keys);
    if (needs_copy(*shape.values) && !share_memory(*shape.keys, graph.sources(node)[1], *shape.values))
        add(*shape.values);
    return bytes;
}

}  // namespace splitscope
