// SPDX-License-Identifier: MIT
// Attention of the models: the cache, the masks, and the two ways of computing it.
#include <array>

#include <fmt/format.h>

#include "engine/models/model_builder.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Full precision of the score product, as the reference asks for, and how it was numbered in 2025-02.
constexpr std::int32_t kPrecisionF32 = 10;
constexpr std::int32_t kPrecisionF32Of2025 = 1;

constexpr std::array<std::int32_t, kMaxDims> kHeadsOutside = {0, 2, 1, 3};

}  // namespace

std::int64_t ModelBuilder::cells(std::int32_t layer) const {
    return slides(layer) && options_.window_cells > 0 ? options_.window_cells : options_.cells;
}

std::int64_t ModelBuilder::context(std::int32_t layer) const {
    return slides(layer) && options_.window_context > 0 ? options_.window_context : options_.context;
}

TensorId ModelBuilder::attention_mask(std::int32_t layer) {
    return input(slides(layer) ? ModelInput::swa_attention_mask : ModelInput::attention_mask,
                 options_.flash_attention ? ElementType::f16 : ElementType::f32,
                 {cells(layer), tokens(), 1, 1}, "attn_inp_kq_mask");
}

TensorId ModelBuilder::cache_rows_k(std::int32_t layer) {
    return input(slides(layer) ? ModelInput::swa_cache_rows_k : ModelInput::cache_rows_k, ElementType::i64,
                 {tokens(), 1, 1, 1}, {});
}

TensorId ModelBuilder::cache_rows_v(std::int32_t layer, std::int64_t row) {
    // Without flash attention values are stored transposed, one "row" per element.
    const std::int64_t rows = options_.flash_attention ? tokens() : tokens() * row;
    return input(slides(layer) ? ModelInput::swa_cache_rows_v : ModelInput::cache_rows_v, ElementType::i64,
                 {rows, 1, 1, 1}, {});
}

TensorId ModelBuilder::cache_tensor(std::int32_t layer, const std::string& name, ElementType type,
                                    const Shape& ne) {
    const TensorId id = graph_.new_in_buffer(type, ne, name, placement_.cache_buffer(layer));
    model_graph_.caches.push_back(id);
    return id;
}

ModelBuilder::Cache ModelBuilder::cache(std::int32_t layer) {
    const auto l = static_cast<std::size_t>(layer);
    if (is_2025_02()) {
        const auto flat = [&](std::string_view name, ElementType type, std::int64_t row) {
            return cache_tensor(layer, fmt::format("{}_l{}", name, layer), type,
                                {row * options_.context, 1, 1, 1});
        };
        const TensorId keys = flat("cache_k", options_.cache_type_k, h_.k_row(l));
        return {keys, flat("cache_v", options_.cache_type_v, h_.v_row(l))};
    }
    const TensorId k = cache_tensor(layer, fmt::format("cache_k_l{}", layer), options_.cache_type_k,
                                    {h_.k_row(l), context(layer), 1, 1});
    const TensorId v = cache_tensor(layer, fmt::format("cache_v_l{}", layer), options_.cache_type_v,
                                    {h_.v_row(l), context(layer), 1, 1});
    return {k, v};
}

void ModelBuilder::write_cache(const Cache& cache, TensorId k, TensorId v, std::int32_t layer) {
    const auto l = static_cast<std::size_t>(layer);
    const auto flat = [&](TensorId x, std::int64_t row) {
        return graph_.view_2d(x, row, tokens(), graph_[x].nb[2], 0);
    };
    graph_.expand(graph_.set_rows(cache.k, flat(k, h_.k_row(l)), cache_rows_k(layer)));
    const std::int64_t row = h_.v_row(l);
    if (options_.flash_attention) {
        graph_.expand(graph_.set_rows(cache.v, flat(v, row), cache_rows_v(layer, row)));
        return;
    }
    // Values that are part of a wider row are gathered first.
    const Shape rows{row, tokens(), 1, 1};
    const TensorId gathered = is_contiguous(graph_[v]) ? graph_.reshape(v, rows) : graph_.cont(v, rows);
    const TensorId values = graph_.reshape(gathered, {1, row * tokens(), 1, 1});
    const TensorId column = graph_.reshape(cache.v, {1, row * context(layer), 1, 1});
    graph_.expand(graph_.set_rows(column, values, cache_rows_v(layer, row)));
}

TensorId ModelBuilder::cached_keys(const Cache& cache, std::int32_t layer) {
    const auto l = static_cast<std::size_t>(layer);
    const ElementType type = options_.cache_type_k;
    const std::int64_t head = row_bytes(type, h_.head_dim_k);
    const std::int64_t row = row_bytes(type, h_.k_row(l));
    const TensorId view = graph_.view(cache.k, {h_.head_dim_k, h_.kv_heads[l], cells(layer), 1},
                                      {traits_of(type).block_bytes, head, row, row * context(layer)}, 0);
    return graph_.permute(view, kHeadsOutside);
}

TensorId ModelBuilder::cached_values(const Cache& cache, std::int32_t layer) {
    const auto l = static_cast<std::size_t>(layer);
    const ElementType type = options_.cache_type_v;
    const std::int64_t column = context(layer);
    TensorId view;
    if (options_.flash_attention) {
        const std::int64_t row = row_bytes(type, h_.v_row(l));
        view =
            graph_.view(cache.v, {h_.head_dim_v, h_.kv_heads[l], cells(layer), 1},
                        {traits_of(type).block_bytes, row_bytes(type, h_.head_dim_v), row, row * column}, 0);
    } else {
        view = graph_.view(cache.v, {cells(layer), h_.kv_heads[l], h_.head_dim_v, 1},
                           {traits_of(type).block_bytes, row_bytes(type, column * h_.head_dim_v),
                            row_bytes(type, column), row_bytes(type, column * h_.v_row(l))},
                           0);
    }
    return graph_.permute(view, kHeadsOutside);
}

TensorId ModelBuilder::cap(TensorId scores, std::int32_t layer) {
    if (h_.attention_soft_cap == 0.0F) return scores;
    scores = named(graph_.scale(scores, 1.0F / h_.attention_soft_cap), "kq_scaled_1", layer);
    scores = named(graph_.unary(UnaryKind::tanh, scores), "kq_tanh", layer);
    return named(graph_.scale(scores, h_.attention_soft_cap), "kq_scaled_2", layer);
}

void ModelBuilder::set_full_precision(TensorId product) {
    graph_.set_precision(product, is_2025_02() ? kPrecisionF32Of2025 : kPrecisionF32);
}

TensorId ModelBuilder::mix(TensorId query, TensorId keys, TensorId values, TensorId mask, std::int32_t layer,
                           float scale, TensorId sinks) {
    const TensorId product = named(graph_.mul_mat(keys, query), "kq", layer);
    set_full_precision(product);
    const TensorId scores = cap(product, layer);
    const TensorId weights = named(graph_.soft_max(scores, mask, scale, 0.0F, sinks), "kq_soft_max", layer);
    const TensorId mixed = named(graph_.mul_mat(values, weights), "kqv", layer);
    const Shape& ne = graph_[mixed].ne;
    const Shape flat{ne[0] * ne[2], ne[1], 1, 1};
    return graph_.cont(graph_.permute(mixed, kHeadsOutside), flat);
}

TensorId ModelBuilder::attend(TensorId q, TensorId k, TensorId v, std::int32_t layer, float scale,
                              TensorId sinks) {
    if (is_2025_02()) return attend_2025_02(q, k, v, layer, scale);
    graph_.expand(q);
    // The order in which the reference lists them differs for models with sliding windows.
    graph_.expand(h_.window > 0 ? k : v);
    graph_.expand(h_.window > 0 ? v : k);
    const Cache layer_cache = cache(layer);
    write_cache(layer_cache, k, v, layer);

    const Tensor heads = graph_[q];
    const TensorId query = graph_.permute(graph_.view(q, heads.ne, heads.nb, 0), kHeadsOutside);
    const TensorId keys = cached_keys(layer_cache, layer);
    const TensorId values = cached_values(layer_cache, layer);
    TensorId out;
    if (options_.flash_attention) {
        const TensorId attended = graph_.flash_attention(query, keys, values, attention_mask(layer), scale,
                                                         0.0F, h_.attention_soft_cap, sinks);
        set_full_precision(attended);
        graph_.expand(attended);
        out = graph_.reshape(attended, {h_.head_dim_v * heads.ne[1], tokens(), 1, 1});
    } else {
        out = mix(query, keys, values, attention_mask(layer), layer, scale, sinks);
    }
    named(out, "kqv_out", layer);
    graph_.expand(out);
    return out;
}

TensorId ModelBuilder::attend_within_batch(TensorId q, TensorId k, TensorId v, std::int32_t layer,
                                           float scale) {
    graph_.expand(q);
    graph_.expand(k);
    graph_.expand(v);
    model_graph_.causal = false;
    const TensorId mask =
        input(ModelInput::attention_mask, ElementType::f32, {tokens(), tokens(), 1, 1}, "attn_inp_kq_mask");
    const TensorId query = graph_.permute(q, kHeadsOutside);
    const TensorId keys = graph_.permute(k, kHeadsOutside);
    const TensorId values = graph_.cont(graph_.transpose(graph_.permute(v, kHeadsOutside)));
    const TensorId out = named(mix(query, keys, values, mask, layer, scale, {}), "kqv_out", layer);
    graph_.expand(out);
    return out;
}

}  // namespace splitscope
