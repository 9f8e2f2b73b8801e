// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include "engine/models/families.hpp"
#include "engine/models/model_builder.hpp"

namespace splitscope {
namespace {

/// Full precision of the score product, as it was numbered then.
constexpr std::int32_t kPrecisionF32 = 1;
/// The mask has a whole number of these rows.
constexpr std::int64_t kMaskRows = 64;

class LlamaBuilder2025 {
 public:
    LlamaBuilder2025(const GgufFile& file, const Hyperparameters& h, const ModelGraphOptions& options,
                     const ModelPlacement& placement)
        : file_(file), h_(h), options_(options), b_(file, h, options, placement), g_(b_.graph()) {}

    ModelGraph build() {
        const std::int64_t width = h_.shape.embedding;
        const auto layers = static_cast<std::int32_t>(h_.shape.layers);
        const TensorId ids =
            b_.input(ModelInput::tokens, ElementType::i32, {b_.tokens(), 1, 1, 1}, "inp_tokens");
        const TensorId table = b_.input_weight("token_embd.weight", {width, h_.shape.vocabulary, 1, 1});
        TensorId x = b_.named(g_.get_rows(table, ids), "inp_embd");
        for (std::int32_t layer = 0; layer < layers; ++layer) x = block(x, layer, layer + 1 == layers);
        const TensorId last =
            b_.rms_norm(x, b_.output_weight("output_norm.weight", {width, 1, 1, 1}), "result_norm", -1);
        const std::string head = b_.has("output.weight") ? "output.weight" : "token_embd.weight";
        const TensorId weight = b_.output_weight(head, {width, h_.shape.vocabulary, 1, 1});
        return b_.finish(b_.named(g_.mul_mat(weight, last), "result_output"), false);
    }

 private:
    TensorId project(std::int32_t layer, const std::string& part, std::int64_t in, std::int64_t out,
                     TensorId x) {
        const TensorId y = g_.mul_mat(b_.block_weight(layer, part + ".weight", {in, out, 1, 1}), x);
        if (!b_.has(b_.block_name(layer, part + ".bias"))) return y;
        return g_.add(y, b_.block_weight(layer, part + ".bias", {out, 1, 1, 1}));
    }

    TensorId rotated(TensorId x, std::uint32_t heads, TensorId frequencies, std::string_view name,
                     std::int32_t layer) {
        const TensorId split = g_.reshape(b_.named(x, name, layer), {h_.head_dim_k, heads, b_.tokens(), 1});
        const TensorId positions =
            b_.input(ModelInput::positions, ElementType::i32, {b_.tokens(), 1, 1, 1}, "inp_pos");
        return b_.named(g_.rope(split, positions, frequencies, h_.rope), name, layer);
    }

    TensorId mask() {
        const std::int64_t rows = (b_.tokens() + kMaskRows - 1) / kMaskRows * kMaskRows;
        const TensorId mask =
            b_.input(ModelInput::attention_mask, ElementType::f32, {options_.cells, rows, 1, 1}, "KQ_mask");
        if (!options_.flash_attention) return mask;
        if (!half_mask_.valid()) half_mask_ = g_.cast(mask, ElementType::f16);
        return half_mask_;
    }

    /// Copies the tokens' keys and values into the cells from first_cell on.
    void write_cache(TensorId k, TensorId v, TensorId cache_k, TensorId cache_v, std::int32_t layer) {
        const auto l = static_cast<std::size_t>(layer);
        const auto one_row = [&](TensorId cache, std::int64_t row, std::string_view name) {
            const ElementType type = g_[cache].type;
            const std::int64_t bytes = row_bytes(type, row * b_.tokens());
            return b_.named(g_.view(cache, {row * b_.tokens(), 1, 1, 1},
                                    {traits_of(type).block_bytes, bytes, bytes, bytes},
                                    row_bytes(type, row) * options_.first_cell),
                            name, layer);
        };
        g_.expand(g_.cpy(k, one_row(cache_k, h_.k_row(l), "k_cache_view")));
        if (options_.flash_attention) {
            g_.expand(g_.cpy(v, one_row(cache_v, h_.v_row(l), "v_cache_view")));
            return;
        }
        const std::int64_t element = traits_of(options_.cache_type_v).block_bytes;
        const TensorId view = g_.view_2d(cache_v, b_.tokens(), h_.v_row(l), element * options_.context,
                                         element * options_.first_cell);
        g_.expand(g_.cpy(g_.transpose(v), b_.named(view, "v_cache_view", layer)));
    }

    TensorId attend(TensorId q, TensorId k, TensorId v, std::int32_t layer) {
        const auto l = static_cast<std::size_t>(layer);
        const float scale = 1.0F / std::sqrt(static_cast<float>(h_.head_dim_k));
        for (const TensorId x : {q, k, v}) g_.expand(x);
        const std::int64_t k_row = h_.k_row(l);
        const std::int64_t v_row = h_.v_row(l);
        const TensorId cache_k = b_.cache_tensor(layer, fmt::format("cache_k_l{}", layer),
                                                 options_.cache_type_k, {k_row * options_.context, 1, 1, 1});
        const TensorId cache_v = b_.cache_tensor(layer, fmt::format("cache_v_l{}", layer),
                                                 options_.cache_type_v, {v_row * options_.context, 1, 1, 1});
        write_cache(k, v, cache_k, cache_v, layer);

        const TensorId query = b_.named(g_.permute(q, {0, 2, 1, 3}), "q", layer);
        const auto by_cell = [&](TensorId cache, std::int64_t head, std::int64_t row, std::string_view name) {
            const ElementType type = g_[cache].type;
            return b_.named(g_.view_3d(cache, head, options_.cells, h_.kv_heads[l], row_bytes(type, row),
                                       row_bytes(type, head), 0),
                            name, layer);
        };
        const TensorId keys = by_cell(cache_k, h_.head_dim_k, k_row, "k");
        const Shape flat{std::int64_t{h_.head_dim_v} * h_.heads[l], b_.tokens(), 1, 1};
        TensorId mixed;
        if (options_.flash_attention) {
            const TensorId values = by_cell(cache_v, h_.head_dim_v, v_row, "v");
            const TensorId attended = g_.flash_attention(query, keys, values, mask(), scale, 0.0F, 0.0F);
            g_.set_precision(attended, kPrecisionF32);
            mixed = g_.reshape(attended, flat);
        } else {
            const std::int64_t column = row_bytes(options_.cache_type_v, options_.context);
            const TensorId values = b_.named(g_.view_3d(cache_v, options_.cells, h_.head_dim_v,
                                                        h_.kv_heads[l], column, column * h_.head_dim_v, 0),
                                             "v", layer);
            const TensorId scores = b_.named(g_.mul_mat(keys, query), "kq", layer);
            g_.set_precision(scores, kPrecisionF32);
            const TensorId weights = b_.named(g_.soft_max(scores, mask(), scale), "kq_soft_max_ext", layer);
            const TensorId heads = b_.named(g_.mul_mat(values, weights), "kqv", layer);
            const TensorId merged = b_.named(g_.permute(heads, {0, 2, 1, 3}), "kqv_merged", layer);
            mixed = b_.named(g_.cont(merged, flat), "kqv_merged_cont", layer);
        }
        g_.expand(mixed);
        return b_.named(project(layer, "attn_output", flat[0], h_.shape.embedding, mixed), "kqv_out", layer);
    }

    TensorId block(TensorId x, std::int32_t layer, bool last) {
        const auto l = static_cast<std::size_t>(layer);
        const std::int64_t width = h_.shape.embedding;
        const TensorId normed =
            b_.rms_norm(x, b_.block_weight(layer, "attn_norm.weight", {width, 1, 1, 1}), "attn_norm", layer);
        TensorId frequencies;
        if (b_.has("rope_freqs.weight")) {
            frequencies = b_.weight(layer, "rope_freqs.weight", {h_.rope.dims / 2, 1, 1, 1});
        }
        const TensorId q =
            rotated(project(layer, "attn_q", width, std::int64_t{h_.head_dim_k} * h_.heads[l], normed),
                    h_.heads[l], frequencies, "Qcur", layer);
        const TensorId k = rotated(project(layer, "attn_k", width, h_.k_row(l), normed), h_.kv_heads[l],
                                   frequencies, "Kcur", layer);
        const TensorId v = b_.named(project(layer, "attn_v", width, h_.v_row(l), normed), "Vcur", layer);
        TensorId attended = attend(q, k, v, layer);
        TensorId residual = x;
        if (last) {
            const TensorId rows = b_.input(ModelInput::output_rows, ElementType::i32,
                                           {options_.outputs, 1, 1, 1}, "inp_out_ids");
            attended = g_.get_rows(attended, rows);
            residual = g_.get_rows(residual, rows);
        }
        const TensorId input = b_.named(g_.add(attended, residual), "ffn_inp", layer);
        return b_.named(g_.add(feed_forward(input, layer), input), "l_out", layer);
    }

    TensorId feed_forward(TensorId input, std::int32_t layer) {
        const std::int64_t width = h_.shape.embedding;
        const TensorId normed = b_.rms_norm(
            input, b_.block_weight(layer, "ffn_norm.weight", {width, 1, 1, 1}), "ffn_norm", layer);
        const auto up_weight = file_.find_tensor(b_.block_name(layer, "ffn_up.weight"));
        const std::int64_t hidden = up_weight ? file_.tensors()[*up_weight].ne[1] : 0;
        const TensorId up = b_.named(project(layer, "ffn_up", width, hidden, normed), "ffn_up", layer);
        const TensorId gate = b_.named(project(layer, "ffn_gate", width, hidden, normed), "ffn_gate", layer);
        const TensorId opened = b_.named(g_.unary(UnaryKind::silu, gate), "ffn_silu", layer);
        const TensorId gated = b_.named(g_.mul(opened, up), "ffn_gate_par", layer);
        return b_.named(project(layer, "ffn_down", hidden, width, gated), "ffn_out", layer);
    }

    const GgufFile& file_;
    const Hyperparameters& h_;
    const ModelGraphOptions& options_;
    ModelBuilder b_;
    GraphBuilder& g_;
    TensorId half_mask_;
};

}  // namespace

ModelGraph build_llama_2025_02(const GgufFile& file, const Hyperparameters& h,
                               const ModelGraphOptions& options, const ModelPlacement& placement) {
    return LlamaBuilder2025(file, h, options, placement).build();
}

}  // namespace splitscope
