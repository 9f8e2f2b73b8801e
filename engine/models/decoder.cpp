// SPDX-License-Identifier: MIT
#include "engine/models/decoder.hpp"

#include <cmath>

#include <fmt/format.h>

namespace splitscope {
namespace {

/// Norm of queries or keys, per head or over all heads of a token.
TensorId normalised(ModelBuilder& b, TensorId x, std::int32_t layer, std::string_view part,
                    std::string_view name, const SelfAttention& options) {
    GraphBuilder& g = b.graph();
    if (!b.block_has(layer, fmt::format("{}.weight", part))) return x;
    const Shape heads = g[x].ne;
    if (options.norm_per_head) {
        const std::string weight = fmt::format("{}.weight", part);
        return b.normalise(options.head_norm_kind, x,
                           b.block_weight(layer, weight, {heads[0], heads[1], 1, 1}), {}, name, layer);
    }
    if (options.whole_row_norms) x = g.reshape(x, {heads[0] * heads[1], heads[2], 1, 1});
    x = b.block_norm(options.head_norm_kind, x, layer, part, name);
    return options.whole_row_norms ? g.reshape(x, heads) : x;
}

}  // namespace

TensorId scaled_embeddings(ModelBuilder& b) {
    const float scale = std::sqrt(static_cast<float>(b.width()));
    return b.named(b.graph().scale(b.embed_tokens(), scale), "inp_scaled");
}

Heads rotated_heads(ModelBuilder& b, TensorId x, std::int32_t layer, const SelfAttention& options) {
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    const auto l = static_cast<std::size_t>(layer);
    Heads heads;
    if (options.norms_before_split) {
        const Heads rows = b.qkv_rows(x, layer, h.q_row(l), h.k_row(l), h.v_row(l));
        const auto split = [&](TensorId row, std::string_view norm, std::int64_t count,
                               std::string_view normed) {
            return g.reshape(b.block_norm(options.head_norm_kind, row, layer, norm, normed),
                             {h.head_k(l), count, b.tokens(), 1});
        };
        heads.q = split(rows.q, "attn_q_norm", h.heads[l], options.q_norm_name);
        heads.k = split(rows.k, "attn_k_norm", h.kv_heads[l], options.k_norm_name);
        heads.v = g.reshape(rows.v, {h.head_v(l), h.kv_heads[l], b.tokens(), 1});
    } else {
        heads = b.heads(x, layer, options.clamp, options.product_name);
    }
    const auto normalise_both = [&] {
        if (!options.head_norms) return;
        heads.q = normalised(b, heads.q, layer, "attn_q_norm", options.q_norm_name, options);
        heads.k = normalised(b, heads.k, layer, "attn_k_norm", options.k_norm_name, options);
    };
    if (!options.norms_after_rope) normalise_both();
    if (options.rope) {
        const TensorId factors = options.rope_factors ? b.frequency_factors(layer) : TensorId{};
        heads.q = b.rope(heads.q, layer, options.q_rope_name, factors);
        heads.k = b.rope(heads.k, layer, options.k_rope_name, factors);
    } else if (!b.is_2025_02()) {
        b.named(heads.q, options.q_rope_name, layer);
        b.named(heads.k, options.k_rope_name, layer);
    }
    if (!b.is_2025_02()) b.named(heads.v, options.v_name, layer);
    if (options.norms_after_rope) normalise_both();
    return heads;
}

TensorId project_out(ModelBuilder& b, TensorId x, std::int32_t layer, std::string_view name,
                     bool full_precision, std::string_view part, bool biased) {
    TensorId out = b.unscaled_product(x, layer, part, b.width());
    if (full_precision) b.set_full_precision(out);
    out = b.scaled(out, layer, part);
    return b.named(biased ? b.biased(out, layer, part) : out, name, layer);
}

TensorId self_attention(ModelBuilder& b, TensorId x, std::int32_t layer, const SelfAttention& options) {
    Heads heads = rotated_heads(b, x, layer, options);
    AttendOptions attend;
    attend.scale = options.scale != 0.0F ? options.scale : b.score_scale(layer);
    if (options.scales_query) {
        heads.q = b.named(b.graph().scale(heads.q, attend.scale), options.scaled_name, layer);
        attend.scale = 1.0F;
    }
    if (!options.sinks.empty()) {
        const std::uint32_t count = b.hyperparameters().heads[static_cast<std::size_t>(layer)];
        attend.sinks = b.optional_weight(layer, options.sinks, {count, 1, 1, 1});
    }
    TensorId mixed = b.attend(heads, layer, attend);
    if (!options.output_norm.empty()) mixed = b.block_rms_norm(mixed, layer, options.output_norm);
    return project_out(b, mixed, layer, options.name, options.full_precision, options.output_part,
                       options.output_bias);
}

TensorId sparse_feed_forward(ModelBuilder& b, TensorId x, std::int32_t layer,
                             const SparseFeedForward& options) {
    const bool dense = options.by_router
                           ? !b.block_has(layer, "ffn_gate_inp.weight")
                           : layer < static_cast<std::int32_t>(b.hyperparameters().leading_dense);
    if (dense) return feed_forward(b, x, layer, options.dense);
    const TensorId routed = mixture_of_experts(b, x, layer, options.mixture);
    if (!options.shared) return routed;
    const TensorId beside = feed_forward(b, x, layer, options.beside);
    return b.named(b.graph().add(routed, beside), options.sum_name, layer);
}

TensorId decoder_block(ModelBuilder& b, TensorId x, std::int32_t layer, const Sublayer& attention,
                       const Sublayer& feed_forward, const Decoder& options) {
    GraphBuilder& g = b.graph();
    const auto scaled = [&](TensorId half) {
        return options.residual_scale != 0.0F ? g.scale(half, options.residual_scale) : half;
    };
    TensorId attended = x;
    if (!options.attention_norm.empty())
        attended = b.block_norm(options.norm, x, layer, options.attention_norm, options.attention_norm_name);
    attended = attention(attended, layer);
    const bool drops_rows = !options.keeps_all_rows;
    if (drops_rows && !options.outputs_after_norm) b.keep_outputs_of_last(layer, attended, x);
    b.named(attended, options.attended_name, layer);
    const auto post_norm = [&](TensorId half, std::string_view part, std::string_view name, bool numbered) {
        if (part.empty()) return half;
        const TensorId weight = b.block_vector(layer, fmt::format("{}{}", part, options.post_norm_suffix));
        return b.normalise(options.norm, half, weight, {}, name, numbered ? layer : -1);
    };
    attended = post_norm(attended, options.attention_post_norm, options.attention_post_name, true);
    if (drops_rows && options.outputs_after_norm) b.keep_outputs_of_last(layer, attended, x);
    const TensorId half = scaled(attended);
    const TensorId input =
        b.named(options.input_first ? g.add(x, half) : g.add(half, x), options.sum_name, layer);
    TensorId ready = input;
    if (!options.ffn_norm.empty())
        ready = b.block_norm(options.norm, input, layer, options.ffn_norm, options.ffn_norm_name);
    TensorId out = feed_forward(ready, layer);
    out = post_norm(out, options.ffn_post_norm, options.ffn_post_name, options.ffn_post_numbered);
    out = scaled(out);
    return b.named(options.sum_first ? g.add(input, out) : g.add(out, input), options.end_name, layer);
}

TensorId decoder(ModelBuilder& b, TensorId x, const Sublayer& attention, const Sublayer& feed_forward,
                 const Decoder& options) {
    for (std::int32_t layer = 0; layer < b.layers(); ++layer)
        x = b.add_deepstack(decoder_block(b, x, layer, attention, feed_forward, options), layer);
    return x;
}

ModelGraph dense_model(ModelBuilder& b, const SelfAttention& attention, const FeedForward& feed,
                       const Decoder& options) {
    const TensorId x = decoder(
        b, b.embed_tokens(), [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, attention); },
        [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l, feed); }, options);
    return b.finish_with_logits(x, options.norm);
}

ModelGraph sparse_model(ModelBuilder& b, const SelfAttention& attention, const SparseFeedForward& feed,
                        const Decoder& options) {
    const TensorId x = decoder(
        b, b.embed_tokens(), [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, attention); },
        [&](TensorId in, std::int32_t l) { return sparse_feed_forward(b, in, l, feed); }, options);
    return b.finish_with_logits(x, options.norm);
}

}  // namespace splitscope
