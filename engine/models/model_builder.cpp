// SPDX-License-Identifier: MIT
#include "engine/models/model_builder.hpp"

#include <fmt/format.h>

#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Full precision of the score product, as the reference asks for.
constexpr std::int32_t kPrecisionF32 = 10;

}  // namespace

ModelBuilder::ModelBuilder(const GgufFile& file, const Hyperparameters& hyperparameters,
                           const ModelGraphOptions& options, const ModelPlacement& placement,
                           std::string graph_name)
    : file_(file),
      h_(hyperparameters),
      options_(options),
      placement_(placement),
      graph_(std::move(graph_name)) {
    model_graph_.options = options;
}

// --- weights
// -----------------------------------------------------------------------------------------------------

TensorId ModelBuilder::weight(std::int32_t layer, const std::string& name, const Shape& ne) {
    const auto found = file_.find_tensor(name);
    const std::string where = fmt::format("{}: tensor '{}'", file_.path().string(), name);
    if (!found) {
        throw Error(
            ErrorKind::bad_file, "missing", where,
            fmt::format("the architecture {} needs it: convert the model again", h_.shape.architecture));
    }
    const GgufTensor& tensor = file_.tensors()[*found];
    if (tensor.ne != ne) {
        throw Error(ErrorKind::bad_file,
                    fmt::format("the shape is {}, not {}", format_shape(tensor.ne), format_shape(ne)), where,
                    "the metadata does not fit the tensors: convert the model again");
    }
    const std::string buffer = placement_.weight_buffer(layer, name);
    auto [entry, fresh] = weights_.try_emplace({name, buffer});
    if (fresh) {
        entry->second = graph_.new_in_buffer(tensor.type, tensor.ne, name, buffer);
        model_graph_.weights.push_back({entry->second, *found});
    }
    return entry->second;
}

std::string ModelBuilder::block_name(std::int32_t layer, std::string_view suffix) const {
    return fmt::format("blk.{}.{}", layer, suffix);
}

TensorId ModelBuilder::input_weight(const std::string& name, const Shape& ne) {
    return weight(-1, name, ne);
}
TensorId ModelBuilder::block_weight(std::int32_t layer, std::string_view suffix, const Shape& ne) {
    return weight(layer, block_name(layer, suffix), ne);
}
TensorId ModelBuilder::output_weight(const std::string& name, const Shape& ne) {
    return weight(static_cast<std::int32_t>(h_.shape.layers), name, ne);
}

// --- inputs
// ------------------------------------------------------------------------------------------------------

TensorId ModelBuilder::input(ModelInput kind, ElementType type, const Shape& ne, std::string name) {
    auto [entry, fresh] = inputs_.try_emplace(kind);
    if (fresh) {
        entry->second = graph_.new_input(type, ne, std::move(name));
        model_graph_.inputs.push_back({kind, entry->second});
    }
    return entry->second;
}

TensorId ModelBuilder::embed_tokens() {
    const TensorId table = input_weight("token_embd.weight", {h_.shape.embedding, h_.shape.vocabulary, 1, 1});
    const TensorId ids = input(ModelInput::tokens, ElementType::i32, {tokens(), 1, 1, 1}, "inp_tokens");
    const TensorId rows = graph_.get_rows(table, ids);
    graph_.expand(rows);
    // The reference's graphs carry the other way of feeding a model, by embeddings, as an unused input.
    graph_.expand(graph_.new_input(ElementType::f32, {h_.shape.embedding, tokens(), 1, 1}, "inp_embd"));
    return named(rows, "embd");
}

TensorId ModelBuilder::positions() {
    return input(ModelInput::positions, ElementType::i32, {tokens(), 1, 1, 1}, {});
}
TensorId ModelBuilder::output_rows() {
    return input(ModelInput::output_rows, ElementType::i32, {options_.outputs, 1, 1, 1}, {});
}
TensorId ModelBuilder::attention_mask() {
    return input(ModelInput::attention_mask, options_.flash_attention ? ElementType::f16 : ElementType::f32,
                 {options_.cells, tokens(), 1, 1}, "attn_inp_kq_mask");
}
TensorId ModelBuilder::cache_rows_k() {
    return input(ModelInput::cache_rows_k, ElementType::i64, {tokens(), 1, 1, 1}, {});
}
TensorId ModelBuilder::cache_rows_v(std::int64_t row) {
    // Without flash attention values are stored transposed, one "row" per element.
    const std::int64_t rows = options_.flash_attention ? tokens() : tokens() * row;
    return input(ModelInput::cache_rows_v, ElementType::i64, {rows, 1, 1, 1}, {});
}

// --- blocks
// ------------------------------------------------------------------------------------------------------

TensorId ModelBuilder::named(TensorId id, std::string_view name, std::int32_t layer) {
    graph_.set_name(id, layer >= 0 ? fmt::format("{}-{}", name, layer) : std::string(name));
    return id;
}

TensorId ModelBuilder::rms_norm(TensorId x, TensorId weight, std::string_view name, std::int32_t layer) {
    const TensorId normed = named(graph_.rms_norm(x, h_.rms_epsilon), "norm", layer);
    return named(graph_.mul(normed, weight), name, layer);
}

ModelBuilder::Cache ModelBuilder::cache(std::int32_t layer) {
    const std::string buffer = placement_.cache_buffer(layer);
    const auto l = static_cast<std::size_t>(layer);
    Cache cache;
    cache.k = graph_.new_in_buffer(options_.cache_type_k, {h_.k_row(l), options_.context, 1, 1},
                                   fmt::format("cache_k_l{}", layer), buffer);
    cache.v = graph_.new_in_buffer(options_.cache_type_v, {h_.v_row(l), options_.context, 1, 1},
                                   fmt::format("cache_v_l{}", layer), buffer);
    model_graph_.caches.push_back(cache.k);
    model_graph_.caches.push_back(cache.v);
    return cache;
}

void ModelBuilder::write_cache(const Cache& cache, TensorId k, TensorId v, std::int32_t layer) {
    const auto l = static_cast<std::size_t>(layer);
    const auto flat = [&](TensorId x, std::int64_t row) {
        return graph_.view_2d(x, row, tokens(), graph_[x].nb[2], 0);
    };
    graph_.expand(graph_.set_rows(cache.k, flat(k, h_.k_row(l)), cache_rows_k()));
    const std::int64_t row = h_.v_row(l);
    if (options_.flash_attention) {
        graph_.expand(graph_.set_rows(cache.v, flat(v, row), cache_rows_v(row)));
        return;
    }
    const TensorId values =
        graph_.reshape(graph_.reshape(v, {row, tokens(), 1, 1}), {1, row * tokens(), 1, 1});
    const TensorId column = graph_.reshape(cache.v, {1, row * options_.context, 1, 1});
    graph_.expand(graph_.set_rows(column, values, cache_rows_v(row)));
}

TensorId ModelBuilder::cached_keys(const Cache& cache, std::int32_t layer) {
    const auto l = static_cast<std::size_t>(layer);
    const ElementType type = options_.cache_type_k;
    const std::int64_t head = row_bytes(type, h_.head_dim_k);
    const std::int64_t row = row_bytes(type, h_.k_row(l));
    const TensorId view = graph_.view(cache.k, {h_.head_dim_k, h_.kv_heads[l], options_.cells, 1},
                                      {traits_of(type).block_bytes, head, row, row * options_.context}, 0);
    return graph_.permute(view, {0, 2, 1, 3});
}

TensorId ModelBuilder::cached_values(const Cache& cache, std::int32_t layer) {
    const auto l = static_cast<std::size_t>(layer);
    const ElementType type = options_.cache_type_v;
    const std::int64_t context = options_.context;
    TensorId view;
    if (options_.flash_attention) {
        const std::int64_t row = row_bytes(type, h_.v_row(l));
        view =
            graph_.view(cache.v, {h_.head_dim_v, h_.kv_heads[l], options_.cells, 1},
                        {traits_of(type).block_bytes, row_bytes(type, h_.head_dim_v), row, row * context}, 0);
    } else {
        view = graph_.view(cache.v, {options_.cells, h_.kv_heads[l], h_.head_dim_v, 1},
                           {traits_of(type).block_bytes, row_bytes(type, context * h_.head_dim_v),
                            row_bytes(type, context), row_bytes(type, context * h_.v_row(l))},
                           0);
    }
    return graph_.permute(view, {0, 2, 1, 3});
}

TensorId ModelBuilder::attend(TensorId q, TensorId k, TensorId v, std::int32_t layer, float scale) {
    graph_.expand(q);
    graph_.expand(v);
    graph_.expand(k);
    const Cache layer_cache = cache(layer);
    write_cache(layer_cache, k, v, layer);

    const Tensor heads = graph_[q];
    const TensorId query = graph_.permute(graph_.view(q, heads.ne, heads.nb, 0), {0, 2, 1, 3});
    const TensorId keys = cached_keys(layer_cache, layer);
    const TensorId values = cached_values(layer_cache, layer);
    const Shape flat{static_cast<std::int64_t>(h_.head_dim_v) * heads.ne[1], tokens(), 1, 1};
    TensorId out;
    if (options_.flash_attention) {
        const TensorId attended =
            graph_.flash_attention(query, keys, values, attention_mask(), scale, 0.0F, 0.0F);
        graph_.set_precision(attended, kPrecisionF32);
        graph_.expand(attended);
        out = graph_.reshape(attended, flat);
    } else {
        const TensorId scores = named(graph_.mul_mat(keys, query), "kq", layer);
        graph_.set_precision(scores, kPrecisionF32);
        const TensorId weights =
            named(graph_.soft_max(scores, attention_mask(), scale), "kq_soft_max", layer);
        const TensorId mixed = named(graph_.mul_mat(values, weights), "kqv", layer);
        out = graph_.cont(graph_.permute(mixed, {0, 2, 1, 3}), flat);
    }
    named(out, "kqv_out", layer);
    graph_.expand(out);
    return out;
}

ModelGraph ModelBuilder::finish(TensorId logits) {
    graph_.add_flag(logits, TensorFlags::output);
    graph_.expand(logits);
    model_graph_.logits = logits;
    model_graph_.graph = graph_.take();
    return std::move(model_graph_);
}

}  // namespace splitscope
