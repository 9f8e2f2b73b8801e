// SPDX-License-Identifier: MIT
// Gemma models with per-layer token embeddings, whose last layers read the caches of earlier ones.
#include <cmath>

#include "engine/formats/messages.hpp"
#include "engine/models/decoder.hpp"
#include "engine/models/messages.hpp"

namespace splitscope::graphs {
namespace {

TensorId slice(ModelBuilder& b, TensorId x, std::int64_t index) {
    const Tensor t = b.graph()[x];
    return b.graph().view_2d(x, t.ne[0], t.ne[1], t.ne[0] * kFloat, index * t.ne[0] * t.ne[1] * kFloat);
}

/// Embeddings of each token for each layer: [size, layers, tokens], and with the projection of the input
/// [size, tokens, layers].
class LayerEmbeddings {
 public:
    LayerEmbeddings(ModelBuilder& builder, std::int64_t size)
        : b_(builder), g_(builder.graph()), size_(size) {
        const std::int64_t vocabulary = b_.hyperparameters().shape.vocabulary;
        const TensorId table =
            b_.input_weight("per_layer_token_embd.weight", {size_ * b_.layers(), vocabulary, 1, 1});
        const TensorId ids = b_.input(ModelInput::layer_tokens, ElementType::i32, {b_.tokens(), 1, 1, 1}, {});
        selected_ = g_.reshape(g_.get_rows(table, ids), {size_, b_.layers(), b_.tokens(), 1});
        selected_ = g_.scale(selected_, std::sqrt(static_cast<float>(size_)));
        b_.named(selected_, "inp_per_layer_selected");
        g_.expand(selected_);
    }

    void project(TensorId x) {
        const TensorId weight =
            b_.weight(0, "per_layer_model_proj.weight", {b_.width(), size_ * b_.layers(), 1, 1});
        TensorId rows = g_.scale(g_.mul_mat(weight, x), 1.0F / std::sqrt(static_cast<float>(b_.width())));
        rows = g_.reshape(rows, {size_, b_.layers(), b_.tokens(), 1});
        rows = b_.rms_norm(rows, b_.weight(0, "per_layer_proj_norm.weight", {size_, 1, 1, 1}),
                           "per_layer_proj", -1);
        rows = b_.named(g_.scale(g_.add(rows, selected_), 1.0F / std::sqrt(2.0F)), "inp_per_layer");
        all_ = g_.cont(g_.permute(rows, {0, 2, 1, 3}));
    }

    TensorId of(std::int32_t layer) { return slice(b_, all_, layer); }

 private:
    ModelBuilder& b_;
    GraphBuilder& g_;
    std::int64_t size_;
    TensorId selected_;
    TensorId all_;
};

/// The layer whose cache a layer without its own reads: the last before `owners` of the same reach.
std::int32_t owner_of(const ModelBuilder& b, std::int32_t layer, std::int32_t owners) {
    const Hyperparameters& h = b.hyperparameters();
    const bool slides = h.slides(static_cast<std::size_t>(layer));
    const std::int32_t owner = owners - (slides ? 2 : 1);
    if (h.slides(static_cast<std::size_t>(owner)) != slides)
        b.keys().refuse("attention.sliding_window_pattern", msg::kTooFewCachedLayers);
    return owner;
}

// --- gemma4

/// Loaders ask for them only if a layer has no window.
void refuse_unused_factors(const ModelBuilder& b) {
    constexpr const char* kFactors = "rope_freqs.weight";
    if (!b.has(kFactors)) return;
    const Hyperparameters& h = b.hyperparameters();
    for (std::size_t layer = 0; layer < h.shape.layers; ++layer)
        if (!h.slides(layer)) return;
    throw Error(ErrorKind::bad_file, msg::kTensorNotKnown(h.shape.architecture),
                ErrorPlace(msg::kPlaceTensor(kFactors)), msg::kConvertAgain);
}

TensorId attention_of_gemma4(ModelBuilder& b, TensorId x, std::int32_t layer, std::int32_t owners) {
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    const auto l = static_cast<std::size_t>(layer);
    const TensorId factors =
        h.slides(l) ? TensorId{} : b.weight(layer, "rope_freqs.weight", {h.head_k(l) / 2, 1, 1, 1});
    const auto split = [&](TensorId rows, std::int64_t dim, std::int64_t count) {
        return g.reshape(rows, {dim, count, b.tokens(), 1});
    };
    TensorId q = split(b.project(x, layer, "attn_q", h.q_row(l), "Qcur", "Qcur"), h.head_k(l), h.heads[l]);
    q = b.rope(b.head_norm(q, layer, "attn_q_norm", "Qcur_normed"), layer, "Qcur_pos", factors);
    if (layer >= owners)
        return project_out(b, b.attend_shared(q, layer, owner_of(b, layer, owners), 1.0F), layer);
    const TensorId keys = b.project(x, layer, "attn_k", h.k_row(l), "Kcur", "Kcur");
    TensorId values = keys;
    if (b.block_has(layer, "attn_v.weight"))
        values = b.project(x, layer, "attn_v", h.v_row(l), "Vcur", "Vcur");
    else
        b.named(values, "Vcur", layer);  // keys also serve as values, and are renamed
    TensorId k = split(keys, h.head_k(l), h.kv_heads[l]);
    TensorId v = split(values, h.head_v(l), h.kv_heads[l]);
    k = b.head_norm(k, layer, "attn_k_norm", "Kcur_normed");
    v = b.normalise(NormKind::plain_rms, v, {}, {}, "Vcur_normed", layer);
    k = b.rope(k, layer, "Kcur_pos", factors);
    return project_out(b, b.attend({q, k, v}, layer, {.scale = 1.0F}), layer);
}

/// A dense feed-forward and a mixture side by side, each with its own norms.
TensorId sparse_of_gemma4(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const FeedForward dense{.activation = Activation::gelu, .name = {}};
    TensorId beside = feed_forward(b, b.block_rms_norm(x, layer, "ffn_norm", "ffn_norm_1"), layer, dense);
    beside = b.block_rms_norm(beside, layer, "post_ffw_norm_1", "ffn_mlp");
    const TensorId ready = b.block_rms_norm(x, layer, "pre_ffw_norm_2", "ffn_norm_2");
    TensorId routed = g.rms_norm(x, b.hyperparameters().rms_epsilon);
    routed = g.scale(routed, 1.0F / std::sqrt(static_cast<float>(b.width())));
    routed = g.mul(routed, b.block_vector(layer, "ffn_gate_inp.scale"));
    const Mixture mixture{.activation = Activation::gelu, .logits = router_logits(b, routed, layer)};
    const TensorId out = mixture_of_experts(b, ready, layer, mixture);
    return b.named(g.add(beside, b.block_rms_norm(out, layer, "post_ffw_norm_2", "ffn_moe")),
                   "ffn_moe_combined", layer);
}

// --- gemma3n

/// Several versions of every row, one of which is computed while the others are predicted and corrected.
class Versions {
 public:
    static constexpr std::int64_t kCount = 4;

    explicit Versions(ModelBuilder& builder) : b_(builder), g_(builder.graph()) {}

    TensorId stack(TensorId x) {
        const Shape cube{b_.width(), b_.width(), kCount - 1, 1};
        const TensorId weight = b_.output_weight("altup_proj.weight", cube);
        const TensorId others = g_.mul_mat(weight, g_.repeat(x, {b_.width(), b_.tokens(), kCount - 1, 1}));
        return b_.named(g_.concat(x, as_large_as(others, x), 2), "inp_stacked");
    }

    TensorId predict(TensorId x, std::int32_t layer) {
        const TensorId modalities = route(slice(b_, x, 0), layer);
        const TensorId weight =
            b_.block_weight(layer, "altup_predict_coef.weight", {kCount, kCount * kCount, 1, 1});
        TensorId coefficients = b_.named(g_.mul_mat(weight, modalities), "all_coefs", layer);
        coefficients = g_.reshape(coefficients, {kCount, kCount, b_.tokens(), 1});
        const TensorId by_row = g_.cont(g_.permute(x, {1, 2, 0, 3}));
        const TensorId mixed = g_.cont(g_.permute(g_.mul_mat(by_row, coefficients), {0, 2, 1, 3}));
        return b_.named(g_.add(mixed, x), "predictions", layer);
    }

    TensorId correct(TensorId predictions, TensorId computed, std::int32_t layer) {
        const TensorId modalities = route(computed, layer);
        const TensorId news = b_.named(g_.sub(computed, slice(b_, predictions, 0)), "innovation", layer);
        const TensorId weight = b_.block_weight(layer, "altup_correct_coef.weight", {kCount, kCount, 1, 1});
        TensorId coefficients = g_.scale(g_.mul_mat(weight, modalities), 1.0F, 1.0F);
        coefficients = g_.transpose(b_.named(coefficients, "all_coefs", layer));
        coefficients = g_.cont(coefficients, {1, b_.tokens(), kCount, 1});
        const TensorId repeated = g_.repeat(news, {b_.width(), b_.tokens(), kCount, 1});
        return b_.named(g_.add(g_.mul(repeated, coefficients), predictions), "corrected", layer);
    }

    /// All but the first.
    TensorId rest(TensorId x) {
        const std::int64_t row = b_.width() * kFloat;
        return g_.view_3d(x, b_.width(), b_.tokens(), kCount - 1, row, row * b_.tokens(), row * b_.tokens());
    }

    TensorId merge(TensorId x) {
        const TensorId size = magnitude(slice(b_, x, 0));
        const TensorId others = rest(x);
        const Shape cube{b_.width(), b_.width(), kCount - 1, 1};
        TensorId back = g_.mul_mat(b_.output_weight("altup_unembd_proj.weight", cube), others);
        back = b_.named(g_.div(g_.mul(back, size), magnitude(back)), "altup_unembd");
        TensorId sum = slice(b_, x, 0);
        for (std::int64_t i = 0; i + 1 < kCount; ++i) sum = g_.add(sum, slice(b_, back, i));
        return b_.named(g_.scale(sum, 1.0F / static_cast<float>(kCount)), "unembd_merged");
    }

 private:
    TensorId magnitude(TensorId x) { return g_.sqrt(g_.sum_rows(g_.sqr(x))); }
    TensorId as_large_as(TensorId x, TensorId other) {
        const TensorId size = magnitude(other);
        return g_.div(g_.mul(x, size), magnitude(x));
    }
    TensorId route(TensorId x, std::int32_t layer) {
        const TensorId normed = b_.rms_norm(x, b_.block_vector(layer, "altup_router_norm.weight"), {}, layer);
        const TensorId weight = b_.block_weight(layer, "altup_router.weight", {b_.width(), kCount, 1, 1});
        const TensorId logits = g_.mul_mat(weight, g_.scale(normed, 1.0F / static_cast<float>(b_.width())));
        return b_.named(g_.unary(UnaryKind::tanh, logits), "modalities", layer);
    }

    ModelBuilder& b_;
    GraphBuilder& g_;
};

constexpr std::int32_t kOwnersOfGemma3n = 20;
constexpr std::int32_t kSparseLayers = 10;
/// Deviations above the mean that 5 % of a normal distribution reach.
constexpr float kSparseDeviations = 1.6448533535003662F;

TensorId attention_of_gemma3n(ModelBuilder& b, TensorId x, std::int32_t layer) {
    const Hyperparameters& h = b.hyperparameters();
    const auto l = static_cast<std::size_t>(layer);
    if (layer >= kOwnersOfGemma3n) {
        TensorId q;
        if (b.block_has(layer, "attn_qkv.weight")) {
            const std::int64_t rows = h.q_row(l) + h.k_row(l) + h.v_row(l);
            q = b.named(b.part_rows(b.unscaled_product(x, layer, "attn_qkv", rows), 0, h.q_row(l)), "Qcur",
                        layer);
        } else {
            q = b.unscaled_product(x, layer, "attn_q", h.q_row(l), "Qcur");
        }
        q = b.graph().reshape(q, {h.head_k(l), h.heads[l], b.tokens(), 1});
        q = b.rope(b.head_norm(q, layer, "attn_q_norm", "Qcur_normed"), layer, "Qcur_pos");
        return project_out(b, b.attend_shared(q, layer, owner_of(b, layer, kOwnersOfGemma3n), 1.0F), layer);
    }
    Heads heads = b.heads(x, layer);
    heads.q = b.head_norm(heads.q, layer, "attn_q_norm", "Qcur_normed");
    heads.k = b.head_norm(heads.k, layer, "attn_k_norm", "Kcur_normed");
    heads.v = b.normalise(NormKind::plain_rms, heads.v, {}, {}, "Vcur_normed", layer);
    heads.q = b.rope(heads.q, layer, "Qcur_pos");
    heads.k = b.rope(heads.k, layer, "Kcur_pos");
    return project_out(b, b.attend(heads, layer, {.scale = 1.0F}), layer);
}

TensorId feed_forward_of_gemma3n(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const std::int64_t rows = b.block_rows(layer, "ffn_up.weight");
    const TensorId up = b.project(x, layer, "ffn_up", rows, {}, {});
    TensorId gate = b.project(x, layer, "ffn_gate", rows, {}, {});
    if (layer < kSparseLayers) {
        // Only values far above the mean of their row pass.
        const TensorId mean = g.mean(gate);
        const TensorId squares = g.sum_rows(g.sqr(g.sub(gate, mean)));
        const TensorId deviation = g.sqrt(g.scale(squares, 1.0F / static_cast<float>(rows - 1)));
        const TensorId threshold = g.add(mean, g.scale(deviation, kSparseDeviations));
        gate = g.unary(UnaryKind::relu, g.sub(gate, threshold));
    }
    const TensorId open = g.unary(UnaryKind::gelu, gate);
    return b.project(g.mul(up, open), layer, "ffn_down", b.width(), "ffn_out", "ffn_out");
}

/// A narrow detour beside attention.
TensorId laurel(ModelBuilder& b, TensorId x, std::int32_t layer) {
    const std::int64_t rank = b.block_rows(layer, "laurel_l.weight");
    const TensorId narrow = b.project(x, layer, "laurel_l", rank, {}, {});
    const TensorId wide = b.project(narrow, layer, "laurel_r", b.width(), {}, {});
    const TensorId normed = b.rms_norm(wide, b.block_vector(layer, "laurel_post_norm.weight"), {}, layer);
    return b.named(b.graph().add(normed, x), "laurel_out", layer);
}

/// The norm after the feed-forward; the name of its first step has no layer number.
TensorId feed_norm(ModelBuilder& b, TensorId x, std::int32_t layer) {
    return b.named(b.rms_norm(x, b.block_vector(layer, "post_ffw_norm.weight"), {}, -1), "ffn_post_norm",
                   layer);
}

}  // namespace

ModelGraph gemma4(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    refuse_unused_factors(b);
    const std::int64_t size = b.keys().number_or("embedding_length_per_layer_input", 0);
    const auto shared = b.keys().number_or("attention.shared_kv_layers", 0);
    const auto owners = static_cast<std::int32_t>(b.hyperparameters().shape.layers -
                                                  std::min(shared, b.hyperparameters().shape.layers));
    if (owners < 2) b.keys().refuse("attention.shared_kv_layers", msg::kTooFewCachedLayers);
    TensorId x = scaled_embeddings(b);
    std::optional<LayerEmbeddings> embeddings;
    if (size > 0 && b.has("per_layer_token_embd.weight")) {
        embeddings.emplace(b, size);
        embeddings->project(x);
    }
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const TensorId normed = b.block_rms_norm(x, layer, "attn_norm");
        const TensorId attended = attention_of_gemma4(b, normed, layer, owners);
        const TensorId after = b.block_rms_norm(attended, layer, "post_attention_norm", "attn_post_norm");
        const TensorId input = b.named(g.add(after, x), "attn_out", layer);
        TensorId out;
        if (b.block_has(layer, "ffn_gate_inp.weight"))
            out = sparse_of_gemma4(b, input, layer);
        else
            out = feed_forward(b, b.block_rms_norm(input, layer, "ffn_norm"), layer,
                               {.activation = Activation::gelu});
        x = g.add(feed_norm(b, out, layer), input);
        if (embeddings) {
            b.named(x, "pe_in", layer);
            const TensorId gate = g.unary(UnaryKind::gelu, b.project(x, layer, "inp_gate", size, {}, {}));
            TensorId own = b.project(g.mul(gate, embeddings->of(layer)), layer, "proj", b.width(), {}, {});
            own = b.block_rms_norm(own, layer, "post_norm", "per_layer_embd_out");
            x = g.add(x, own);
        }
        const TensorId scale = b.optional_weight(layer, "layer_output_scale.weight", {1, 1, 1, 1});
        if (scale.valid()) x = g.mul(x, scale);
        b.named(x, "l_out", layer);
    }
    TensorId last = b.final_norm(x);
    b.keep_for_drafts(last);
    last = b.named(b.keep_outputs(last), "result_norm");
    b.keep_embeddings(last);
    return b.finish_with_named_logits(b.cap_output(b.lm_head(last)));
}

ModelGraph gemma3n(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const std::int64_t size = b.rows_of_vector("per_layer_proj_norm.weight");
    TensorId x = scaled_embeddings(b);
    LayerEmbeddings embeddings(b, size);
    embeddings.project(x);
    Versions versions(b);
    x = versions.stack(x);
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const TensorId predictions = versions.predict(x, layer);
        const TensorId active = b.named(slice(b, predictions, 0), "active_prediction", layer);
        const TensorId normed = b.block_rms_norm(active, layer, "attn_norm");
        const TensorId detour = laurel(b, normed, layer);
        const TensorId attended = attention_of_gemma3n(b, normed, layer);
        const TensorId after = b.block_rms_norm(attended, layer, "post_attention_norm", "attn_post_norm");
        const TensorId gated = b.named(g.add(after, active), "attn_gated", layer);
        const TensorId both =
            b.named(g.scale(g.add(gated, detour), 1.0F / std::sqrt(2.0F)), "attn_laurel", layer);
        const TensorId out = feed_forward_of_gemma3n(b, b.block_rms_norm(both, layer, "ffn_norm"), layer);
        const TensorId computed =
            b.named(g.add(feed_norm(b, out, layer), both), "attn_ffw_laurel_gated", layer);
        const TensorId corrected = versions.correct(predictions, computed, layer);
        TensorId first = g.mul(slice(b, corrected, 0), b.block_vector(layer, "altup_correct_scale.weight"));
        first = g.unary(UnaryKind::gelu, b.project(first, layer, "inp_gate", size, {}, {}));
        b.named(first, "first_prediction_gated", layer);
        first = b.named(g.mul(first, embeddings.of(layer)), "first_prediction_scaled", layer);
        first = b.project(first, layer, "proj", b.width(), {}, {});
        first = b.block_rms_norm(first, layer, "post_norm", "first_prediction_out");
        const TensorId unchanged = slice(b, corrected, 0);
        const TensorId others = g.add(versions.rest(corrected), first);
        x = b.named(g.concat(unchanged, others, 2), "l_out", layer);
    }
    return b.finish_with_logits(b.keep_outputs(versions.merge(x)));
}

}  // namespace splitscope::graphs
