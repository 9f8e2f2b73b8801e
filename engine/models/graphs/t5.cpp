// SPDX-License-Identifier: MIT
// Encoder and decoder with a bias of the scores by bucket of relative position.

#include "engine/models/decoder.hpp"

namespace splitscope::graphs {
namespace {

/// The bias of each head for each class of distance, spread over cells and tokens.
TensorId position_bias(ModelBuilder& b, std::int32_t layer, std::int64_t cells) {
    GraphBuilder& g = b.graph();
    const std::uint32_t classes = b.keys().required("attention.relative_buckets_count");
    const std::int64_t heads = b.hyperparameters().heads[0];
    const TensorId buckets = b.distance_buckets(classes, cells);
    // Layers without a table use that of the first.
    const std::int32_t owner = b.block_has(layer, "attn_rel_b.weight") ? layer : 0;
    const TensorId table = b.block_weight(owner, "attn_rel_b.weight", {heads, classes, 1, 1});
    const TensorId flat = b.named(g.reshape(buckets, {cells * b.tokens(), 1, 1, 1}), "pos_bucket_1d");
    const TensorId rows = g.reshape(g.get_rows(table, flat), {heads, cells, b.tokens(), 1});
    return b.named(g.cont(g.permute(rows, {2, 0, 1, 3})), "pos_bias");
}

TensorId t5_feed_forward(ModelBuilder& b, TensorId x, std::int32_t layer) {
    const bool gated = b.block_has(layer, "ffn_gate.weight");
    return feed_forward(b, x, layer,
                        {.activation = gated ? Activation::gelu : Activation::relu, .gated = gated});
}

TensorId self_attend(ModelBuilder& b, TensorId x, std::int32_t layer, bool names_heads, std::int64_t cells) {
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    const auto l = static_cast<std::size_t>(layer);
    Heads heads;
    if (names_heads) {
        heads = b.heads(x, layer);
    } else {
        const auto part = [&](std::string_view weight, std::int64_t dim, std::int64_t count,
                              std::string_view name) {
            return g.reshape(b.project(x, layer, weight, dim * count, name, name),
                             {dim, count, b.tokens(), 1});
        };
        heads = {part("attn_q", h.head_k(l), h.heads[l], "Qcur"),
                 part("attn_k", h.head_k(l), h.kv_heads[l], "Kcur"),
                 part("attn_v", h.head_v(l), h.kv_heads[l], "Vcur")};
    }
    const AttendOptions options{.scale = 1.0F, .bias = position_bias(b, layer, cells)};
    return project_out(b, b.attend(heads, layer, options), layer, "kqv_out", false, "attn_o");
}

TensorId cross_attend(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    const auto l = static_cast<std::size_t>(layer);
    const TensorId encoded = b.encoder_rows();
    const auto part = [&](TensorId in, std::string_view weight, std::int64_t dim, std::int64_t count,
                          std::string_view name) {
        const TensorId rows = b.project(in, layer, weight, dim * count, name, name);
        return g.reshape(rows, {dim, count, g[in].ne[1], 1});
    };
    const Heads heads{part(x, "cross_attn_q", h.head_k(l), h.heads[l], "Qcur"),
                      part(encoded, "cross_attn_k", h.head_k(l), h.kv_heads[l], "Kcur"),
                      part(encoded, "cross_attn_v", h.head_v(l), h.kv_heads[l], "Vcur")};
    return project_out(b, b.attend_encoded(heads, layer, 1.0F), layer, "kqv_out", false, "cross_attn_o");
}

ModelGraph encoder(ModelBuilder& b) {
    b.set_block_prefix("enc.");
    const TensorId x = decoder(
        b, b.embed_tokens(),
        [&](TensorId in, std::int32_t l) { return self_attend(b, in, l, false, b.tokens()); },
        [&](TensorId in, std::int32_t l) { return t5_feed_forward(b, in, l); });
    b.named(x, "result_embd");
    const TensorId weight = b.output_weight("enc.output_norm.weight", {b.width(), 1, 1, 1});
    return b.finish_with_embeddings(b.rms_norm(x, weight, {}, -1), "result_norm");
}

}  // namespace

ModelGraph t5(ModelBuilder& b) {
    if (b.options().encodes) return encoder(b);
    GraphBuilder& g = b.graph();
    b.set_block_prefix("dec.");
    const auto layers = static_cast<std::int32_t>(
        b.keys().number_or("decoder_block_count", static_cast<std::uint32_t>(b.layers())));
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < layers; ++layer) {
        const TensorId normed = b.block_rms_norm(x, layer, "attn_norm");
        const TensorId attended = self_attend(b, normed, layer, true, b.options().cells);
        TensorId input = b.named(g.add(attended, x), "cross_inp", layer);
        const TensorId ready = b.block_rms_norm(input, layer, "cross_attn_norm", "attn_norm_cross");
        TensorId crossed = cross_attend(b, ready, layer);
        if (layer + 1 == layers) {
            crossed = b.keep_outputs(crossed);
            input = b.keep_outputs(input);
        }
        input = b.named(g.add(crossed, input), "ffn_inp", layer);
        const TensorId out = t5_feed_forward(b, b.block_rms_norm(input, layer, "ffn_norm"), layer);
        x = b.named(g.add(out, input), "l_out", layer);
    }
    b.named(x, "result_embd");
    const TensorId weight = b.output_weight("dec.output_norm.weight", {b.width(), 1, 1, 1});
    const TensorId last = b.rms_norm(x, weight, "result_norm", -1);
    b.keep_embeddings(last);
    return b.finish_with_named_logits(b.lm_head(last));
}

ModelGraph t5encoder(ModelBuilder& b) {
    return encoder(b);
}

}  // namespace splitscope::graphs
