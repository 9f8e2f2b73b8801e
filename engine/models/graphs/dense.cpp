// SPDX-License-Identifier: MIT
// Decoders with attention followed by one feed-forward per block.
#include <cmath>

#include "engine/models/decoder.hpp"

namespace splitscope::graphs {
namespace {

constexpr FeedForward kSquaredRelu{.activation = Activation::relu_squared, .gated = false};
constexpr FeedForward kUnnamedFeed{.name = kUnnamed};
constexpr FeedForward kHalves{.halves = true};
constexpr Decoder kLayerNorms{.norm = NormKind::layer};

/// Both sublayers read unnormalised inputs, and their results are normalised.
constexpr Decoder kPostNorms{.attention_norm = {},
                             .ffn_norm = {},
                             .attention_post_norm = "post_attention_norm",
                             .ffn_post_norm = "post_ffw_norm",
                             .ffn_post_numbered = false};

/// Every `step`th layer has no positions.
ModelGraph with_rope_gaps(ModelBuilder& b, SelfAttention attention, std::int32_t step,
                          const FeedForward& feed) {
    const auto attend = [&](TensorId in, std::int32_t layer) {
        attention.rope = (layer + 1) % step != 0;
        return self_attention(b, in, layer, attention);
    };
    const TensorId x = decoder(b, b.embed_tokens(), attend, [&](TensorId in, std::int32_t layer) {
        return feed_forward(b, in, layer, feed);
    });
    return b.finish_with_logits(x);
}

}  // namespace

ModelGraph plain(ModelBuilder& b) {
    return dense_model(b, {});
}

ModelGraph plain_with_factors(ModelBuilder& b) {
    return dense_model(b, {.rope_factors = true});
}

ModelGraph arcee(ModelBuilder& b) {
    return dense_model(b, {.rope_factors = true, .name = "attn_out"}, kSquaredRelu);
}

ModelGraph apertus(ModelBuilder& b) {
    const SelfAttention attention{.rope_factors = true,
                                  .head_norms = true,
                                  .q_rope_name = "Qcur_pos",
                                  .k_rope_name = "Kcur_pos",
                                  .v_name = "Vcur_pos",
                                  .name = "attn_out"};
    const auto layers = static_cast<std::uint32_t>(b.layers());
    const Keys keys = b.keys_with_prefix("xielu.");
    const auto alpha_n = keys.decimals_per_layer("alpha_n", layers, 0.0F);
    const auto alpha_p = keys.decimals_per_layer("alpha_p", layers, 0.0F);
    const auto beta = keys.decimals_per_layer("beta", layers, 0.0F);
    const auto epsilon = keys.decimals_per_layer("eps", layers, 0.0F);
    const auto feed = [&](TensorId in, std::int32_t layer) {
        const auto l = static_cast<std::size_t>(layer);
        const TensorId up =
            b.project(in, layer, "ffn_up", b.block_rows(layer, "ffn_up.weight"), "ffn_up", {});
        const TensorId active = b.graph().xielu(up, alpha_n[l], alpha_p[l], beta[l], epsilon[l]);
        b.named(active, "ffn_xielu", layer);
        return b.project(active, layer, "ffn_down", b.width(), "ffn_down", {});
    };
    const TensorId x = decoder(
        b, b.embed_tokens(), [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, attention); },
        feed);
    return b.finish_with_logits(x);
}

ModelGraph baichuan(ModelBuilder& b) {
    // Only the 7B models, recognised by their number of layers, rotate heads; the 13B models bias scores by
    // distance.
    const bool rotates = b.hyperparameters().shape.layers == 32;
    return dense_model(b, {.rope = rotates});
}

ModelGraph bitnet(ModelBuilder& b) {
    const auto feed = [&](TensorId in, std::int32_t layer) {
        const std::int64_t rows = b.block_rows(layer, "ffn_up.weight");
        const TensorId up = feed_product(b, in, layer, "ffn_up", rows, "ffn_up");
        const TensorId gate = feed_product(b, in, layer, "ffn_gate", rows, "ffn_gate");
        const TensorId hidden = b.gate_with(GluKind::swiglu, gate, up, "ffn", layer);
        b.named(hidden, "ffn_sub_out", layer);
        return b.project(b.block_rms_norm(hidden, layer, "ffn_sub_norm"), layer, "ffn_down", b.width(),
                         "ffn_down", {});
    };
    const SelfAttention attention{.name = "attn_out", .output_norm = "attn_sub_norm"};
    const TensorId x = decoder(
        b, b.embed_tokens(), [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, attention); },
        feed);
    return b.finish_with_logits(x);
}

ModelGraph bloom(ModelBuilder& b) {
    const Shape vector{b.width(), 1, 1, 1};
    const TensorId tokens = b.embed_tokens();
    const TensorId x = b.layer_norm(tokens, b.input_weight("token_embd_norm.weight", vector),
                                    b.input_weight("token_embd_norm.bias", vector), "inp_norm", 0);
    const TensorId last = decoder(
        b, x, [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, {.rope = false}); },
        [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l, kGelu); }, kLayerNorms);
    return b.finish_with_logits(last, NormKind::layer);
}

ModelGraph chatglm(ModelBuilder& b) {
    return dense_model(b, {}, kHalves);
}

ModelGraph codeshell(ModelBuilder& b) {
    // Without token embeddings, the output weight is used.
    const std::string table = b.has("token_embd.weight") ? "token_embd.weight" : "output.weight";
    const TensorId x = decoder(
        b, b.embed_tokens(0.0F, table), [&](TensorId in, std::int32_t l) { return self_attention(b, in, l); },
        [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l, kGelu); }, kLayerNorms);
    return b.finish_with_logits(x, NormKind::layer);
}

ModelGraph exaone4(ModelBuilder& b) {
    const Hyperparameters& h = b.hyperparameters();
    SelfAttention attention{.rope_factors = true, .head_norms = true, .name = "attn_out"};
    const auto attend = [&](TensorId in, std::int32_t layer) {
        attention.rope = !h.has_window() || h.slides(static_cast<std::size_t>(layer));
        return self_attention(b, in, layer, attention);
    };
    const TensorId x = decoder(
        b, b.embed_tokens(), attend, [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l); },
        kPostNorms);
    return b.finish_with_logits(x);
}

ModelGraph glm4(ModelBuilder& b) {
    return dense_model(b, {.full_precision = true}, {.halves = true, .full_precision = true},
                       {.attention_post_norm = "post_attention_norm",
                        .attention_post_name = "post_attn_norm",
                        .ffn_post_norm = "post_ffw_norm",
                        .ffn_post_name = "post_mlp_norm"});
}

ModelGraph hunyuan(ModelBuilder& b) {
    return dense_model(b, {.rope_factors = true,
                           .head_norms = true,
                           .norms_after_rope = true,
                           .q_norm_name = "Qcur_norm",
                           .k_norm_name = "Kcur_norm",
                           .name = "attn_out"});
}

ModelGraph jais(ModelBuilder& b) {
    const float size = static_cast<float>(b.hyperparameters().head_dim_k);
    return dense_model(b, {.rope = false, .scale = 1.0F / size}, {}, kLayerNorms);
}

ModelGraph jais2(ModelBuilder& b) {
    return dense_model(b, {.q_rope_name = "Qcur_rope", .k_rope_name = "Kcur_rope", .full_precision = true},
                       {.activation = Activation::relu_squared, .gated = false, .full_precision = true},
                       kLayerNorms);
}

ModelGraph llama_embed(ModelBuilder& b) {
    const SelfAttention attention{.rope_factors = true, .name = "attn_out"};
    const auto feed = [&](TensorId in, std::int32_t layer) {
        return sparse_feed_forward(b, in, layer,
                                   {.mixture = {.optional_gate = true}, .shared = false, .by_router = true});
    };
    const TensorId x = decoder(
        b, b.embed_tokens(), [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, attention); },
        feed);
    return b.finish_with_embeddings(b.final_norm(x), {});
}

ModelGraph llada(ModelBuilder& b) {
    return dense_model(b, {.output_bias = false});
}

ModelGraph maincoder(ModelBuilder& b) {
    return dense_model(b, {.head_norms = true,
                           .norms_after_rope = true,
                           .q_norm_name = "Qcur",
                           .k_norm_name = "Kcur",
                           .q_rope_name = kUnnamed,
                           .k_rope_name = kUnnamed});
}

ModelGraph minicpm(ModelBuilder& b) {
    const Keys& keys = b.keys();
    const float depth = std::sqrt(static_cast<float>(b.layers()));
    const float logits = keys.decimal("logit_scale", 256.0F / static_cast<float>(b.width()));
    const SelfAttention attention{.rope_factors = true, .name = "attn_out"};
    const SparseFeedForward feed{.mixture = {.optional_gate = true}, .shared = false, .by_router = true};
    const TensorId x = decoder(
        b, b.embed_tokens(keys.decimal("embedding_scale", 12.0F)),
        [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, attention); },
        [&](TensorId in, std::int32_t l) { return sparse_feed_forward(b, in, l, feed); },
        {.residual_scale = keys.decimal("residual_scale", 1.4F / depth)});
    return b.finish_with_named_logits(b.graph().scale(b.lm_head(b.final_norm(x)), 1.0F / logits));
}

ModelGraph mpt(ModelBuilder& b) {
    TensorId x = b.embed_tokens();
    if (b.has("position_embd.weight")) x = b.named(b.graph().add(x, b.embed_positions()), "inpL");
    const SelfAttention attention{.rope = false,
                                  .head_norms = true,
                                  .head_norm_kind = NormKind::layer,
                                  .whole_row_norms = true,
                                  .q_norm_name = {},
                                  .k_norm_name = {},
                                  .clamp = b.keys().decimal("attention.clamp_kqv", 0.0F)};
    const FeedForward feed{.activation = Activation::gelu, .gated = false, .scaled_activation = true};
    x = decoder(
        b, x, [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, attention); },
        [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l, feed); }, kLayerNorms);
    return b.finish_with_logits(x, NormKind::layer);
}

ModelGraph nemotron(ModelBuilder& b) {
    FeedForward feed = kSquaredRelu;
    feed.name = kUnnamed;
    return dense_model(b, {}, feed, kLayerNorms);
}

ModelGraph olmo(ModelBuilder& b) {
    return dense_model(b, {.clamp = b.keys().decimal("attention.clamp_kqv", 0.0F)}, {},
                       {.norm = NormKind::plain_layer});
}

ModelGraph olmo2(ModelBuilder& b) {
    return dense_model(b, {.norms_before_split = true}, {}, kPostNorms);
}

ModelGraph orion(ModelBuilder& b) {
    return dense_model(b, {}, {}, kLayerNorms);
}

ModelGraph pangu_embedded(ModelBuilder& b) {
    const TensorId x = decoder(
        b, b.embed_tokens(), [&](TensorId in, std::int32_t l) { return self_attention(b, in, l); },
        [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l, kUnnamedFeed); });
    return b.finish_with_named_logits(b.lm_head_with_bias(b.final_norm(x)));
}

ModelGraph plamo3(ModelBuilder& b) {
    const SelfAttention attention{.head_norms = true,
                                  .q_norm_name = "attn_q_norm",
                                  .k_norm_name = "attn_k_norm",
                                  .q_rope_name = kUnnamed,
                                  .k_rope_name = kUnnamed,
                                  .product_name = kUnnamed,
                                  .name = "attn_out"};
    const TensorId x = decoder(
        b, b.embed_tokens(), [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, attention); },
        [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l, kHalves); },
        {.attention_norm_name = "wqkv",
         .sum_name = "attn_residual",
         .attention_post_norm = "post_attention_norm",
         .ffn_post_norm = "post_ffw_norm",
         .post_norm_suffix = {}});
    const TensorId last = b.rms_norm(x, b.output_weight("output_norm.weight", {b.width(), 1, 1, 1}), {}, -1);
    b.keep_embeddings(last);
    return b.finish(b.lm_head(last));
}

ModelGraph refact(ModelBuilder& b) {
    // The reference builds no experts here.
    return dense_model(b, {.rope = false}, {.optional = b.hyperparameters().experts > 0});
}

ModelGraph seed_oss(ModelBuilder& b) {
    return dense_model(b, {.name = "attn_out"}, {},
                       {.ffn_norm = "post_attention_norm", .ffn_norm_name = "attn_post_norm"});
}

ModelGraph smollm3(ModelBuilder& b) {
    return with_rope_gaps(b, {.name = "attn_out"}, 4, {});
}

ModelGraph starcoder2(ModelBuilder& b) {
    return dense_model(b, {}, kGelu, kLayerNorms);
}

ModelGraph pockettts(ModelBuilder& b) {
    return dense_model(b, {.output_bias = false}, kGelu, kLayerNorms);
}

ModelGraph granite(ModelBuilder& b) {
    const Keys& keys = b.keys();
    const SelfAttention attention{.rope = keys.flag("rope.scaling.finetuned", true),
                                  .rope_factors = true,
                                  .scale = keys.decimal("attention.scale", 0.0F),
                                  .sinks = "attn_sinks.weight",
                                  .name = "attn_out"};
    const SparseFeedForward feed{.mixture = {.optional_gate = true},
                                 .shared = keys.number_or("expert_shared_feed_forward_length", 0) > 0,
                                 .by_router = true};
    const TensorId x = decoder(
        b, b.embed_tokens(keys.decimal("embedding_scale", 0.0F)),
        [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, attention); },
        [&](TensorId in, std::int32_t l) {
            SparseFeedForward here = feed;
            // In granite_swa, gate and up of the shared expert are one weight.
            here.beside.halves = !b.block_has(l, "ffn_gate_shexp.weight");
            return sparse_feed_forward(b, in, l, here);
        },
        {.residual_scale = keys.decimal("residual_scale", 0.0F)});
    const float scale = keys.decimal("logit_scale", 0.0F);
    return b.finish_with_named_logits(b.graph().scale(b.lm_head(b.final_norm(x)), 1.0F / scale));
}

}  // namespace splitscope::graphs
