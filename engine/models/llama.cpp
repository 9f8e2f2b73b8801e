// SPDX-License-Identifier: MIT
#include "engine/models/llama.hpp"

#include <cmath>

#include <fmt/format.h>

#include "engine/models/model_builder.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

class LlamaBuilder {
 public:
    LlamaBuilder(const GgufFile& file, const Hyperparameters& h, const ModelGraphOptions& options,
                 const ModelPlacement& placement, std::string name)
        : file_(file), h_(h), b_(file, h, options, placement, std::move(name)) {}

    ModelGraph build() {
        const auto layers = static_cast<std::int32_t>(h_.shape.layers);
        TensorId x = b_.embed_tokens();
        for (std::int32_t layer = 0; layer < layers; ++layer) x = block(x, layer, layer + 1 == layers);
        const std::int64_t width = h_.shape.embedding;
        const TensorId last =
            b_.rms_norm(x, b_.output_weight("output_norm.weight", {width, 1, 1, 1}), "norm", -1);
        b_.named(last, "result_norm");
        b_.graph().add_flag(last, TensorFlags::output);
        // Without a separate head the token embeddings serve as one.
        const std::string head = b_.has("output.weight") ? "output.weight" : "token_embd.weight";
        const TensorId weight = b_.output_weight(head, {width, h_.shape.vocabulary, 1, 1});
        return b_.finish(b_.named(b_.linear(weight, last), "result_output"));
    }

 private:
    /// A product with a weight, and its bias if the file has one.
    TensorId project(std::int32_t layer, const std::string& part, std::int64_t in, std::int64_t out,
                     TensorId x) {
        const TensorId y = b_.linear(b_.block_weight(layer, part + ".weight", {in, out, 1, 1}), x);
        if (!b_.has(b_.block_name(layer, part + ".bias"))) return y;
        return b_.graph().add(y, b_.block_weight(layer, part + ".bias", {out, 1, 1, 1}));
    }

    TensorId heads(TensorId x, std::int64_t dim, std::int64_t count, std::string_view name,
                   std::int32_t layer) {
        b_.named(x, name, layer);
        return b_.named(b_.graph().reshape(x, {dim, count, b_.tokens(), 1}), name, layer);
    }

    TensorId block(TensorId x, std::int32_t layer, bool last) {
        GraphBuilder& g = b_.graph();
        const auto l = static_cast<std::size_t>(layer);
        const std::int64_t width = h_.shape.embedding;
        const std::int64_t dim = h_.head_dim_k;
        const TensorId normed =
            b_.rms_norm(x, b_.block_weight(layer, "attn_norm.weight", {width, 1, 1, 1}), "attn_norm", layer);

        TensorId frequencies;
        if (b_.has("rope_freqs.weight")) {
            frequencies = b_.weight(layer, "rope_freqs.weight", {h_.rope.dims / 2, 1, 1, 1});
        }
        TensorId q = heads(project(layer, "attn_q", width, dim * h_.heads[l], normed), dim, h_.heads[l],
                           "Qcur", layer);
        TensorId k =
            heads(project(layer, "attn_k", width, h_.k_row(l), normed), dim, h_.kv_heads[l], "Kcur", layer);
        const TensorId v = heads(project(layer, "attn_v", width, h_.v_row(l), normed), h_.head_dim_v,
                                 h_.kv_heads[l], "Vcur", layer);
        q = b_.named(g.rope(q, b_.positions(), frequencies, h_.rope), "Qcur", layer);
        k = b_.named(g.rope(k, b_.positions(), frequencies, h_.rope), "Kcur", layer);
        const TensorId mixed = b_.attend(q, k, v, layer, 1.0F / std::sqrt(static_cast<float>(dim)));
        TensorId attended =
            b_.named(project(layer, "attn_output", std::int64_t{h_.head_dim_v} * h_.heads[l], width, mixed),
                     "attn_out", layer);
        TensorId residual = x;
        if (last) {
            attended = g.get_rows(attended, b_.output_rows());
            residual = g.get_rows(residual, b_.output_rows());
        }
        const TensorId input = b_.named(g.add(attended, residual), "ffn_inp", layer);
        const TensorId output = feed_forward(input, layer);
        return b_.named(g.add(output, input), "l_out", layer);
    }

    TensorId feed_forward(TensorId input, std::int32_t layer) {
        GraphBuilder& g = b_.graph();
        const std::int64_t width = h_.shape.embedding;
        const TensorId normed = b_.rms_norm(
            input, b_.block_weight(layer, "ffn_norm.weight", {width, 1, 1, 1}), "ffn_norm", layer);
        const std::int64_t hidden = hidden_width(layer);
        const TensorId up = b_.named(project(layer, "ffn_up", width, hidden, normed), "ffn_up", layer);
        const TensorId gate = b_.named(project(layer, "ffn_gate", width, hidden, normed), "ffn_gate", layer);
        const TensorId gated = b_.named(g.glu(GluKind::swiglu, gate, up), "ffn_swiglu", layer);
        return b_.named(project(layer, "ffn_down", hidden, width, gated), "ffn_out", layer);
    }

    std::int64_t hidden_width(std::int32_t layer) const {
        const auto found = file_.find_tensor(b_.block_name(layer, "ffn_up.weight"));
        return found ? file_.tensors()[*found].ne[1] : 0;
    }

    const GgufFile& file_;
    const Hyperparameters& h_;
    ModelBuilder b_;
};

}  // namespace

ModelGraph build_llama(const GgufFile& file, const Hyperparameters& h, const ModelGraphOptions& options,
                       const ModelPlacement& placement) {
    if (h.experts > 0) {
        throw Error(ErrorKind::unsupported,
                    fmt::format("a mixture of {} experts cannot be built yet", h.experts),
                    file.path().string(), "open a dense llama model, or a captured graph of this one");
    }
    return LlamaBuilder(file, h, options, placement,
                        options.tokens == 1 ? "llama decode, 1 token"
                                            : fmt::format("llama prefill, {} tokens", options.tokens))
        .build();
}

}  // namespace splitscope
