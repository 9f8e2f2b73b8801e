// SPDX-License-Identifier: MIT
// Norms before and after both halves of a block, scaled embeddings, GEGLU, sliding windows in most layers.
#include <cmath>

#include "engine/models/pages/pages.hpp"

namespace splitscope::pages {
namespace {

/// The 27B models, told by their layers, scale queries by the width per head instead of the head's size.
float query_scale(const Hyperparameters& h, std::uint32_t layers_of_largest) {
    const bool largest = h.shape.layers == layers_of_largest;
    const std::uint32_t size = largest ? h.shape.embedding / h.shape.heads : h.head_dim_k;
    return 1.0F / std::sqrt(static_cast<float>(size));
}

TensorId scaled_embeddings(ModelBuilder& b) {
    const float scale = std::sqrt(static_cast<float>(b.width()));
    return b.named(b.graph().scale(b.embed_tokens(), scale), "inp_scaled");
}

constexpr Decoder kFourNorms{.sum_name = "sa_out",
                             .attention_post_norm = "post_attention_norm",
                             .ffn_post_norm = "post_ffw_norm",
                             .ffn_post_numbered = false};

ModelGraph with_four_norms(ModelBuilder& b, const SelfAttention& attention, bool numbered) {
    const auto attend = [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, attention); };
    const auto feed = [&](TensorId in, std::int32_t l) {
        return feed_forward(b, in, l, {.activation = Activation::gelu});
    };
    TensorId x = scaled_embeddings(b);
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        x = decoder_block(b, x, layer, attend, feed, kFourNorms);
        // The norm's own step has no number, its product has.
        if (numbered) b.named(b.graph()[x].src[0], "ffn_post_norm", layer);
    }
    return b.finish_with_logits(x);
}

}  // namespace

ModelGraph gemma2(ModelBuilder& b) {
    return with_four_norms(
        b, {.scale = query_scale(b.hyperparameters(), 46), .scales_query = true, .scaled_name = {}}, false);
}

ModelGraph gemma3(ModelBuilder& b) {
    return with_four_norms(b,
                           {.head_norms = true,
                            .scale = query_scale(b.hyperparameters(), 62),
                            .scales_query = true,
                            .scaled_name = {}},
                           true);
}

}  // namespace splitscope::pages
