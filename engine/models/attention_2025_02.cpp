// SPDX-License-Identifier: MIT
// Attention in the graph form of February 2025: flat caches, into which keys and values are copied at a cell
// offset that is part of the graph.
#include "engine/models/model_builder.hpp"

namespace splitscope {
namespace {

/// The mask's rows are padded to a multiple of this.
constexpr std::int64_t kMaskRows = 64;

}  // namespace

TensorId ModelBuilder::mask_2025_02(std::int32_t layer) {
    const std::int64_t rows = (tokens() + kMaskRows - 1) / kMaskRows * kMaskRows;
    const ModelInput kind = slides(layer) ? ModelInput::swa_attention_mask : ModelInput::attention_mask;
    const TensorId mask = input(kind, ElementType::f32, {options_.cells, rows, 1, 1},
                                slides(layer) ? "KQ_mask_swa" : "KQ_mask");
    if (!options_.flash_attention) return mask;
    auto [half, inserted] = half_masks_.try_emplace(kind);
    if (inserted) half->second = graph_.cast(mask, ElementType::f16);
    return half->second;
}

void ModelBuilder::write_cache_2025_02(const Cache& cache, TensorId k, TensorId v, std::int32_t layer) {
    const auto l = static_cast<std::size_t>(layer);
    const auto in_one_row = [&](TensorId to, std::int64_t row, std::string_view name) {
        const ElementType type = graph_[to].type;
        const std::int64_t bytes = row_bytes(type, row * tokens());
        return named(
            graph_.view(to, {row * tokens(), 1, 1, 1}, {traits_of(type).block_bytes, bytes, bytes, bytes},
                        row_bytes(type, row) * options_.first_cell),
            name, layer);
    };
    graph_.expand(graph_.cpy(k, in_one_row(cache.k, h_.k_row(l), "k_cache_view")));
    if (options_.flash_attention) {
        graph_.expand(graph_.cpy(v, in_one_row(cache.v, h_.v_row(l), "v_cache_view")));
        return;
    }
    const std::int64_t element = traits_of(options_.cache_type_v).block_bytes;
    const TensorId columns = graph_.view_2d(cache.v, tokens(), h_.v_row(l), element * options_.context,
                                            element * options_.first_cell);
    graph_.expand(graph_.cpy(graph_.transpose(v), named(columns, "v_cache_view", layer)));
}

TensorId ModelBuilder::mix_2025_02(const Cache& cache, TensorId query, std::int32_t layer, float scale) {
    const auto l = static_cast<std::size_t>(layer);
    const auto by_cell = [&](TensorId from, std::int64_t head, std::int64_t row, std::string_view name) {
        const ElementType type = graph_[from].type;
        return named(graph_.view_3d(from, head, options_.cells, h_.kv_heads[l], row_bytes(type, row),
                                    row_bytes(type, head), 0),
                     name, layer);
    };
    const TensorId keys = by_cell(cache.k, h_.head_dim_k, h_.k_row(l), "k");
    const Shape flat{std::int64_t{h_.head_dim_v} * h_.heads[l], tokens(), 1, 1};
    if (options_.flash_attention) {
        const TensorId values = by_cell(cache.v, h_.head_dim_v, h_.v_row(l), "v");
        const TensorId attended = graph_.flash_attention(query, keys, values, mask_2025_02(layer), scale,
                                                         0.0F, h_.attention_soft_cap.value_or(0.0F));
        model_graph_.flash_attentions.push_back({layer, attended});
        set_full_precision(attended);
        return graph_.reshape(attended, flat);
    }
    const std::int64_t column = row_bytes(options_.cache_type_v, options_.context);
    const TensorId values = named(graph_.view_3d(cache.v, options_.cells, h_.head_dim_v, h_.kv_heads[l],
                                                 column, column * h_.head_dim_v, 0),
                                  "v", layer);
    const TensorId scores = named(graph_.mul_mat(keys, query), "kq", layer);
    set_full_precision(scores);
    const TensorId weights =
        named(graph_.soft_max(cap(scores, layer), mask_2025_02(layer), scale), "kq_soft_max_ext", layer);
    const TensorId heads = named(graph_.mul_mat(values, weights), "kqv", layer);
    const TensorId merged = named(graph_.permute(heads, kHeadsOutside), "kqv_merged", layer);
    const TensorId out = named(graph_.cont(merged, flat), "kqv_merged_cont", layer);
    model_graph_.plain_attentions.push_back(out);
    return out;
}

TensorId ModelBuilder::attend_2025_02(TensorId q, TensorId k, TensorId v, std::int32_t layer, float scale) {
    for (const TensorId x : {q, k, v}) graph_.expand(x);
    const Cache layer_cache = cache(layer);
    write_cache_2025_02(layer_cache, k, v, layer);
    const TensorId query = named(graph_.permute(q, kHeadsOutside), "q", layer);
    const TensorId mixed = mix_2025_02(layer_cache, query, layer, scale);
    graph_.expand(mixed);
    return mixed;
}

}  // namespace splitscope
