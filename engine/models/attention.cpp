// SPDX-License-Identifier: MIT
// Attention: caches, masks, and its fused and unfused forms.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/models/model_builder.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Full precision of score products, as in llama.cpp, and its value in 2025-02.
constexpr std::int32_t kPrecisionF32 = 10;
constexpr std::int32_t kPrecisionF32Of2025 = 1;

/// The smallest rotation matrix for keys and values before quantisation.
constexpr std::int64_t kMinRotation = 64;
/// Hint that a product's matrix is such a rotation.
constexpr std::int32_t kRotationHint = 1;

}  // namespace

float ModelBuilder::score_scale(std::int32_t layer) const {
    return 1.0F / std::sqrt(static_cast<float>(h_.head_k(static_cast<std::size_t>(layer))));
}

// --- inputs

std::int64_t ModelBuilder::cells(std::int32_t layer) const {
    return slides(layer) && options_.window_cells > 0 ? options_.window_cells : options_.cells;
}

std::int64_t ModelBuilder::context(std::int32_t layer) const {
    return slides(layer) && options_.window_context > 0 ? options_.window_context : options_.context;
}

TensorId ModelBuilder::attention_mask(std::int32_t layer) {
    return input(slides(layer) ? ModelInput::swa_attention_mask : ModelInput::attention_mask,
                 options_.flash_attention ? ElementType::f16 : ElementType::f32,
                 {cells(layer), tokens() / streams(), 1, streams()}, "attn_inp_kq_mask");
}

TensorId ModelBuilder::batch_mask(std::int32_t layer) {
    const bool half = options_.flash_attention && !is_2025_02();
    return input(slides(layer) ? ModelInput::swa_attention_mask : ModelInput::attention_mask,
                 half ? ElementType::f16 : ElementType::f32, {tokens(), tokens(), 1, 1},
                 is_2025_02() ? "attn_inp_kq_mask" : "");
}

TensorId ModelBuilder::cache_rows_k(std::int32_t layer) {
    return input(slides(layer) ? ModelInput::swa_cache_rows_k : ModelInput::cache_rows_k, ElementType::i64,
                 {tokens(), 1, 1, 1}, {});
}

TensorId ModelBuilder::cache_rows_v(std::int32_t layer, std::int64_t row) {
    // Without flash attention, values are stored transposed, one "row" per element.
    const std::int64_t rows = values_in_rows() ? tokens() : tokens() * row;
    return input(slides(layer) ? ModelInput::swa_cache_rows_v : ModelInput::cache_rows_v, ElementType::i64,
                 {rows, 1, 1, 1}, {});
}

// --- the cache

TensorId ModelBuilder::cache_tensor(std::int32_t layer, const std::string& name, ElementType type,
                                    const Shape& ne) {
    const TensorId id = graph_.new_in_buffer(type, ne, name, placement_.cache_buffer(layer));
    model_graph_.caches.push_back(id);
    return id;
}

std::int64_t ModelBuilder::v_cache_row(std::int32_t layer) const {
    return values_in_rows() || is_2025_02() ? h_.v_row(static_cast<std::size_t>(layer)) : h_.widest_v_row();
}

ModelBuilder::Cache ModelBuilder::cache(std::int32_t layer) {
    auto [entry, inserted] = caches_.try_emplace(layer);
    if (!inserted) return entry->second;
    const auto l = static_cast<std::size_t>(layer);
    const auto tensor = [&](std::string_view name, ElementType type, std::int64_t row) {
        const Shape ne =
            is_2025_02() ? Shape{row * options_.context, 1, 1, 1} : Shape{row, context(layer), streams(), 1};
        return cache_tensor(layer, fmt::format("{}_l{}", name, layer), type, ne);
    };
    entry->second.k = tensor("cache_k", options_.cache_type_k, h_.k_row(l));
    if (h_.caches == CacheKinds::latent || keys_.number_or("attention.key_length_mla", 0) > 0)
        return entry->second;
    entry->second.v = tensor("cache_v", options_.cache_type_v, v_cache_row(layer));
    return entry->second;
}

void ModelBuilder::write_keys(TensorId cache, TensorId k, std::int32_t layer) {
    const Tensor& heads = graph_[k];
    const std::int64_t row = heads.ne[0] * heads.ne[1];
    const TensorId rows = graph_.view_2d(k, row, tokens(), heads.nb[2], 0);
    // Indices count cells across all streams.
    if (streams() > 1) cache = graph_.reshape(cache, {row, context(layer) * streams(), 1, 1});
    graph_.expand(graph_.set_rows(cache, rows, cache_rows_k(layer)));
}

void ModelBuilder::write_values(TensorId cache, TensorId v, std::int32_t layer) {
    const std::int64_t row = h_.v_row(static_cast<std::size_t>(layer));
    const std::int64_t cache_row = v_cache_row(layer);
    const TensorId indices = cache_rows_v(layer, cache_row);
    if (values_in_rows()) {
        const TensorId rows = graph_.view_2d(v, row, tokens(), graph_[v].nb[2], 0);
        if (streams() > 1) cache = graph_.reshape(cache, {row, context(layer) * streams(), 1, 1});
        graph_.expand(graph_.set_rows(cache, rows, indices));
        return;
    }
    // Values within a wider row are made contiguous first, also those of a single token.
    const Shape rows{row, tokens(), 1, 1};
    const Tensor& value = graph_[v];
    const bool whole_rows = value.nb[2] == row_bytes(value.type, value.ne[0] * value.ne[1]);
    TensorId gathered = whole_rows ? graph_.reshape(v, rows) : graph_.cont(v, rows);
    if (row < cache_row) gathered = graph_.pad(gathered, static_cast<std::int32_t>(cache_row - row));
    const TensorId column = graph_.reshape(cache, {1, cache_row * context(layer) * streams(), 1, 1});
    const TensorId values = graph_.reshape(gathered, {1, cache_row * tokens(), 1, 1});
    graph_.expand(graph_.set_rows(column, values, indices));
}

TensorId ModelBuilder::cached_keys(const Cache& cache, std::int32_t layer) {
    const auto l = static_cast<std::size_t>(layer);
    const ElementType type = options_.cache_type_k;
    const std::int64_t row = row_bytes(type, h_.k_row(l));
    return graph_.view(
        cache.k, {h_.head_k(l), h_.kv_heads[l], cells(layer), streams()},
        {traits_of(type).block_bytes, row_bytes(type, h_.head_k(l)), row, row * context(layer)}, 0);
}

TensorId ModelBuilder::cached_values(const Cache& cache, std::int32_t layer) {
    const auto l = static_cast<std::size_t>(layer);
    const ElementType type = options_.cache_type_v;
    const std::int64_t column = context(layer);
    const std::int64_t cache_row = v_cache_row(layer);
    if (values_in_rows()) {
        const std::int64_t row = row_bytes(type, cache_row);
        return graph_.view(cache.v, {h_.head_v(l), h_.kv_heads[l], cells(layer), streams()},
                           {traits_of(type).block_bytes, row_bytes(type, h_.head_v(l)), row, row * column},
                           0);
    }
    return graph_.view(cache.v, {cells(layer), h_.kv_heads[l], h_.head_v(l), streams()},
                       {traits_of(type).block_bytes, row_bytes(type, column * h_.head_v(l)),
                        row_bytes(type, column), row_bytes(type, column * cache_row)},
                       0);
}

// --- rotation

TensorId ModelBuilder::rotation(std::int32_t layer, bool values) {
    if (is_2025_02() || h_.caches == CacheKinds::none) return {};
    // The reference does not rotate them if windows and recurrent states are combined.
    if (h_.caches == CacheKinds::hybrid && h_.has_window()) return {};
    const std::int64_t head =
        values ? h_.head_v(static_cast<std::size_t>(layer)) : h_.head_k(static_cast<std::size_t>(layer));
    const bool applies = traits_of(values ? options_.cache_type_v : options_.cache_type_k).quantised &&
                         (values ? h_.head_v(0) : h_.head_k(0)) % kMinRotation == 0 &&
                         head % kMinRotation == 0;
    if (!applies) return {};
    std::int64_t size = kMinRotation;
    while (!values && head % (2 * size) == 0) size *= 2;
    const ModelInput kind = slides(layer) ? (values ? ModelInput::swa_rotation_v : ModelInput::swa_rotation_k)
                                          : (values ? ModelInput::rotation_v : ModelInput::rotation_k);
    return input(kind, ElementType::f32, {size, size, 1, 1}, values ? "attn_inp_v_rot" : "attn_inp_k_rot");
}

TensorId ModelBuilder::rotate(TensorId x, TensorId rotation) {
    if (!rotation.valid()) return x;
    const Tensor before = graph_[x];
    const std::int64_t size = graph_[rotation].ne[0];
    const Shape rows{size, element_count(before) / size, 1, 1};
    const TensorId flat = is_contiguous(before) ? graph_.reshape(x, rows) : graph_.cont(x, rows);
    const TensorId turned = graph_.mul_mat(rotation, flat);
    graph_.set_hint(turned, kRotationHint);
    return graph_.reshape(turned, before.ne);
}

// --- attention

TensorId ModelBuilder::cap(TensorId scores, std::int32_t layer) {
    if (!h_.attention_soft_cap) return scores;
    scores = named(graph_.scale(scores, 1.0F / *h_.attention_soft_cap), "kq_scaled_1", layer);
    scores = named(graph_.unary(UnaryKind::tanh, scores), "kq_tanh", layer);
    return named(graph_.scale(scores, *h_.attention_soft_cap), "kq_scaled_2", layer);
}

void ModelBuilder::set_full_precision(TensorId product) {
    graph_.set_precision(product, is_2025_02() ? kPrecisionF32Of2025 : kPrecisionF32);
}

TensorId ModelBuilder::permuted_query(TensorId q, std::int64_t streams) {
    const Tensor heads = graph_[q];
    const Shape ne{heads.ne[0], heads.ne[1], heads.ne[2] / streams, streams};
    const Shape nb{heads.nb[0], heads.nb[1], heads.nb[2], heads.nb[3] / streams};
    return graph_.permute(graph_.view(q, ne, nb, 0), kHeadsOutside);
}

TensorId ModelBuilder::mix_heads(TensorId q, TensorId k, TensorId v, TensorId mask, std::int32_t layer,
                                 const AttendOptions& options, bool transposed_values) {
    TensorId out;
    if (options_.flash_attention && !options.bias.valid() && !is_2025_02()) {
        // Without a cache, keys and values are converted to full precision.
        if (graph_[k].type == ElementType::f32) k = graph_.cast(k, ElementType::f16);
        if (graph_[v].type == ElementType::f32) v = graph_.cast(v, ElementType::f16);
        out = graph_.flash_attention(q, k, v, mask, options.scale, h_.alibi_bias,
                                     h_.attention_soft_cap.value_or(0.0F), options.sinks);
        model_graph_.flash_attentions.push_back({layer, out});
        set_full_precision(out);
        if (options.widen.valid()) {
            out = graph_.mul_mat(options.widen, graph_.permute(out, kHeadsOutside));
            named(out, "fattn_mla", layer);
            out = graph_.cont(graph_.permute(out, kHeadsOutside));
        }
        const Shape& ne = graph_[out].ne;
        out = graph_.reshape(out, {ne[0] * ne[1], ne[2] * ne[3], 1, 1});
    } else {
        const TensorId product = named(graph_.mul_mat(k, q), "kq", layer);
        set_full_precision(product);
        TensorId scores = product;
        if (options.squash_from > 0.0F) {
            scores = graph_.unary(UnaryKind::tanh, graph_.scale(scores, options.squash_from));
            named(scores, "kq_tanh", layer);
            scores = named(graph_.scale(scores, options.squash_to), "kq_scaled", layer);
        }
        scores = cap(scores, layer);
        if (options.bias.valid()) scores = named(graph_.add(scores, options.bias), "kq_plus_kq_b", layer);
        const TensorId weights = named(
            graph_.soft_max(scores, mask, options.scale, h_.alibi_bias, options.sinks), "kq_soft_max", layer);
        if (!transposed_values) v = named(graph_.cont(graph_.transpose(v)), "v_cont", layer);
        TensorId mixed = named(graph_.mul_mat(v, weights), "kqv", layer);
        if (options.widen.valid()) mixed = named(graph_.mul_mat(options.widen, mixed), "kqv_mla", layer);
        const TensorId outside = graph_.permute(mixed, kHeadsOutside);
        const Shape& ne = graph_[outside].ne;
        out = graph_.cont(outside, {ne[0] * ne[1], ne[2] * ne[3], 1, 1});
        if (!is_2025_02()) model_graph_.plain_attentions.push_back(out);
    }
    named(out, options.name, layer);
    graph_.expand(out);
    return out;
}

TensorId ModelBuilder::attend(const Heads& heads, std::int32_t layer, const AttendOptions& options) {
    if (within_batch()) return attend_within_batch(heads, layer, options);
    if (is_2025_02()) return attend_2025_02(heads.q, heads.k, heads.v, layer, options.scale);
    const TensorId rotation_k = rotation(layer, false);
    const TensorId rotation_v = rotation(layer, true);
    const TensorId q = rotate(heads.q, rotation_k);
    const TensorId k = rotate(heads.k, rotation_k);
    const TensorId v = rotate(heads.v, rotation_v);
    graph_.expand(q);
    // llama.cpp lists them in another order for models with sliding windows.
    graph_.expand(h_.has_window() ? k : v);
    graph_.expand(h_.has_window() ? v : k);
    const Cache layer_cache = cache(layer);
    write_keys(layer_cache.k, k, layer);
    write_values(layer_cache.v, v, layer);
    const TensorId keys = graph_.permute(cached_keys(layer_cache, layer), kHeadsOutside);
    const TensorId values = graph_.permute(cached_values(layer_cache, layer), kHeadsOutside);
    const TensorId mask = options.chosen.valid() ? mask_of_chosen(attention_mask(layer), options.chosen)
                                                 : attention_mask(layer);
    const TensorId mixed =
        mix_heads(permuted_query(q, streams()), keys, values, mask, layer, options, !values_in_rows());
    return rotate(mixed, rotation_v);
}

TensorId ModelBuilder::attend_shared(TensorId q, std::int32_t layer, std::int32_t owner, float scale) {
    q = rotate(q, rotation(layer, false));
    graph_.expand(q);
    const Cache shared = cache(owner);
    const TensorId keys = graph_.permute(cached_keys(shared, layer), kHeadsOutside);
    const TensorId values = graph_.permute(cached_values(shared, layer), kHeadsOutside);
    const TensorId mixed = mix_heads(permuted_query(q, streams()), keys, values, attention_mask(layer), layer,
                                     {.scale = scale}, !values_in_rows());
    return rotate(mixed, rotation(layer, true));
}

TensorId ModelBuilder::encoder_rows() {
    const std::int64_t rows = options_.encoded > 0 ? options_.encoded : h_.shape.context;
    return input(ModelInput::encoder_rows, ElementType::f32, {width(), rows, 1, 1}, {});
}

TensorId ModelBuilder::distance_buckets(std::uint32_t classes, std::int64_t cells) {
    model_graph_.distance_buckets = classes;
    return input(ModelInput::distance_buckets, ElementType::i32, {cells, tokens(), 1, 1}, {});
}

TensorId ModelBuilder::attend_encoded(const Heads& heads, std::int32_t layer, float scale) {
    for (const TensorId x : {heads.q, heads.k, heads.v}) graph_.expand(x);
    const TensorId mask =
        input(ModelInput::encoder_mask, options_.flash_attention ? ElementType::f16 : ElementType::f32,
              {graph_[heads.k].ne[2], tokens(), 1, 1}, {});
    return mix_heads(permuted_query(heads.q, 1), graph_.permute(heads.k, kHeadsOutside),
                     graph_.permute(heads.v, kHeadsOutside), mask, layer, {.scale = scale}, false);
}

TensorId ModelBuilder::attend_latent(const Heads& heads, std::int32_t layer, const AttendOptions& options) {
    graph_.expand(heads.q);
    graph_.expand(heads.v);
    graph_.expand(heads.k);
    const Cache layer_cache = cache(layer);
    write_keys(layer_cache.k, heads.k, layer);
    const TensorId keys = cached_keys(layer_cache, layer);
    const Tensor whole = graph_[keys];
    const TensorId values =
        graph_.view(keys, {graph_[heads.v].ne[0], whole.ne[1], whole.ne[2], whole.ne[3]}, whole.nb, 0);
    return mix_heads(permuted_query(heads.q, streams()), graph_.permute(keys, kHeadsOutside),
                     graph_.permute(values, kHeadsOutside),
                     options.chosen.valid() ? mask_of_chosen(attention_mask(layer), options.chosen)
                                            : attention_mask(layer),
                     layer, options, false);
}

TensorId ModelBuilder::indexer_keys(TensorId k, std::int32_t layer) {
    const std::int64_t size = graph_[k].ne[0];
    const std::int64_t context = options_.context;
    const ElementType type = options_.cache_type_k;
    const TensorId all =
        cache_tensor(layer, fmt::format("cache_k_l{}", layer), type, {size, context, streams(), 1});
    const TensorId rows = graph_.view_2d(k, size, tokens(), graph_[k].nb[2], 0);
    const TensorId flat = streams() > 1 ? graph_.reshape(all, {size, context * streams(), 1, 1}) : all;
    graph_.expand(graph_.set_rows(
        flat, rows, input(ModelInput::indexer_rows, ElementType::i64, {tokens(), 1, 1, 1}, {})));
    const std::int64_t row = row_bytes(type, size);
    return graph_.view(all, {size, 1, options_.cells, streams()},
                       {traits_of(type).block_bytes, row, row, row * context}, 0);
}

TensorId ModelBuilder::top_cells(const Indexer& indexer, const std::function<TensorId()>& weigh,
                                 std::int32_t layer) {
    constexpr std::string_view kQuery = "indexer_q";
    const std::string_view weights_name = indexer.names_weights ? "indexer_weights" : "";
    const std::int64_t size = graph_[indexer.k].ne[0];
    const std::int64_t each = tokens() / streams();
    TensorId q = indexer.q;
    TensorId k = indexer.k;
    if (indexer.rotates) {
        std::int64_t side = kMinRotation;
        while (size % (2 * side) == 0) side *= 2;
        const TensorId matrix =
            input(ModelInput::indexer_rotation, ElementType::f32, {side, side, 1, 1}, "attn_inp_k_rot");
        q = named(graph_.mul_mat(matrix, q), kQuery, layer);
        k = named(graph_.mul_mat(matrix, k), "indexer_k", layer);
    }
    const TensorId keys = indexer_keys(k, layer);
    const TensorId weights = named(weigh(), weights_name, layer);
    const auto split = [&](TensorId x, const Shape& ne, std::size_t dim) {
        Shape nb = graph_[x].nb;
        for (std::size_t d = dim + 1; d < kMaxDims; ++d) nb[d] /= streams();
        return graph_.view(x, ne, nb, 0);
    };
    const Shape heads = graph_[q].ne;
    q = split(q, {heads[0], heads[1], each, streams()}, 2);
    const float scale = 1.0F / std::sqrt(static_cast<float>(size * heads[1]));
    const TensorId scaled =
        named(graph_.scale(split(weights, {heads[1], each, 1, streams()}, 1), scale), weights_name, layer);
    const TensorId mask = input(ModelInput::indexer_mask, ElementType::f16,
                                {options_.cells, each, 1, streams()}, "attn_inp_kq_mask");
    const TensorId score = named(graph_.lightning_indexer(q, keys, scaled, mask), "indexer_score", layer);
    const std::int64_t count = std::min<std::int64_t>(options_.cells, indexer.count);
    return named(graph_.cont(graph_.top_k(score, count)), "top_k", layer);
}

TensorId ModelBuilder::mask_of_chosen(TensorId mask, TensorId chosen, ElementType shown_type) {
    const TensorId hidden = graph_.fill(mask, -std::numeric_limits<float>::infinity());
    const Tensor m = graph_[hidden];
    const TensorId single =
        graph_.view(hidden, {1, m.ne[0], m.ne[1], m.ne[3]}, {m.nb[0], m.nb[0], m.nb[1], m.nb[2]}, 0);
    const Tensor c = graph_[chosen];
    const TensorId cells = graph_.view(chosen, {c.ne[0], c.ne[1], c.ne[3], 1},
                                       {c.nb[0], c.nb[1], c.nb[2], c.ne[3] * c.nb[3]}, 0);
    const TensorId zeros = graph_.fill(graph_.new_tensor(shown_type, {1, c.ne[0], c.ne[1], c.ne[3]}), 0.0F);
    const TensorId shown = graph_.set_rows(single, zeros, cells);
    const Tensor s = graph_[shown];
    const TensorId whole =
        graph_.view(shown, {s.ne[1], s.ne[2], 1, s.ne[3]}, {s.nb[1], s.nb[2], s.nb[3], s.nb[3]}, 0);
    return graph_.add(whole, mask);
}

TensorId ModelBuilder::attend_within_batch(const Heads& heads, std::int32_t layer,
                                           const AttendOptions& options) {
    const auto l = static_cast<std::size_t>(layer);
    // Graphs of 2025-02 pass values as rows.
    const TensorId v =
        is_2025_02() ? graph_.reshape(heads.v, {h_.head_v(l), h_.kv_heads[l], tokens(), 1}) : heads.v;
    for (const TensorId x : {heads.q, heads.k, v}) graph_.expand(x);
    const TensorId mask = batch_mask(layer);
    const TensorId query = is_2025_02() ? graph_.permute(heads.q, kHeadsOutside) : permuted_query(heads.q, 1);
    const TensorId keys = graph_.permute(heads.k, kHeadsOutside);
    const TensorId values = graph_.permute(v, kHeadsOutside);
    return mix_heads(query, keys, values, mask, layer, options, false);
}

}  // namespace splitscope
