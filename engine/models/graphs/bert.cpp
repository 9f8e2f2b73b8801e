// SPDX-License-Identifier: MIT
// Encoders: every token sees every other one, norms after the sublayers of a block, and the rows of the last
// block are the result.
#include "engine/models/decoder.hpp"

namespace splitscope::graphs {
namespace {

TensorId embed(ModelBuilder& b, bool learned_positions) {
    GraphBuilder& g = b.graph();
    TensorId x = b.embed_tokens();
    if (b.has("token_types.weight")) {
        // Every token is of the first kind.
        const std::int64_t kinds = b.rows_of("token_types.weight");
        const TensorId types = b.input_weight("token_types.weight", {b.width(), kinds, 1, 1});
        x = g.add(x, g.view_1d(types, b.width(), 0));
    }
    if (learned_positions) {
        const TensorId table =
            b.input_weight("position_embd.weight", {b.width(), b.rows_of("position_embd.weight"), 1, 1});
        x = g.add(g.get_rows(table, b.positions()), x);
    }
    b.named(x, "inp_embd");
    const Shape vector{b.width(), 1, 1, 1};
    return b.layer_norm(x, b.input_weight("token_embd_norm.weight", vector),
                        b.input_weight("token_embd_norm.bias", vector), "inp_norm", 0);
}

ModelGraph encoder(ModelBuilder& b, bool learned_positions, const SelfAttention& attention,
                   const Sublayer& feed) {
    GraphBuilder& g = b.graph();
    TensorId x = embed(b, learned_positions);
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        TensorId attended = self_attention(b, x, layer, attention);
        if (!b.is_2025_02()) b.keep_outputs_of_last(layer, attended, x);
        const bool twice = b.block_has(layer, "attn_norm_2.weight");
        TensorId ready = b.block_norm(NormKind::layer, g.add(attended, x), layer, "attn_output_norm",
                                      twice ? kUnnamed : "ffn_inp");
        if (twice) ready = b.block_norm(NormKind::layer, g.add(ready, x), layer, "attn_norm_2", "ffn_inp");
        const TensorId sum = g.add(feed(ready, layer), ready);
        const std::string bias = "layer_output_norm.bias";
        x = b.layer_norm(sum, b.block_vector(layer, "layer_output_norm.weight"), b.block_vector(layer, bias),
                         {}, layer);
    }
    return b.finish_with_embeddings(x);
}

constexpr Decoder kUnnamedNorms{.attention_norm_name = kUnnamed, .end_name = kUnnamed};

}  // namespace

ModelGraph bert(ModelBuilder& b) {
    return encoder(b, true,
                   {.rope = false,
                    .head_norms = true,
                    .head_norm_kind = NormKind::layer,
                    .whole_row_norms = true,
                    .name = "kqv_out"},
                   [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l, kGelu); });
}

ModelGraph jina_bert_v2(ModelBuilder& b) {
    const SelfAttention attention{.rope = false,
                                  .head_norms = true,
                                  .head_norm_kind = NormKind::layer,
                                  .whole_row_norms = true,
                                  .q_norm_name = {},
                                  .k_norm_name = {},
                                  .name = "kqv_out"};
    return encoder(b, false, attention, [&](TensorId in, std::int32_t layer) {
        FeedForward feed{.activation = Activation::gelu};
        feed.gated = b.block_has(layer, "ffn_gate.weight");
        // The gate can be the first half of the other weight.
        feed.halves = !feed.gated &&
                      b.block_rows(layer, "ffn_up.weight") != b.keys().number_or("feed_forward_length", 0);
        return feed_forward(b, in, layer, feed);
    });
}

ModelGraph jina_bert_v3(ModelBuilder& b) {
    return encoder(b, false, {.name = "kqv_out"},
                   [&](TensorId in, std::int32_t layer) { return feed_forward(b, in, layer, kGelu); });
}

ModelGraph nomic_bert(ModelBuilder& b) {
    return encoder(b, false, {.name = "kqv_out"},
                   [&](TensorId in, std::int32_t layer) { return feed_forward(b, in, layer); });
}

ModelGraph nomic_bert_moe(ModelBuilder& b) {
    const auto step = static_cast<std::int32_t>(b.keys().number_or("moe_every_n_layers", 0));
    const Mixture mixture{.normalise = false, .activation = Activation::gelu, .gated = false};
    return encoder(b, false, {.name = "kqv_out"}, [&](TensorId in, std::int32_t layer) {
        const bool has_experts = step > 0 && layer % step == 1;
        return has_experts ? mixture_of_experts(b, in, layer, mixture) : feed_forward(b, in, layer, kGelu);
    });
}

ModelGraph eurobert(ModelBuilder& b) {
    const TensorId x = decoder(
        b, b.named(b.embed_tokens(), "inp_embd"),
        [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, {.name = "kqv_out"}); },
        [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l); }, kUnnamedNorms);
    return b.finish_with_embeddings(b.final_norm(x));
}

ModelGraph neo_bert(ModelBuilder& b) {
    const TensorId x = decoder(
        b, b.named(b.embed_tokens(), "inp_embd"),
        [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, {.name = "kqv_out"}); },
        [&](TensorId in, std::int32_t l) {
            return feed_forward(b, in, l, {.halves = true, .name = kUnnamed});
        },
        kUnnamedNorms);
    const TensorId weight = b.output_weight("enc.output_norm.weight", {b.width(), 1, 1, 1});
    return b.finish_with_embeddings(b.rms_norm(x, weight, {}, -1));
}

ModelGraph modern_bert(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const Shape vector{b.width(), 1, 1, 1};
    TensorId x = b.layer_norm(b.named(b.embed_tokens(), "inp_embd"),
                              b.input_weight("token_embd_norm.weight", vector), {}, "inp_norm", 0);
    const std::string activation = b.keys().text("hidden_activation", "gelu");
    const FeedForward feed{.activation = activation == "silu" ? Activation::silu : Activation::gelu,
                           .halves = true,
                           .name = kUnnamed};
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        // The input of the first block is already normalised.
        // Only the first block may do without.
        const bool normalises = layer > 0 || b.block_has(layer, "attn_norm.weight");
        const TensorId in = normalises ? b.block_norm(NormKind::layer, x, layer, "attn_norm") : x;
        TensorId attended = self_attention(b, in, layer, {.name = "kqv_out"});
        b.keep_outputs_of_last(layer, attended, x);
        const TensorId input = b.named(g.add(attended, x), "ffn_inp", layer);
        const TensorId ready = b.block_norm(NormKind::layer, input, layer, "ffn_norm");
        x = g.add(feed_forward(b, ready, layer, feed), input);
    }
    const TensorId weight = b.output_weight("output_norm.weight", vector);
    return b.finish_with_embeddings(b.layer_norm(x, weight, {}, {}, -1), "final_norm_out");
}

}  // namespace splitscope::graphs
