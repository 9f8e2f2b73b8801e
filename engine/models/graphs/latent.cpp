// SPDX-License-Identifier: MIT
// Multi-head latent attention: keys and values are computed from one compressed row per token, and only a
// part of each head is rotated.
#include <cmath>

#include "engine/models/decoder.hpp"
#include "engine/models/messages.hpp"

namespace splitscope::graphs {
namespace {

/// Sizes of a compressed layer.
struct Latent {
    std::int64_t heads = 0;
    std::int64_t head = 0;     ///< of a key
    std::int64_t rotated = 0;  ///< elements at the end of a key
    std::int64_t value = 0;
    std::int64_t rank = 0;  ///< of the compressed row

    std::int64_t plain() const { return head - rotated; }
};

Latent latent_of(const ModelBuilder& b, std::string_view key_length, std::string_view value_length) {
    const Hyperparameters& h = b.hyperparameters();
    Latent d;
    d.heads = h.heads[0];
    d.rotated = h.rope.dims;
    d.head = b.keys().number_or(key_length, h.head_dim_k);
    d.value = b.keys().number_or(value_length, h.head_dim_v);
    d.rank = b.keys().required("attention.kv_lora_rank");
    if (d.head < d.rotated) b.keys().refuse(key_length, msg::kSmallerThanRotated);
    return d;
}

/// The two parts of the queries: plain and, at their end, rotated.
struct Query {
    TensorId plain;
    TensorId rotated;
};

/// Elements `first` to `first` + `size` of each head, whose rows have `row` elements.
TensorId part_of_rows(ModelBuilder& b, TensorId x, std::int64_t heads, std::int64_t row, std::int64_t size,
                      std::int64_t first, std::string_view name, std::int32_t layer) {
    return b.named(
        b.graph().view_3d(x, size, heads, b.tokens(), row * kFloat, heads * row * kFloat, first * kFloat),
        name, layer);
}

Query split_query(ModelBuilder& b, TensorId q, std::int32_t layer, const Latent& d) {
    return {part_of_rows(b, q, d.heads, d.head, d.plain(), 0, "q_nope", layer),
            part_of_rows(b, q, d.heads, d.head, d.rotated, d.plain(), "q_pe", layer)};
}

/// The parts of queries computed from the low-rank rows `low`.
Query query_of_low(ModelBuilder& b, TensorId low, std::int32_t layer, const Latent& d) {
    return split_query(b, b.project(low, layer, "attn_q_b", d.heads * d.head, "q", "q"), layer, d);
}

/// The low-rank row of each token, from which queries are computed.
TensorId low_query(ModelBuilder& b, TensorId x, std::int32_t layer, std::string_view name) {
    const std::int64_t rank = b.block_rows(layer, "attn_q_a.weight");
    return b.block_rms_norm(b.project(x, layer, "attn_q_a", rank, name, name), layer, "attn_q_a_norm", name);
}

/// The queries as one tensor.
TensorId whole_query(ModelBuilder& b, TensorId x, std::int32_t layer, const Latent& d) {
    const bool direct = b.block_has(layer, "attn_q.weight");
    const TensorId q = b.project(direct ? x : low_query(b, x, layer, "q"), layer,
                                 direct ? "attn_q" : "attn_q_b", d.heads * d.head, "q", "q");
    return b.named(b.graph().reshape(q, {d.head, d.heads, b.tokens(), 1}), "q", layer);
}

Query query(ModelBuilder& b, TensorId x, std::int32_t layer, const Latent& d) {
    const TensorId q = whole_query(b, x, layer, d);
    if (d.plain() == 0) return {{}, q};
    return split_query(b, q, layer, d);
}

/// The compressed row of each token, and the rotated part that all heads share.
struct Compressed {
    TensorId row;
    TensorId rotated;
};

Compressed compress(ModelBuilder& b, TensorId x, std::int32_t layer, const Latent& d,
                    std::string_view product, std::string_view name) {
    GraphBuilder& g = b.graph();
    const std::int64_t wide = d.rank + d.rotated;
    const TensorId both = b.project(x, layer, "attn_kv_a_mqa", wide, product, product);
    const TensorId row = b.named(g.view_2d(both, d.rank, b.tokens(), wide * kFloat, 0), name, layer);
    const TensorId rotated =
        g.view_3d(both, d.rotated, 1, b.tokens(), wide * kFloat, wide * kFloat, d.rank * kFloat);
    return {row, b.named(rotated, "k_pe", layer)};
}

/// The keys without their rotated part and the values of all heads.
struct Widened {
    TensorId plain;
    TensorId value;
};

Widened widen(ModelBuilder& b, TensorId compressed, std::int32_t layer, const Latent& d,
              std::string_view plain, std::string_view value) {
    const std::int64_t row = d.plain() + d.value;
    const TensorId wide = b.project(compressed, layer, "attn_kv_b", d.heads * row, "kv", "kv");
    return {part_of_rows(b, wide, d.heads, row, d.plain(), 0, plain, layer),
            part_of_rows(b, wide, d.heads, row, d.value, d.plain(), value, layer)};
}

/// The attention output as in DeepSeek 2, over the `chosen` cells only if given.
TensorId mixed_of_deepseek(ModelBuilder& b, TensorId x, std::int32_t layer, const Latent& d,
                           const AttentionScale& growth, float scale, Query q, TensorId chosen = {}) {
    GraphBuilder& g = b.graph();
    Compressed kv = compress(b, x, layer, d, "kv_cmpr_pe", "kv_cmpr");
    q.rotated = b.rope(q.rotated, layer, "q_pe");
    kv.rotated = b.head_norm(kv.rotated, layer, "attn_k_norm", "k_pe");
    kv.rotated = b.rope(kv.rotated, layer, "k_pe");
    kv.row = b.block_rms_norm(kv.row, layer, "attn_kv_a_norm", "kv_cmpr");
    const auto tempered = [&](TensorId heads) {
        if (growth.factor == 0.0F) return heads;
        return b.named(g.mul(heads, b.attention_scale(growth)), "Qcur_attn_temp_scaled", layer);
    };
    TensorId mixed;
    if (b.hyperparameters().caches == CacheKinds::latent) {
        // Queries are projected into the space of the compressed rows; only these are cached.
        const TensorId plain = b.named(g.permute(q.plain, {0, 2, 1, 3}), "q_nope_perm", layer);
        const TensorId narrow = b.block_weight(layer, "attn_k_b.weight", {d.plain(), d.rank, d.heads, 1});
        TensorId absorbed = b.named(g.mul_mat(narrow, plain), "q_nope_absorbed", layer);
        absorbed = b.named(g.permute(absorbed, {0, 2, 1, 3}), "q_nope_absorbed_perm", layer);
        const TensorId heads = b.named(g.concat(absorbed, q.rotated, 0), "Qcur", layer);
        const TensorId value = b.named(g.reshape(kv.row, {d.rank, 1, b.tokens(), 1}), "Vcur", layer);
        const TensorId key = b.named(g.concat(value, kv.rotated, 0), "Kcur", layer);
        const TensorId widen = b.block_weight(layer, "attn_v_b.weight", {d.rank, d.value, d.heads, 1});
        mixed = b.attend_latent({tempered(heads), key, value}, layer,
                                {.scale = scale, .widen = widen, .chosen = chosen});
    } else {
        const Widened wide = widen(b, kv.row, layer, d, "k_nope_view", "Vcur_view");
        const TensorId value = b.named(g.cont(wide.value), "Vcur_cont", layer);
        const TensorId heads = g.concat(q.plain, q.rotated, 0);
        const TensorId key = g.concat(wide.plain, g.repeat(kv.rotated, g[q.rotated].ne), 0);
        mixed = b.attend({tempered(heads), key, value}, layer, {.scale = scale});
    }
    return mixed;
}

/// Scores of models whose context was stretched are scaled up with the stretch.
float stretched_scale(const ModelBuilder& b, std::int64_t head) {
    const RopeParameters& rope = b.hyperparameters().rope;
    const float stretch = std::log(1.0F / rope.scale);
    const float factor = rope.attn_factor * (1.0F + 0.1F * stretch);
    const float scale = factor * (1.0F + 0.1F * b.hyperparameters().yarn_log_multiplier * stretch);
    return scale * scale / std::sqrt(static_cast<float>(head));
}

/// Of minicpm3 and plm: the compressed rows are widened before they are cached.
TensorId widened_attention(ModelBuilder& b, TensorId x, std::int32_t layer, const Latent& d, bool factors,
                           bool flat_values) {
    GraphBuilder& g = b.graph();
    const TensorId q = whole_query(b, x, layer, d);
    Compressed kv = compress(b, x, layer, d, "kv_pe_compresseed", "kv_compressed");
    kv.row = b.block_rms_norm(kv.row, layer, "attn_kv_a_norm", "kv_compressed");
    const Widened wide = widen(b, kv.row, layer, d, "k_nope", "v_states");
    TensorId value = b.named(g.cont(wide.value), "v_states", layer);
    if (flat_values) {
        const std::int64_t flat = d.value * d.heads;
        value = b.named(g.view_2d(value, flat, b.tokens(), flat * kFloat, 0), "v_states", layer);
    }
    const TensorId frequencies = factors ? b.frequency_factors(layer) : TensorId{};
    RopeParameters at_end = b.rope_parameters(layer);
    at_end.first = static_cast<std::int32_t>(d.plain());
    const TensorId heads = b.rope_with(at_end, q, layer, "q_states", frequencies);
    kv.rotated = b.rope(kv.rotated, layer, "k_pe", frequencies);
    const TensorId spread = g.repeat(kv.rotated, {d.rotated, d.heads, b.tokens(), 1});
    const TensorId key = b.named(g.concat(wide.plain, spread, 0), "k_states", layer);
    const TensorId mixed = b.attend({heads, key, value}, layer, {.scale = b.score_scale(layer)});
    return project_out(b, mixed, layer);
}

ModelGraph dense_deepseek(ModelBuilder& b, const SparseFeedForward& sparse) {
    const Keys& keys = b.keys();
    const Latent d = latent_of(b, "attention.key_length_mla", "attention.value_length_mla");
    const float scale = stretched_scale(b, d.head);
    const AttentionScale growth{keys.decimal("attention.temperature_scale", 0.0F),
                                keys.number_or("attention.temperature_length", 0), 0.0F};
    const TensorId x = decoder(
        b, b.embed_tokens(),
        [&](TensorId in, std::int32_t l) {
            return project_out(b, mixed_of_deepseek(b, in, l, d, growth, scale, query(b, in, l, d)), l);
        },
        [&](TensorId in, std::int32_t l) { return sparse_feed_forward(b, in, l, sparse); });
    return b.finish_with_logits(x);
}

/// GLM 4.7 Lite, recognised by its size, routes by sigmoid if the file does not give the function.
Routing usual_routing(const ModelBuilder& b) {
    constexpr std::uint32_t kGlmVocabulary = 154880;
    const bool glm =
        (b.layers() == 47 || b.layers() == 48) && b.hyperparameters().shape.vocabulary == kGlmVocabulary;
    return glm ? Routing::sigmoid : Routing::softmax;
}

}  // namespace

ModelGraph deepseek2(ModelBuilder& b) {
    return dense_deepseek(b, {.mixture = mixture_of_keys(b, usual_routing(b))});
}

ModelGraph mistral4(ModelBuilder& b) {
    SparseFeedForward sparse{.mixture = mixture_of_keys(b, usual_routing(b))};
    sparse.mixture.full_precision_down = true;
    return dense_deepseek(b, sparse);
}

namespace {

/// The cells chosen for each token by an indexer over `low` rows and `x`.
TensorId indexed_cells(ModelBuilder& b, TensorId x, TensorId low, std::int32_t layer,
                       std::int32_t rope_mode) {
    GraphBuilder& g = b.graph();
    const std::int64_t heads = b.keys().required("attention.indexer.head_count");
    const std::int64_t size = b.keys().required("attention.indexer.key_length");
    RopeParameters rope = b.rope_parameters(layer);
    rope.mode = rope_mode;
    const auto turned = [&](TensorId rows, std::int64_t count, std::string_view name) {
        return b.rope_with(rope, g.reshape(rows, {size, count, b.tokens(), 1}), layer, name);
    };
    ModelBuilder::Indexer indexer;
    indexer.q =
        turned(b.project(low, layer, "indexer.attn_q_b", size * heads, "indexer_q", {}), heads, "indexer_q");
    const TensorId key = b.project(x, layer, "indexer.attn_k", size, "indexer_k", {});
    indexer.k =
        turned(b.block_norm(NormKind::layer, key, layer, "indexer.k_norm", "indexer_k"), 1, "indexer_k");
    indexer.count = b.keys().required("attention.indexer.top_k");
    indexer.rotates = size % 64 == 0;
    return b.top_cells(
        indexer, [&] { return b.project(x, layer, "indexer.proj", heads, {}, {}); }, layer);
}

/// DeepSeek 2 with sparse attention. Layers that do not choose reuse the cells of the previous one.
ModelGraph sparse_deepseek(ModelBuilder& b, std::int32_t rope_mode) {
    const Latent d = latent_of(b, "attention.key_length_mla", "attention.value_length_mla");
    const float scale = stretched_scale(b, d.head);
    const SparseFeedForward sparse{.mixture = mixture_of_keys(b, Routing::sigmoid)};
    const auto chooses = b.keys().per_layer("attention.indexer.types", b.hyperparameters().shape.layers, {});
    TensorId chosen;
    const auto attend = [&](TensorId in, std::int32_t l) {
        const TensorId low = low_query(b, in, l, "qr");
        if (chooses.empty() || chooses[static_cast<std::size_t>(l)] != 0)
            chosen = indexed_cells(b, in, low, l, rope_mode);
        const Query heads = query_of_low(b, low, l, d);
        return project_out(b, mixed_of_deepseek(b, in, l, d, {}, scale, heads, chosen), l);
    };
    const TensorId x = decoder(b, b.embed_tokens(), attend, [&](TensorId in, std::int32_t l) {
        return sparse_feed_forward(b, in, l, sparse);
    });
    return b.finish_with_logits(x);
}

}  // namespace

ModelGraph deepseek32(ModelBuilder& b) {
    return sparse_deepseek(b, 2);
}

ModelGraph glm_dsa(ModelBuilder& b) {
    return sparse_deepseek(b, 0);
}

/// Windows in most layers, chosen cells in the others, each followed by a gate per head.
ModelGraph dots3note(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    const SparseFeedForward sparse{.mixture = mixture_of_keys(b)};
    const auto attend = [&](TensorId in, std::int32_t layer) {
        const auto l = static_cast<std::size_t>(layer);
        const bool slides = h.slides(l);
        const Latent d{
            .heads = h.heads[l],
            .head = b.keys().required(slides ? "attention.key_length_mla_swa" : "attention.key_length_mla"),
            .rotated = h.rope.dims,
            .value =
                b.keys().required(slides ? "attention.value_length_mla_swa" : "attention.value_length_mla"),
            .rank = b.keys().required(slides ? "attention.kv_lora_rank_swa" : "attention.kv_lora_rank")};
        const TensorId low = low_query(b, in, layer, "qr");
        const TensorId chosen = slides ? TensorId{} : indexed_cells(b, in, low, layer, 2);
        const float scale = 1.0F / std::sqrt(static_cast<float>(d.head));
        const TensorId mixed =
            mixed_of_deepseek(b, in, layer, d, {}, scale, query_of_low(b, low, layer, d), chosen);
        b.named(mixed, "attn_out", layer);
        const TensorId gate = b.project(in, layer, "attn_gate", d.heads, "attn_gate", {});
        const TensorId open = b.named(g.unary(UnaryKind::sigmoid, gate), "attn_gate_sigmoid", layer);
        const TensorId gated = g.mul(g.reshape(mixed, {d.value, d.heads, b.tokens(), 1}),
                                     g.reshape(open, {1, d.heads, b.tokens(), 1}));
        b.named(gated, "attn_gated", layer);
        const TensorId rows = g.reshape(gated, {d.value * d.heads, b.tokens(), 1, 1});
        return project_out(b, rows, layer, "attn_output");
    };
    const TensorId x = decoder(b, b.embed_tokens(), attend, [&](TensorId in, std::int32_t l) {
        return sparse_feed_forward(b, in, l, sparse);
    });
    return b.finish_with_logits(x);
}

ModelGraph deepseek2_ocr(ModelBuilder& b) {
    const float scale = stretched_scale(b, b.hyperparameters().head_dim_k);
    RopeParameters rope{.dims = static_cast<std::int32_t>(b.hyperparameters().head_dim_k), .mode = 2};
    rope.base = b.hyperparameters().rope.base;
    rope.beta_fast = rope.beta_slow = 0.0F;
    const auto attend = [&](TensorId in, std::int32_t layer) {
        Heads heads = b.heads(in, layer);
        b.named(heads.q, "q", layer);
        b.named(heads.k, "k", layer);
        b.named(heads.v, "v", layer);
        heads.q = b.rope_with(rope, heads.q, layer, "q_pe");
        heads.k = b.rope_with(rope, heads.k, layer, "k_pe");
        return project_out(b, b.attend(heads, layer, {.scale = scale}), layer, "attn_out");
    };
    const SparseFeedForward sparse{.mixture = mixture_of_keys(b)};
    const TensorId x = decoder(b, b.embed_tokens(), attend, [&](TensorId in, std::int32_t l) {
        return sparse_feed_forward(b, in, l, sparse);
    });
    return b.finish_with_logits(x);
}

ModelGraph minicpm3(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const Latent d = latent_of(b, "attention.key_length", "attention.value_length");
    const float depth = 1.4F / std::sqrt(static_cast<float>(b.layers()));
    TensorId x = b.named(g.scale(b.embed_tokens(), 12.0F), "inp_scaled");
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        TensorId attended =
            widened_attention(b, b.block_rms_norm(x, layer, "attn_norm"), layer, d, true, false);
        b.keep_outputs_of_last(layer, attended, x);
        const TensorId input =
            b.named(g.add(b.named(g.scale(attended, depth), "hidden_scaled", layer), x), "ffn_inp", layer);
        const TensorId out = feed_forward(b, b.block_rms_norm(input, layer, "ffn_norm"), layer);
        x = b.named(g.add(b.named(g.scale(out, depth), "hidden_scaled_ffn", layer), input), "l_out", layer);
    }
    const float head = 256.0F / static_cast<float>(b.width());
    return b.finish_with_named_logits(b.lm_head(b.named(g.scale(b.final_norm(x), head), "lmhead_scaling")));
}

ModelGraph plm(ModelBuilder& b) {
    const Latent d = latent_of(b, "attention.key_length", "attention.value_length");
    const FeedForward feed{.activation = Activation::relu_squared, .gated = false};
    const TensorId x = decoder(
        b, b.embed_tokens(),
        [&](TensorId in, std::int32_t l) { return widened_attention(b, in, l, d, false, true); },
        [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l, feed); });
    return b.finish_with_logits(x);
}

}  // namespace splitscope::graphs
