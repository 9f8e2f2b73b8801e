// SPDX-License-Identifier: MIT
// Blocks of a convolution over the last few tokens and a selective state space.
#include "engine/models/model_builder.hpp"
#include "engine/models/recurrent.hpp"

namespace splitscope::graphs {
namespace {

using Layer = TensorId(RecurrentStates& states, TensorId x, std::int32_t layer);

ModelGraph state_spaces(ModelBuilder& b, Layer& space) {
    GraphBuilder& g = b.graph();
    TensorId x = b.embed_tokens();
    RecurrentStates states(b);
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        TensorId out = space(states, b.block_rms_norm(x, layer, "attn_norm"), layer);
        b.keep_outputs_of_last(layer, out, x);
        x = b.named(g.add(out, x), "l_out", layer);
    }
    return b.finish_with_logits(x);
}

}  // namespace

ModelGraph mamba(ModelBuilder& b) {
    return state_spaces(b, mamba_layer);
}

ModelGraph mamba2(ModelBuilder& b) {
    return state_spaces(b, mamba2_layer);
}

}  // namespace splitscope::graphs
