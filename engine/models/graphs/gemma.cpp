// SPDX-License-Identifier: MIT
// Norms before and after both sublayers of a block, scaled embeddings, GEGLU, sliding windows in most layers.
#include <cmath>

#include "engine/models/decoder.hpp"

namespace splitscope::graphs {
namespace {

/// The 27B models, recognised by their number of layers, scale queries by the width per head instead of the
/// head's size.
float query_scale(const Hyperparameters& h, std::uint32_t layers_of_largest) {
    const bool largest = h.shape.layers == layers_of_largest;
    const std::uint32_t size = largest ? h.shape.embedding / h.shape.heads : h.head_dim_k;
    return 1.0F / std::sqrt(static_cast<float>(size));
}

constexpr Decoder kFourNorms{.sum_name = "sa_out",
                             .attention_post_norm = "post_attention_norm",
                             .ffn_post_norm = "post_ffw_norm",
                             .ffn_post_numbered = false};

TensorId with_four_norms(ModelBuilder& b, const SelfAttention& attention, bool numbered) {
    const auto attend = [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, attention); };
    const auto feed = [&](TensorId in, std::int32_t l) {
        return feed_forward(b, in, l, {.activation = Activation::gelu});
    };
    TensorId x = scaled_embeddings(b);
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        x = decoder_block(b, x, layer, attend, feed, kFourNorms);
        // The name of the norm's own step has no layer number, that of its product has one.
        if (numbered) b.named(b.graph()[x].src[0], "ffn_post_norm", layer);
    }
    return x;
}

}  // namespace

ModelGraph gemma(ModelBuilder& b) {
    const SelfAttention attention{.scales_query = true, .scaled_name = "Qcur_scaled"};
    const TensorId x = decoder(
        b, scaled_embeddings(b),
        [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, attention); },
        [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l, {.activation = Activation::gelu}); },
        {.sum_name = "sa_out"});
    return b.finish_with_logits(x);
}

ModelGraph gemma_embedding(ModelBuilder& b) {
    const SelfAttention attention{.head_norms = true,
                                  .scale = query_scale(b.hyperparameters(), 0),
                                  .scales_query = true,
                                  .scaled_name = {}};
    return b.finish_with_embeddings(b.final_norm(with_four_norms(b, attention, false)), "result_norm");
}

ModelGraph gemma2(ModelBuilder& b) {
    const SelfAttention attention{
        .scale = query_scale(b.hyperparameters(), 46), .scales_query = true, .scaled_name = {}};
    return b.finish_with_logits(with_four_norms(b, attention, false));
}

ModelGraph gemma3(ModelBuilder& b) {
    const SelfAttention attention{.head_norms = true,
                                  .scale = query_scale(b.hyperparameters(), 62),
                                  .scales_query = true,
                                  .scaled_name = {}};
    return b.finish_with_logits(with_four_norms(b, attention, true));
}

}  // namespace splitscope::graphs
