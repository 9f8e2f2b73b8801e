// SPDX-License-Identifier: MIT
// Residuals of several parallel streams: each sublayer of a block reads a mixture of them and adds its result
// to all of them; both use weights computed from the streams.
#include <cmath>

#include "engine/models/decoder.hpp"
#include "engine/models/weighted_streams.hpp"

namespace splitscope::graphs {
namespace {

class Streams : public WeightedStreams {
 public:
    explicit Streams(ModelBuilder& b)
        : WeightedStreams(b), magnitude_(b.keys().decimal("hyper_connection.magnitude", 1.0F)) {}

    /// The input of a half, and the weights of its result for each stream.
    struct Read {
        TensorId mixed;
        TensorId weights;
    };
    Read read(TensorId x, std::int32_t layer, std::string_view part) {
        const TensorId product =
            mixes(x, weight(layer, part, "fn", {count_ * b_.width(), 2 * count_, 1, 1}), "hc_mixes", layer);
        const TensorId scale = weight(layer, part, "scale", {2, 1, 1, 1});
        const TensorId base = weight(layer, part, "base", {2 * count_, 1, 1, 1});
        const auto gate = [&](std::int64_t which) {
            return g_.unary(UnaryKind::sigmoid, scaled_mixes(product, scale, base, which, count_));
        };
        const TensorId in = b_.named(g_.scale(gate(0), 1.0F, epsilon_), "hc_pre", layer);
        const TensorId out = g_.scale(g_.scale(gate(1), magnitude_), 1.0F, epsilon_);
        b_.named(out, "hc_post_gate", layer);
        return {sum_in_f32(x, in), out};
    }

    /// `result` added to all streams `x`.
    TensorId write(TensorId x, TensorId result, TensorId weights) {
        const TensorId added = g_.cast(result, ElementType::f32);
        const TensorId by_stream = g_.cast(weights, ElementType::f32);
        const TensorId before = g_.cast(x, ElementType::f32);
        TensorId all;
        for (std::int64_t i = 0; i < count_; ++i)
            all = joined(all, g_.add(stream(before, i), g_.mul(added, weight_of(by_stream, i))));
        return g_.cast(all, g_[x].type);
    }

    /// The output rows, as one stream.
    TensorId end(TensorId x) {
        x = keep_outputs(x);
        return b_.named(sum_in_f32(x, output_weights(x)), "hc_head");
    }

 private:
    TensorId sum_in_f32(TensorId x, TensorId weights) {
        return g_.cast(weighted_sum(g_.cast(x, ElementType::f32), weights), g_[x].type);
    }

    float magnitude_;
};

/// The best cells for each token, or none if the file has no such attention.
TensorId chosen_cells(ModelBuilder& b, TensorId x, TensorId low, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const std::int64_t heads = b.keys().required("attention.indexer.head_count");
    const std::int64_t size = b.keys().required("attention.indexer.key_length");
    RopeParameters rope = b.rope_parameters(layer);
    rope.first = static_cast<std::int32_t>(size) - rope.dims;
    const auto turned = [&](TensorId rows, std::int64_t count, std::string_view name) {
        return b.rope_with(rope, g.reshape(rows, {size, count, b.tokens(), 1}), layer, name);
    };
    ModelBuilder::Indexer indexer;
    indexer.q = turned(b.project(low, layer, "indexer.attn_q_b", size * heads, {}, {}), heads, "indexer_q");
    const TensorId key = b.project(x, layer, "indexer.attn_k", size, {}, {});
    indexer.k = turned(b.block_norm(NormKind::layer, key, layer, "indexer.k_norm", kUnnamed), 1, "indexer_k");
    indexer.count = b.keys().required("attention.indexer.top_k");
    indexer.names_weights = false;
    return b.top_cells(
        indexer, [&] { return b.project(x, layer, "indexer.proj", heads, {}, {}); }, layer);
}

/// Latent attention over chosen cells, with sinks and a gate per element. Layers that do not choose reuse the
/// cells of the previous one.
TensorId gated_latent_attention(ModelBuilder& b, TensorId x, std::int32_t layer, bool chooses,
                                TensorId& chosen) {
    GraphBuilder& g = b.graph();
    const std::int64_t heads = b.hyperparameters().heads[static_cast<std::size_t>(layer)];
    const std::int64_t whole = b.keys().required("attention.key_length_mla");
    const std::int64_t value = b.keys().required("attention.value_length_mla");
    const std::int64_t rank = b.keys().required("attention.kv_lora_rank");
    const std::int64_t turned = b.hyperparameters().rope.dims;
    const std::int64_t own = whole - turned;
    const std::int64_t tokens = b.tokens();
    const std::int64_t low_rank = b.block_rows(layer, "attn_q_a.weight");
    const TensorId low =
        b.rms_norm(b.project(x, layer, "attn_q_a", low_rank, {}, {}),
                   b.block_weight(layer, "attn_q_a_norm.weight", {low_rank, 1, 1, 1}), {}, layer);
    if (chooses) chosen = chosen_cells(b, x, low, layer);
    const TensorId q = b.project(low, layer, "attn_q_b", whole * heads, {}, {});
    const std::int64_t row = whole * kFloat;
    const TensorId own_query = g.view_3d(q, own, heads, tokens, row, row * heads, 0);
    const TensorId shared_query = g.view_3d(q, turned, heads, tokens, row, row * heads, own * kFloat);
    const TensorId both = b.project(x, layer, "attn_kv_a_mqa", rank + turned, {}, {});
    const std::int64_t both_row = (rank + turned) * kFloat;
    const TensorId shared_key = g.view_3d(both, turned, 1, tokens, both_row, both_row, rank * kFloat);
    const TensorId normed =
        b.block_rms_norm(g.view_2d(both, rank, tokens, both_row, 0), layer, "attn_kv_a_norm", "kv_cmpr");
    const TensorId absorbed = g.mul_mat(b.block_weight(layer, "attn_k_b.weight", {own, rank, heads, 1}),
                                        g.permute(own_query, {0, 2, 1, 3}));
    const TensorId query =
        g.concat(g.permute(absorbed, {0, 2, 1, 3}), b.rope(shared_query, layer, "q_pe"), 0);
    const TensorId latent = g.reshape(normed, {rank, 1, tokens, 1});
    const TensorId key = g.concat(latent, b.rope(shared_key, layer, "k_pe"), 0);
    AttendOptions options;
    options.scale = 1.0F / std::sqrt(static_cast<float>(whole));
    options.widen = b.block_weight(layer, "attn_v_b.weight", {rank, value, heads, 1});
    options.sinks = b.optional_weight(layer, "attn_sinks.weight", {heads, 1, 1, 1});
    options.chosen = chosen;
    const TensorId mixed = b.named(b.attend_latent({query, key, latent}, layer, options), "attn_kqv", layer);
    const TensorId gate = b.project(x, layer, "attn_gate", value * heads, {}, {});
    const TensorId gated = b.named(g.mul(mixed, g.unary(UnaryKind::sigmoid, gate)), "attn_gated", layer);
    return project_out(b, gated, layer, "attn_out");
}

}  // namespace

ModelGraph hy_v4(ModelBuilder& b) {
    Streams streams(b);
    SparseFeedForward sparse{.mixture = mixture_of_keys(b)};
    sparse.mixture.limits = {.key = "swiglu_clamp_exp", .fused = true};
    const bool indexed = b.keys().number_or("attention.indexer.top_k", 0) > 0;
    const auto chooses = b.keys().per_layer("attention.indexer.types", b.hyperparameters().shape.layers, {});
    TensorId chosen;
    TensorId x = streams.begin(b.embed_tokens());
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const auto l = static_cast<std::size_t>(layer);
        const Streams::Read first = streams.read(x, layer, "hc_attn");
        const TensorId ready = b.block_rms_norm(first.mixed, layer, "attn_norm");
        const TensorId attended =
            gated_latent_attention(b, ready, layer, indexed && (chooses.empty() || chooses[l] != 0), chosen);
        x = b.named(streams.write(x, attended, first.weights), "hc_attn_out", layer);
        const Streams::Read second = streams.read(x, layer, "hc_ffn");
        const TensorId fed =
            sparse_feed_forward(b, b.block_rms_norm(second.mixed, layer, "ffn_norm"), layer, sparse);
        x = b.named(streams.write(x, fed, second.weights), "l_out", layer);
    }
    return b.finish_with_logits(streams.end(x));
}

}  // namespace splitscope::graphs
