// SPDX-License-Identifier: MIT
// Decoders with a mixture of experts in most blocks.
#include <cmath>

#include "engine/models/decoder.hpp"
#include "engine/models/messages.hpp"

namespace splitscope::graphs {
namespace {

/// A router by softmax, whose weights are scaled to 1 or not.
Mixture by_softmax(bool normalise) {
    return {.normalise = normalise, .optional_gate = true};
}

SparseFeedForward experts_only(const Mixture& mixture) {
    return {.mixture = mixture, .shared = false, .by_router = true};
}

}  // namespace

ModelGraph qwen2moe(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const Mixture mixture = by_softmax(false);
    const auto feed = [&](TensorId in, std::int32_t layer) {
        const TensorId routed = mixture_of_experts(b, in, layer, mixture);
        // A separate gate for the feed-forward beside the experts: a sigmoid, written as x·sigmoid(x)/x.
        const TensorId logit = b.named(g.mul_mat(b.block_vector(layer, "ffn_gate_inp_shexp.weight"), in),
                                       "ffn_shexp_gate_inp", layer);
        const TensorId gate = b.named(g.div(g.unary(UnaryKind::silu, logit), logit), "ffn_shexp_gate", layer);
        const TensorId beside = g.mul(feed_forward(b, in, layer, shared_expert()), gate);
        return b.named(g.add(routed, b.named(beside, "ffn_shexp_out", layer)), "ffn_out", layer);
    };
    const TensorId x = decoder(
        b, b.embed_tokens(), [&](TensorId in, std::int32_t l) { return self_attention(b, in, l); }, feed);
    return b.finish_with_logits(x);
}

ModelGraph bailingmoe(ModelBuilder& b) {
    const auto dims = static_cast<float>(b.hyperparameters().rope.dims);
    return sparse_model(b, {.rope_factors = true, .scale = 1.0F / std::sqrt(dims)},
                        {.mixture = mixture_of_keys(b), .by_router = true});
}

ModelGraph bailingmoe2(ModelBuilder& b) {
    return sparse_model(b, {.head_norms = true}, {.mixture = mixture_of_keys(b)}, {.sum_name = "sa_out"});
}

ModelGraph dbrx(ModelBuilder& b) {
    return sparse_model(
        b, {.clamp = b.keys().decimal("attention.clamp_kqv", 0.0F)}, experts_only(by_softmax(true)),
        {.norm = NormKind::layer, .ffn_norm = "attn_output_norm", .ffn_norm_name = "attn_out_norm"});
}

ModelGraph deepseek(ModelBuilder& b) {
    return sparse_model(b, {.rope_factors = true}, {.mixture = mixture_of_keys(b)});
}

ModelGraph dots1(ModelBuilder& b) {
    return sparse_model(b, {.head_norms = true}, {.mixture = mixture_of_keys(b)});
}

ModelGraph ernie4_5_moe(ModelBuilder& b) {
    const auto step = static_cast<std::int32_t>(b.keys().required("interleave_moe_layer_step"));
    const auto first = static_cast<std::int32_t>(b.hyperparameters().leading_dense);
    const bool shared = b.keys().number_or("expert_shared_feed_forward_length", 0) > 0;
    SparseFeedForward sparse{.mixture = by_softmax(true), .shared = shared, .by_router = true};
    if (!shared) sparse.mixture.name = "ffn_out";
    const auto feed = [&](TensorId in, std::int32_t layer) {
        const bool has_experts = layer >= first && (layer + 1) % step == 0;
        // Loaders ask for experts in the others as well, and the graph leaves them out.
        return has_experts ? sparse_feed_forward(b, in, layer, sparse)
                           : feed_forward(b, in, layer, {.optional = true});
    };
    const TensorId x = decoder(
        b, b.embed_tokens(),
        [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, {.name = "attn_out"}); }, feed);
    return b.finish_with_logits(x);
}

ModelGraph exaone_moe(ModelBuilder& b) {
    const Hyperparameters& h = b.hyperparameters();
    SelfAttention attention{.rope_factors = true, .head_norms = true, .name = "attn_out"};
    const SparseFeedForward sparse{.mixture = mixture_of_keys(b), .by_router = true};
    const auto attend = [&](TensorId in, std::int32_t layer) {
        attention.rope = h.slides(static_cast<std::size_t>(layer));
        return self_attention(b, in, layer, attention);
    };
    const TensorId x = decoder(b, b.embed_tokens(), attend, [&](TensorId in, std::int32_t l) {
        return sparse_feed_forward(b, in, l, sparse);
    });
    return b.finish_with_logits(x);
}

ModelGraph glm4moe(ModelBuilder& b) {
    FeedForward beside = shared_expert();
    beside.name = "ffn_shexp_out";
    beside.full_precision = true;
    beside.optional = true;
    return sparse_model(b, {.head_norms = true, .full_precision = true},
                        {.mixture = mixture_of_keys(b, Routing::sigmoid),
                         .beside = beside,
                         .dense = {.full_precision = true}},
                        {.ffn_norm = "post_attention_norm", .ffn_norm_name = "post_attn_norm"});
}

ModelGraph hunyuan_moe(ModelBuilder& b) {
    const SelfAttention attention{.rope_factors = true,
                                  .head_norms = true,
                                  .norms_after_rope = true,
                                  .q_norm_name = "Qcur_norm",
                                  .k_norm_name = "Kcur_norm",
                                  .k_rope_name = kUnnamed,
                                  .name = "attn_out"};
    const Mixture mixture = by_softmax(true);
    FeedForward beside = shared_expert();
    beside.name = "ffn_mlp";
    return sparse_model(b, attention, {.mixture = mixture, .beside = beside, .by_router = true});
}

ModelGraph llada_moe(ModelBuilder& b) {
    return sparse_model(b, {.head_norms = true}, experts_only(by_softmax(false)));
}

ModelGraph llama4(ModelBuilder& b) {
    const Keys& keys = b.keys();
    const Hyperparameters& h = b.hyperparameters();
    // Every fourth layer has no positions, unless the file switches windows off.
    const bool all_rotate = keys.number_or("attention.sliding_window", 1) == 0;
    const AttentionScale growth = all_rotate ? AttentionScale{} : AttentionScale{0.1F, 8192, 1.0F};
    const bool normalises = h.experts != 128;
    const auto attend = [&](TensorId in, std::int32_t layer) {
        const bool rotates = all_rotate ? (layer + 1) % b.layers() != 0 : (layer + 1) % 4 != 0;
        Heads heads = rotated_heads(b, in, layer, {.rope = rotates, .rope_factors = true});
        if (!rotates) heads.q = b.named(b.graph().mul(heads.q, b.attention_scale(growth)), "Qcur", layer);
        if (rotates && normalises) {
            heads.q = b.normalise(NormKind::plain_rms, heads.q, {}, {}, "Qcur_normed", layer);
            heads.k = b.normalise(NormKind::plain_rms, heads.k, {}, {}, "Kcur_normed", layer);
        }
        return project_out(b, b.attend(heads, layer, {.scale = b.score_scale(layer)}), layer, "attn_out");
    };
    FeedForward beside = shared_expert();
    beside.name = "ffn_moe_shexp";
    const Mixture mixture{.routing = Routing::sigmoid, .normalise = false, .weight_inputs = true};
    const SparseFeedForward feed{
        .mixture = mixture, .beside = beside, .sum_name = "ffn_moe_out_merged", .by_router = true};
    const auto feed_half = [&](TensorId in, std::int32_t l) { return sparse_feed_forward(b, in, l, feed); };
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        // In blocks with experts the norm's name went to the tensor before.
        const bool sparse = b.block_has(layer, "ffn_gate_inp.weight");
        const Decoder renamed{.ffn_norm_name = kUnnamed, .attended_name = "ffn_norm"};
        x = decoder_block(b, x, layer, attend, feed_half, sparse ? renamed : Decoder{});
    }
    return b.finish_with_logits(x);
}

ModelGraph mellum(ModelBuilder& b) {
    return sparse_model(b, {.head_norms = true}, experts_only(by_softmax(true)));
}

ModelGraph minimax_m2(ModelBuilder& b) {
    return sparse_model(b, {.norms_before_split = true},
                        experts_only(mixture_of_keys(b, Routing::softmax, true)));
}

ModelGraph mistral3(ModelBuilder& b) {
    const Keys& keys = b.keys();
    const float temperature = keys.decimal("attention.temperature_scale", 0.0F);
    const auto steps = static_cast<std::uint32_t>(b.hyperparameters().rope.original_context);
    if (temperature != 0.0F && steps == 0)
        keys.refuse("rope.scaling.original_context_length", msg::kMissingOrZero);
    const auto attend = [&](TensorId in, std::int32_t layer) {
        Heads heads = rotated_heads(b, in, layer, {.rope_factors = true});
        if (temperature != 0.0F)
            heads.q = b.named(b.graph().mul(heads.q, b.attention_scale({temperature, steps, 0.0F})),
                              "Qcur_attn_temp_scaled", layer);
        return project_out(b, b.attend(heads, layer, {.scale = b.score_scale(layer)}), layer, "attn_out");
    };
    const SparseFeedForward feed = experts_only(by_softmax(true));
    const TensorId x = decoder(b, b.embed_tokens(), attend, [&](TensorId in, std::int32_t l) {
        return sparse_feed_forward(b, in, l, feed);
    });
    return b.finish_with_logits(x);
}

ModelGraph olmoe(ModelBuilder& b) {
    return sparse_model(b, {.norms_before_split = true}, experts_only(by_softmax(false)));
}

ModelGraph phimoe(ModelBuilder& b) {
    const TensorId x = decoder(
        b, b.embed_tokens(),
        [&](TensorId in, std::int32_t l) {
            return self_attention(b, in, l, {.rope_factors = true, .scales_query = true});
        },
        [&](TensorId in, std::int32_t l) { return mixture_of_experts(b, in, l, by_softmax(true)); },
        {.norm = NormKind::rms_biased, .sum_name = {}, .sum_first = true});
    return b.finish_with_named_logits(
        b.lm_head_with_bias(b.final_norm(x, NormKind::rms_biased), "result_output_no_bias"));
}

ModelGraph grok(ModelBuilder& b) {
    const Keys& keys = b.keys();
    GraphBuilder& g = b.graph();
    const float cap = keys.decimal("attn_logit_softcapping", 30.0F);
    const float out_scale = keys.decimal("attention.output_scale", 0.08838834764831845F);
    const auto attend = [&](TensorId in, std::int32_t layer) {
        const AttendOptions options{.scale = 1.0F, .squash_from = out_scale / cap, .squash_to = cap};
        return project_out(b, b.attend(rotated_heads(b, in, layer), layer, options), layer);
    };
    const auto feed = [&](TensorId in, std::int32_t layer) {
        Mixture mixture = by_softmax(true);
        mixture.activation = Activation::gelu;
        const TensorId routed = mixture_of_experts(b, in, layer, mixture);
        if (!b.block_has(layer, "ffn_up.weight")) return routed;
        const TensorId dense = feed_forward(b, in, layer, {.activation = Activation::gelu});
        return g.scale(g.add(dense, routed), static_cast<float>(std::sqrt(2.0) / 2));
    };
    const TensorId x = decoder(
        b, b.embed_tokens(keys.decimal("embedding_scale", 78.38367176906169F)), attend, feed,
        {.attention_post_norm = "attn_output_norm",
         .attention_post_name = "attn_out_norm",
         .ffn_post_norm = b.block_has(0, "post_ffw_norm.weight") ? "post_ffw_norm" : "layer_output_norm"});
    const TensorId logits = b.lm_head(b.final_norm(x));
    return b.finish_with_named_logits(
        b.cap_output(g.scale(logits, keys.decimal("logit_scale", 0.5773502691896257F))));
}

ModelGraph arctic(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        TensorId attended = self_attention(b, b.block_rms_norm(x, layer, "attn_norm"), layer);
        b.keep_outputs_of_last(layer, attended, x);
        const TensorId input = b.named(g.add(attended, x), "ffn_inp", layer);
        const TensorId dense = feed_forward(b, b.block_rms_norm(input, layer, "ffn_norm"), layer);
        const TensorId sum = b.named(g.add(dense, input), "ffn_out", layer);
        // Experts read the input of the block.
        const TensorId ready = b.block_rms_norm(x, layer, "ffn_norm_exps");
        x = b.named(g.add(mixture_of_experts(b, ready, layer, by_softmax(true)), sum), "l_out", layer);
    }
    return b.finish_with_logits(x);
}

ModelGraph smallthinker(ModelBuilder& b) {
    // Whatever the pattern of the windows is.
    constexpr std::int32_t kPeriod = 4;
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        // The router reads the input of the block.
        TensorId logits = router_logits(b, x, layer);
        const bool rotates = !h.has_window() || b.layers() == kPeriod || layer % kPeriod != 0;
        TensorId attended =
            self_attention(b, b.block_rms_norm(x, layer, "attn_norm"), layer, {.rope = rotates});
        if (b.is_last(layer)) {
            attended = b.keep_outputs(attended);
            x = b.keep_outputs(x);
            logits = b.keep_outputs(logits);
        }
        const TensorId input = b.named(g.add(attended, x), "ffn_inp", layer);
        Mixture mixture = mixture_of_keys(b, Routing::softmax, true);
        mixture.activation = Activation::relu;
        mixture.logits = logits;
        mixture.name = "ffn_out";
        const TensorId out =
            mixture_of_experts(b, b.block_rms_norm(input, layer, "ffn_norm"), layer, mixture);
        x = b.named(g.add(out, input), "l_out", layer);
    }
    return b.finish_with_logits(x);
}

ModelGraph maple(ModelBuilder& b) {
    Mixture mixture;
    mixture.limits = {.key = "swiglu_clamp_exp", .fallback = 7.0F, .fused = true};
    const SparseFeedForward feed{.mixture = mixture, .shared = false};
    const TensorId x = decoder(
        b, b.embed_tokens(),
        [&](TensorId in, std::int32_t l) {
            // Only layers with sliding windows use positions.
            const bool turns = b.hyperparameters().slides(static_cast<std::size_t>(l));
            return self_attention(b, in, l, {.rope = turns, .head_norms = true, .name = "attn_out"});
        },
        [&](TensorId in, std::int32_t l) { return sparse_feed_forward(b, in, l, feed); });
    return b.finish_with_logits(x);
}

ModelGraph minimax_m3(ModelBuilder& b) {
    const Hyperparameters& h = b.hyperparameters();
    const ModelGraphOptions& options = b.options();
    // Blocks are parts of the text: several sequences in one stream have no blocks in common.
    const bool shared = options.shared_stream || (options.sequences > 1 && options.streams == 1);
    const bool by_blocks = options.flash_attention && !shared;
    const SelfAttention attention{.head_norms = true};
    const auto attend = [&](TensorId in, std::int32_t layer) {
        if (layer < static_cast<std::int32_t>(h.leading_dense))
            return self_attention(b, in, layer, attention);
        const Keys& keys = b.keys();
        const std::int64_t heads = keys.required("attention.indexer.head_count");
        const std::int64_t size = keys.required("attention.indexer.key_length");
        if (!by_blocks) {
            // Loaded all the same.
            b.block_weight(layer, "indexer.q_proj.weight", {b.width(), size * heads, 1, 1});
            b.block_weight(layer, "indexer.k_proj.weight", {b.width(), size, 1, 1});
            b.block_weight(layer, "indexer.q_norm.weight", {size, 1, 1, 1});
            b.block_weight(layer, "indexer.k_norm.weight", {size, 1, 1, 1});
            return self_attention(b, in, layer, attention);
        }
        const auto indexer = [&](std::string_view product, std::string_view norm, std::int64_t count) {
            const TensorId rows = b.project(in, layer, product, size * count, {}, {});
            const TensorId split = b.graph().reshape(rows, {size, count, b.tokens(), 1});
            return b.rope(b.block_rms_norm(split, layer, norm, kUnnamed), layer, kUnnamed);
        };
        const ModelBuilder::BlockIndexer block_indexer{
            .q = indexer("indexer.q_proj", "indexer.q_norm", heads),
            .k = indexer("indexer.k_proj", "indexer.k_norm", 1),
            .block = keys.required("attention.indexer.block_size"),
            .count = keys.required("attention.indexer.top_k"),
            .nearest = keys.number_or("attention.indexer.local_blocks", 0)};
        const Heads all = rotated_heads(b, in, layer, attention);
        return project_out(b, b.attend_blocks(all, block_indexer, layer, b.score_scale(layer)), layer);
    };
    SparseFeedForward sparse{.mixture = mixture_of_keys(b), .beside = shared_expert(Activation::swiglu_oai)};
    sparse.mixture.activation = sparse.dense.activation = Activation::swiglu_oai;
    const TensorId x = decoder(b, b.embed_tokens(), attend, [&](TensorId in, std::int32_t l) {
        return sparse_feed_forward(b, in, l, sparse);
    });
    return b.finish_with_logits(x);
}

}  // namespace splitscope::graphs
