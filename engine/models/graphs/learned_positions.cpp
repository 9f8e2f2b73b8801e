// SPDX-License-Identifier: MIT
// Learned position embeddings, layer norms with biases, a combined QKV product, GELU.
#include "engine/models/decoder.hpp"

namespace splitscope::graphs {

ModelGraph gpt2(ModelBuilder& b) {
    const TensorId tokens = b.embed_tokens();
    const TensorId x = decoder(
        b, b.named(b.graph().add(tokens, b.embed_positions()), "inpL"),
        [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, {.rope = false}); },
        [&](TensorId in, std::int32_t l) {
            return feed_forward(b, in, l, {.activation = Activation::gelu, .gated = false});
        },
        {.norm = NormKind::layer});
    return b.finish_with_logits(x, NormKind::layer);
}

}  // namespace splitscope::graphs
