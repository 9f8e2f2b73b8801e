// SPDX-License-Identifier: MIT
// Decoders of audio tokens: convolutions over all tokens of the batch instead of attention to a cache.
#include <cmath>

#include <fmt/format.h>

#include "engine/models/messages.hpp"
#include "engine/models/model_builder.hpp"

namespace splitscope::graphs {
namespace {

/// Between the blocks, positions are the first dimension: [tokens, channels].
class WavTokenizer {
 public:
    explicit WavTokenizer(ModelBuilder& builder)
        : b_(builder),
          g_(builder.graph()),
          channels_(b_.keys().required("posnet.embedding_length")),
          groups_(static_cast<std::int32_t>(b_.keys().required("attention.group_norm_groups"))),
          group_epsilon_(b_.keys().decimal("attention.group_norm_epsilon", 0.0F)) {
        if (b_.keys().required("convnext.embedding_length") != channels_)
            b_.keys().refuse("convnext.embedding_length", msg::kWidthsDiffer(channels_));
        if (channels_ % groups_ != 0)
            b_.keys().refuse("attention.group_norm_groups", msg::kGroupsOfChannels(channels_));
    }

    ModelGraph build() {
        TensorId x = transposed(b_.embed_tokens());
        x = convolved(x, "conv1d", 0, kInputTaps, b_.width());
        const std::int32_t position_blocks = blocks("posnet.block_count");
        if (position_blocks > kPositionBlocks)
            b_.keys().refuse("posnet.block_count", msg::kMoreThan(position_blocks, kPositionBlocks));
        for (std::int32_t block = 0; block < position_blocks; ++block) x = position_block(x, block);
        const Shape row{channels_, 1, 1, 1};
        x = transposed(x);
        x = b_.layer_norm(x, b_.weight(0, "token_embd_norm.weight", row),
                          b_.weight(0, "token_embd_norm.bias", row), {}, 0);
        x = transposed(x);
        const std::int32_t count = blocks("convnext.block_count");
        for (std::int32_t block = 0; block < count; ++block) x = conv_next(x, block);
        x = transposed(x);
        x = b_.layer_norm(x, b_.output_weight("output_norm.weight", row),
                          b_.output_weight("output_norm.bias", row), {}, -1);
        const std::int64_t features = b_.keys().required("embedding_length");
        x = b_.scaled_output(g_.mul_mat(b_.output_weight("output.weight", {channels_, features, 1, 1}), x));
        x = g_.add(x, b_.output_weight("output.bias", {features, 1, 1, 1}));
        return b_.finish_with_embeddings(x);
    }

 private:
    static constexpr std::int32_t kPositionBlocks = 6;
    static constexpr std::int32_t kAttentionBlock = 2;
    static constexpr std::int32_t kNormBlock = 5;
    static constexpr std::int64_t kInputTaps = 7;
    static constexpr std::int64_t kResidualTaps = 3;

    std::int32_t blocks(std::string_view key) const {
        const std::uint32_t count = b_.keys().required(key);
        const std::uint32_t most = b_.hyperparameters().shape.layers;
        if (count > most) b_.keys().refuse(key, msg::kMoreThan(count, most));
        return static_cast<std::int32_t>(count);
    }
    TensorId transposed(TensorId x) { return g_.cont(g_.transpose(x)); }
    TensorId column(const std::string& name, std::int32_t block) {
        return b_.weight(block, name, {1, channels_, 1, 1});
    }
    TensorId convolved(TensorId x, const std::string& part, std::int32_t block, std::int64_t taps,
                       std::int64_t inputs) {
        const TensorId kernel = b_.weight(block, part + ".weight", {taps, inputs, channels_, 1});
        const TensorId columns = g_.im2col_1d(kernel, x);
        const Tensor all = g_[columns];
        const TensorId product = g_.mul_mat(g_.reshape(columns, {all.ne[0], all.ne[1] * all.ne[2], 1, 1}),
                                            g_.reshape(kernel, {taps * inputs, channels_, 1, 1}));
        const TensorId rows = g_.reshape(product, {all.ne[1], channels_, all.ne[2], 1});
        return g_.add(rows, column(part + ".bias", block));
    }
    /// One kernel per channel.
    TensorId convolved_depthwise(TensorId x, const std::string& part, std::int32_t block) {
        const TensorId kernel = b_.weight(block, part + ".weight", {kInputTaps, 1, channels_, 1});
        const Tensor in = g_[x];
        const TensorId columns = g_.im2col_1d(kernel, g_.reshape(x, {in.ne[0], 1, in.ne[1], in.ne[2]}));
        const TensorId product = g_.mul_mat(columns, kernel);
        const Tensor all = g_[product];
        const TensorId rows = g_.reshape(product, {all.ne[0], all.ne[2], 1, 1});
        return g_.add(rows, column(part + ".bias", block));
    }
    TensorId group_norm(TensorId x, const std::string& part, std::int32_t block) {
        const Tensor in = g_[x];
        TensorId out = g_.group_norm(g_.reshape(x, {in.ne[0], 1, in.ne[1], 1}), groups_, group_epsilon_);
        // llama.cpp gives all of them the number of the first layer.
        out = b_.named(g_.reshape(out, {in.ne[0], in.ne[1], 1, 1}), "norm", 0);
        out = b_.named(g_.mul(out, column(part + ".weight", block)), "norm_w", 0);
        return g_.add(out, column(part + ".bias", block));
    }
    TensorId swish(TensorId x) { return g_.mul(g_.unary(UnaryKind::sigmoid, x), x); }

    TensorId position_block(TensorId x, std::int32_t block) {
        const std::string prefix = fmt::format("posnet.{}.", block);
        if (block == kNormBlock) return group_norm(x, prefix + "attn_norm", block);
        if (block == kAttentionBlock) return g_.add(attended(x, prefix, block), x);
        TensorId inner = swish(group_norm(x, prefix + "norm1", block));
        inner = convolved(inner, prefix + "conv1", block, kResidualTaps, channels_);
        inner = swish(group_norm(inner, prefix + "norm2", block));
        inner = convolved(inner, prefix + "conv2", block, kResidualTaps, channels_);
        return g_.add(inner, x);
    }
    /// One head over all tokens of the batch.
    TensorId attended(TensorId x, const std::string& prefix, std::int32_t block) {
        x = group_norm(x, prefix + "attn_norm", block);
        const TensorId q = transposed(convolved(x, prefix + "attn_q", block, 1, channels_));
        const TensorId k = transposed(convolved(x, prefix + "attn_k", block, 1, channels_));
        const TensorId v = convolved(x, prefix + "attn_v", block, 1, channels_);
        const float scale = 1.0F / std::sqrt(static_cast<float>(channels_));
        const TensorId scores = g_.soft_max(g_.mul_mat(k, q), {}, scale);
        return convolved(g_.mul_mat(scores, v), prefix + "attn_output", block, 1, channels_);
    }
    TensorId conv_next(TensorId x, std::int32_t block) {
        const std::string prefix = fmt::format("convnext.{}.", block);
        const Shape row{channels_, 1, 1, 1};
        const std::int64_t hidden = b_.keys().required("feed_forward_length");
        const auto vector = [&](std::string_view part) {
            return b_.weight(block, fmt::format("{}{}", prefix, part), row);
        };
        TensorId inner = transposed(convolved_depthwise(x, prefix + "dw", block));
        inner = b_.layer_norm(inner, vector("norm.weight"), vector("norm.bias"), {}, -1);
        inner = g_.mul_mat(b_.weight(block, prefix + "pw1.weight", {channels_, hidden, 1, 1}), inner);
        b_.named(inner, "ffn_up", block);
        inner = g_.add(inner, b_.weight(block, prefix + "pw1.bias", {hidden, 1, 1, 1}));
        b_.named(inner, "ffn_up_b", block);
        inner = b_.named(g_.unary(UnaryKind::gelu, inner), "ffn_gelu", block);
        inner = g_.mul_mat(b_.weight(block, prefix + "pw2.weight", {hidden, channels_, 1, 1}), inner);
        b_.named(inner, "ffn_down", block);
        inner = g_.mul(g_.add(inner, vector("pw2.bias")), vector("gamma.weight"));
        return g_.add(transposed(inner), x);
    }

    ModelBuilder& b_;
    GraphBuilder& g_;
    std::int64_t channels_;
    std::int32_t groups_;
    float group_epsilon_;
};

}  // namespace

ModelGraph wavtokenizer(ModelBuilder& b) {
    return WavTokenizer(b).build();
}

}  // namespace splitscope::graphs
