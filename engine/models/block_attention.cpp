// SPDX-License-Identifier: MIT
// Block-sparse attention: each token attends to the blocks of positions that score best. Cells are gathered
// in order of position first, because a block is a range of the text, not of the cache.
#include <algorithm>

#include <fmt/format.h>

#include "engine/models/model_builder.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

constexpr std::int64_t kPositionStep = 256;
constexpr float kHidden = -1e30F;

/// `x` as [size, rows of all heads and cells, streams].
TensorId flat_cells(GraphBuilder& g, TensorId x) {
    const Tensor t = g[x];
    return g.view_3d(x, t.ne[0], t.ne[1] * t.ne[2], t.ne[3], t.nb[1], t.nb[3], 0);
}

}  // namespace

/// What layers share, and the caches of one.
struct ModelBuilder::BlockInputs {
    std::int64_t positions;
    std::int64_t blocks;
    std::int64_t each;  ///< tokens of a stream
    TensorId mask;      ///< [positions, tokens]
    TensorId bias;      ///< [blocks, tokens]
    TensorId cell_of;   ///< [positions, streams]
    TensorId cells_f32;
    TensorId block_of;  ///< [cells, streams]
    TensorId indexer;   ///< [size, 1, cells, streams], and the next likewise with heads
    TensorId keys;
    TensorId values;
};

TensorId ModelBuilder::attend_blocks(const Heads& heads, const BlockIndexer& indexer, std::int32_t layer,
                                     float scale) {
    BlockInputs in;
    in.positions = options_.reserves ? kPositionStep
                                     : (options_.cells + kPositionStep - 1) / kPositionStep * kPositionStep;
    in.positions = (in.positions + indexer.block - 1) / indexer.block * indexer.block;
    in.blocks = in.positions / indexer.block;
    in.each = tokens() / streams();
    model_graph_.block_size = static_cast<std::uint32_t>(indexer.block);
    model_graph_.local_blocks = indexer.nearest;
    in.bias = input(ModelInput::block_bias, ElementType::f32, {in.blocks, tokens(), 1, 1}, {});
    in.mask = input(ModelInput::position_mask, ElementType::f32, {in.positions, tokens(), 1, 1}, {});
    in.cell_of = input(ModelInput::position_cells, ElementType::i32, {in.positions, streams(), 1, 1}, {});
    const bool gathers = in.each == 1;
    if (gathers) {
        in.cells_f32 =
            input(ModelInput::position_cells_f32, ElementType::f32, {in.positions, streams(), 1, 1}, {});
    } else {
        in.block_of = input(ModelInput::cell_blocks, ElementType::i32, {cells(layer), streams(), 1, 1}, {});
    }
    in.indexer = indexer_keys(indexer.k, layer);
    // A cache like others, although its values are unused.
    cache_tensor(layer, fmt::format("cache_v_l{}", layer), options_.cache_type_v,
                 {h_.head_v(static_cast<std::size_t>(layer)), options_.context, streams(), 1});
    const TensorId rotation_k = rotation(layer, false);
    const TensorId rotation_v = rotation(layer, true);
    const TensorId q = rotate(heads.q, rotation_k);
    const TensorId k = rotate(heads.k, rotation_k);
    const TensorId v = rotate(heads.v, rotation_v);
    for (const TensorId x : {q, k, v}) graph_.expand(x);
    const Cache layer_cache = cache(layer);
    write_keys(layer_cache.k, k, layer);
    write_values(layer_cache.v, v, layer);
    in.keys = cached_keys(layer_cache, layer);
    in.values = cached_values(layer_cache, layer);
    TensorId mixed;
    if (gathers) {
        mixed = attend_gathered(q, indexer, in, layer, scale);
    } else {
        for (std::int64_t stream = 0; stream < streams(); ++stream) {
            const TensorId part = attend_masked(q, indexer, in, stream, layer, scale);
            mixed = mixed.valid() ? graph_.concat(mixed, part, 1) : part;
        }
    }
    return named(rotate(mixed, rotation_v), "kqv_out", layer);
}

TensorId ModelBuilder::mix_blocks(TensorId q, TensorId k, TensorId v, TensorId mask, std::int32_t layer,
                                  float scale) {
    const Shape heads = graph_[q].ne;
    const std::int64_t sharing =
        h_.heads[static_cast<std::size_t>(layer)] / h_.kv_heads[static_cast<std::size_t>(layer)];
    const std::int64_t channels = graph_[k].ne[3];
    const std::int64_t rows = heads[1] * heads[2] / (sharing * channels);
    const TensorId grouped =
        graph_.permute(graph_.reshape(q, {heads[0], sharing, channels, rows}), {0, 2, 3, 1});
    const TensorId mixed = graph_.flash_attention(grouped, k, v, mask, scale, h_.alibi_bias, 0.0F);
    model_graph_.flash_attentions.push_back({layer, mixed});
    set_full_precision(mixed);
    named(mixed, "msa_fattn", layer);
    TensorId out = graph_.permute(mixed, {0, 1, 3, 2});
    if (!is_contiguous(graph_[out])) out = graph_.cont(out);
    return graph_.reshape(out, {graph_[v].ne[0] * heads[1], heads[2], 1, 1});
}

TensorId ModelBuilder::attend_gathered(TensorId q, const BlockIndexer& indexer, const BlockInputs& in,
                                       std::int32_t layer, float scale) {
    const std::int64_t size = graph_[indexer.q].ne[0];
    const std::int64_t heads = graph_[indexer.q].ne[1];
    const std::int64_t count = std::min(indexer.count, in.blocks);
    const std::int64_t picked = indexer.block * count;
    const Tensor all = graph_[in.indexer];
    const TensorId rows = graph_.view_3d(in.indexer, size, all.ne[2], streams(), all.nb[2], all.nb[3], 0);
    const TensorId by_position =
        graph_.reshape(graph_.get_rows(rows, in.cell_of), {size, in.positions, 1, streams()});
    TensorId scores = graph_.mul_mat(by_position, graph_.reshape(indexer.q, {size, heads, 1, streams()}));
    set_full_precision(scores);
    scores = graph_.add_inplace(scores, graph_.reshape(in.mask, {in.positions, 1, 1, streams()}));
    const TensorId best = named(graph_.max_pool(scores, indexer.block), "msa_bs", layer);
    const TensorId ranked = graph_.add(best, graph_.reshape(in.bias, {in.blocks, 1, 1, streams()}));
    const TensorId blocks = graph_.top_k(ranked, count);
    // From blocks to positions, from those to cells, and to rows of heads and cells.
    TensorId first = graph_.scale(graph_.cast(blocks, ElementType::f32), static_cast<float>(indexer.block));
    first = graph_.reshape(first, {1, count, heads, streams()});
    const TensorId steps = graph_.reshape(graph_.arange(indexer.block), {indexer.block, 1, 1, 1});
    const TensorId places = graph_.add(graph_.repeat(first, {indexer.block, count, heads, streams()}), steps);
    const Shape listed{picked * heads, streams(), 1, 1};
    const TensorId positions = graph_.cast(graph_.reshape(places, listed), ElementType::i32);
    TensorId cell = graph_.get_rows(graph_.reshape(in.cells_f32, {1, in.positions, streams(), 1}), positions);
    cell = graph_.reshape(cell, {indexer.block, count, heads, streams()});
    const std::int64_t kv_heads = graph_[in.keys].ne[1];
    const TensorId row = graph_.add(graph_.scale(cell, static_cast<float>(kv_heads)),
                                    graph_.reshape(graph_.arange(kv_heads), {1, 1, heads, 1}));
    const TensorId row_numbers = graph_.cast(graph_.reshape(row, listed), ElementType::i32);
    const auto gathered = [&](TensorId cache) {
        const ElementType type = graph_[cache].type;
        const ElementType wanted = traits_of(type).quantised ? ElementType::f16 : type;
        const TensorId found = graph_.reshape(graph_.get_rows(flat_cells(graph_, cache), row_numbers),
                                              {graph_[cache].ne[0], picked, 1, heads * streams()});
        return graph_[found].type == wanted ? found : graph_.cast(found, wanted);
    };
    const TensorId k = gathered(in.keys);
    const TensorId v = gathered(in.values);
    const TensorId seen =
        graph_.get_rows(graph_.reshape(in.mask, {1, in.positions, streams(), 1}), positions);
    const TensorId mask =
        graph_.cast(graph_.reshape(seen, {picked, 1, 1, heads * streams()}), ElementType::f16);
    return mix_blocks(q, k, v, mask, layer, scale);
}

TensorId ModelBuilder::attend_masked(TensorId q, const BlockIndexer& indexer, const BlockInputs& in,
                                     std::int64_t stream, std::int32_t layer, float scale) {
    const std::int64_t size = graph_[indexer.q].ne[0];
    const std::int64_t heads = graph_[indexer.q].ne[1];
    const std::int64_t count = std::min(indexer.count, in.blocks);
    const std::int64_t first_token = stream * in.each;
    const auto tokens_of = [&](TensorId x) {
        const Tensor t = graph_[x];
        return graph_.view_3d(x, t.ne[0], t.ne[1], in.each, t.nb[1], t.nb[2], first_token * t.nb[2]);
    };
    const auto columns_of = [&](TensorId x) {
        const Tensor t = graph_[x];
        return graph_.view_3d(x, t.ne[0], 1, in.each, t.nb[1], t.nb[1], first_token * t.nb[1]);
    };
    const auto row_of = [&](TensorId x) {
        const Tensor t = graph_[x];
        return graph_.view_1d(x, t.ne[0], stream * t.nb[1]);
    };
    const auto cells_of = [&](TensorId x) {
        const Tensor t = graph_[x];
        return graph_.permute(graph_.view(x, {t.ne[0], t.ne[1], t.ne[2], 1}, t.nb, stream * t.nb[3]),
                              {0, 3, 1, 2});
    };
    const Tensor all = graph_[in.indexer];
    const TensorId keys = graph_.view_2d(in.indexer, size, all.ne[2], all.nb[2], stream * all.nb[3]);
    const TensorId by_position = graph_.get_rows(keys, row_of(in.cell_of));
    const TensorId queries = graph_.reshape(tokens_of(indexer.q), {size, heads * in.each, 1, 1});
    TensorId scores = graph_.mul_mat(by_position, queries);
    set_full_precision(scores);
    scores = graph_.reshape(scores, {in.positions, heads, in.each, 1});
    scores = graph_.add_inplace(scores, columns_of(in.mask));
    const TensorId best = named(graph_.max_pool(scores, indexer.block), "msa_bs", layer);
    const TensorId bias = columns_of(in.bias);
    const TensorId ranked = named(graph_.add(best, bias), "msa_bsf", layer);
    const TensorId blocks = graph_.top_k(ranked, count);
    const Shape by_head{1, in.blocks, heads * in.each, 1};
    TensorId hidden = graph_.cast(graph_.scale(bias, 0.0F, kHidden), ElementType::f16);
    hidden = graph_.repeat(hidden, {in.blocks, heads, in.each, 1});
    const TensorId shown = graph_.scale(graph_.cast(blocks, ElementType::f32), 0.0F);
    TensorId mask = graph_.set_rows(graph_.reshape(hidden, by_head),
                                    graph_.reshape(shown, {1, count, heads * in.each, 1}),
                                    graph_.reshape(blocks, {count, heads * in.each, 1, 1}));
    mask = graph_.reshape(mask, {in.blocks, heads, in.each, 1});
    mask = named(graph_.cont(graph_.permute(mask, {0, 2, 1, 3})), "msa_block_mask", layer);
    // From blocks to cells.
    mask = graph_.cont(graph_.transpose(graph_.reshape(mask, {in.blocks, in.each * heads, 1, 1})));
    mask = graph_.cont(graph_.transpose(graph_.get_rows(mask, row_of(in.block_of))));
    mask = graph_.reshape(mask, {cells(layer), in.each, heads, 1});
    const TensorId seen = full_mask(layer);
    const Tensor t = graph_[seen];
    mask = graph_.add_inplace(mask,
                              graph_.view_3d(seen, t.ne[0], t.ne[1], 1, t.nb[1], t.nb[3], stream * t.nb[3]));
    mask = graph_.cast(graph_.reshape(mask, {cells(layer), in.each, 1, heads}), ElementType::f16);
    named(mask, "msa_mask4", layer);
    return mix_blocks(tokens_of(q), cells_of(in.keys), cells_of(in.values), mask, layer, scale);
}

TensorId ModelBuilder::full_mask(std::int32_t layer) {
    if (!full_mask_.valid()) full_mask_ = graph_.cast(attention_mask(layer), ElementType::f32);
    return full_mask_;
}

}  // namespace splitscope
