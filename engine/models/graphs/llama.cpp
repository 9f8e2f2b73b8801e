// SPDX-License-Identifier: MIT
// Decoders with RMS norms, RoPE, and gated feed-forwards or mixtures of experts.
#include "engine/models/decoder.hpp"

namespace splitscope::graphs {
namespace {

/// Blocks without a router have an ordinary feed-forward.
TensorId experts_or_dense(ModelBuilder& b, TensorId x, std::int32_t layer) {
    if (!b.block_has(layer, "ffn_gate_inp.weight")) return feed_forward(b, x, layer);
    return mixture_of_experts(b, x, layer, {.optional_gate = true});
}

ModelGraph with_experts(ModelBuilder& b, const SelfAttention& attention) {
    const TensorId x = decoder(
        b, b.embed_tokens(), [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, attention); },
        [&](TensorId in, std::int32_t l) { return experts_or_dense(b, in, l); });
    return b.finish_with_logits(x);
}

}  // namespace

ModelGraph llama(ModelBuilder& b) {
    return with_experts(b, {.rope_factors = true, .name = b.is_2025_02() ? "kqv_out" : "attn_out"});
}

ModelGraph qwen2(ModelBuilder& b) {
    const TensorId x = decoder(
        b, b.embed_tokens(), [&](TensorId in, std::int32_t l) { return self_attention(b, in, l); },
        [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l); });
    return b.finish_with_named_logits(b.lm_head_with_bias(b.final_norm(x)));
}

ModelGraph qwen3(ModelBuilder& b) {
    return with_experts(b, {.head_norms = true});
}

ModelGraph qwen3moe(ModelBuilder& b) {
    return with_experts(b, {.head_norms = true});
}

ModelGraph phi3(ModelBuilder& b) {
    const SelfAttention attention{.rope_factors = true, .scales_query = true};
    const TensorId x = decoder(
        b, b.embed_tokens(), [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, attention); },
        [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l, {.halves = true}); },
        {.sum_name = {}, .sum_first = true});
    return b.finish_with_logits(x);
}

ModelGraph gpt_oss(ModelBuilder& b) {
    const SelfAttention attention{.sinks = "attn_sinks.weight", .name = "attn_out"};
    const Mixture mixture{
        .routing = Routing::softmax_of_chosen, .normalise = false, .activation = Activation::swiglu_oai};
    const TensorId x = decoder(
        b, b.embed_tokens(), [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, attention); },
        [&](TensorId in, std::int32_t l) { return mixture_of_experts(b, in, l, mixture); },
        {.ffn_norm = "post_attention_norm", .ffn_norm_name = "attn_post_norm", .keeps_all_rows = true});
    // Draft models read it, so the reference keeps it.
    b.graph().add_flag(x, TensorFlags::output);
    return b.finish_with_logits(b.keep_outputs(x));
}

}  // namespace splitscope::graphs
