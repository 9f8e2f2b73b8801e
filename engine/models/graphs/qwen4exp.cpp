// SPDX-License-Identifier: MIT
// Qwen 4 (experimental): gated residual streams around gated delta rules, attention to the best blocks of
// cells, experts, and embeddings of n-grams in one block.

#include "engine/models/gated_streams.hpp"
#include "engine/models/graphs/delta_net.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/ngram_embeddings.hpp"
#include "engine/models/pooled_blocks.hpp"

namespace splitscope::graphs {

ModelGraph qwen4exp(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const Keys& keys = b.keys();
    const auto layers = b.hyperparameters().shape.layers;
    const TensorId embedded = b.named(b.embed_tokens(), "model.input_embed");
    RecurrentStates states(b);
    GatedStreams streams(b);
    NgramEmbeddings ngrams(b);
    ngrams.embed();
    if (!keys.has("attention.recurrent_layers") && keys.has("full_attention_interval"))
        keys.required("full_attention_interval");  // not 0
    const std::vector<bool> recurrent = recurrent_blocks(b);
    auto blocks = keys.per_layer("attention.compress_ratios", layers, std::vector<std::uint32_t>(layers, 0));
    for (std::size_t l = 0; l < blocks.size(); ++l)
        if (recurrent[l]) blocks[l] = 0;
    require_few_parts(keys, blocks);
    // Whatever the keys say.
    const Mixture mixture{.routing = Routing::softmax, .normalise = true, .selection_bias = {}};
    TensorId x = streams.begin(embedded);
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const auto l = static_cast<std::size_t>(layer);
        if (ngrams.are_of(layer)) {
            if (!recurrent[l]) keys.refuse("ple.layers", msg::kNotRecurrent(layer));
            x = ngrams.add_to(x, states);
        }
        GatedStreams::Read in = streams.read(x, layer, "hc_attn");
        g.expand(in.mixed);
        TensorId out;
        if (recurrent[l]) {
            out = delta_attention(states, in.mixed, layer, DeltaForm::qwen4exp);
        } else {
            const TensorId chosen =
                blocks[l] > 0 ? cells_of_best_blocks(b, in.mixed, layer, blocks[l]) : TensorId{};
            // Throws for fused QKV weights, which llama.cpp's graph does not read.
            b.block_rows(layer, "attn_q.weight");
            out = gated_attention(b, in.mixed, layer, false, chosen);
        }
        if (b.is_last(layer)) {
            out = b.keep_outputs(out);
            in.weights = b.keep_outputs(in.weights);
            x = streams.keep_outputs(x);
        }
        x = streams.write(x, out, in.weights, layer);
        in = streams.read(x, layer, "hc_ffn");
        out = b.named(gated_experts(b, in.mixed, layer, mixture), "ffn_out", layer);
        x = b.named(streams.write(x, out, in.weights, layer), "l_last", layer);
    }
    const TensorId last = b.named(streams.end(x), "result_norm");
    b.keep_embeddings(last);
    return b.finish_with_named_logits(b.lm_head(last));
}

}  // namespace splitscope::graphs
