// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string_view>

#include "engine/models/feed_forward.hpp"
#include "engine/models/model_builder.hpp"

namespace splitscope {

/// Self-attention with one input and one output projection.
struct SelfAttention {
    bool rope = true;
    bool rope_factors = false;  ///< frequencies are multiplied by factors where the file has them
    bool head_norms = false;    ///< queries and keys are normalised before their rotation
    NormKind head_norm_kind = NormKind::rms;
    bool norms_after_rope = false;
    bool whole_row_norms = false;     ///< one norm for all heads of a token
    bool norm_per_head = false;       ///< each head of a token has its own weights
    bool norms_before_split = false;  ///< the same before rows are split into heads
    std::string_view q_norm_name = "Qcur_normed";
    std::string_view k_norm_name = "Kcur_normed";
    std::string_view q_rope_name = "Qcur";
    std::string_view k_rope_name = "Kcur";
    std::string_view v_name = "Vcur";
    /// Scale of the scores; 0 = 1/√(head size).
    float scale = 0.0F;
    bool scales_query = false;  ///< queries are scaled instead of scores
    std::string_view scaled_name = "Qcur";
    float clamp = 0.0F;
    std::string_view product_name = "wqkv";  ///< name of the combined query-key-value product
    std::string_view sinks = {};             ///< name of the block's weight of attention sinks
    std::string_view name = {};              ///< of the result
    bool full_precision = false;             ///< the output projection is computed in F32
    std::string_view output_part = "attn_output";
    bool output_bias = true;            ///< whether the output projection adds its bias
    std::string_view output_norm = {};  ///< norm before the output projection
};

/// Token embeddings multiplied by the root of their width, "inp_scaled".
TensorId scaled_embeddings(ModelBuilder& builder);
/// "Qcur", "Kcur", "Vcur", normalised and rotated according to the options.
Heads rotated_heads(ModelBuilder& builder, TensorId x, std::int32_t layer, const SelfAttention& options = {});
/// The output projection after attention, with its bias if `biased`; the result is named `name`.
TensorId project_out(ModelBuilder& builder, TensorId x, std::int32_t layer, std::string_view name = {},
                     bool full_precision = false, std::string_view part = "attn_output", bool biased = true);
TensorId self_attention(ModelBuilder& builder, TensorId x, std::int32_t layer,
                        const SelfAttention& options = {});

/// Dense feed-forward in the leading layers; experts, optionally with a shared expert, in the others.
struct SparseFeedForward {
    Mixture mixture = {};
    bool shared = true;  ///< adds a shared expert
    FeedForward beside = shared_expert();
    std::string_view sum_name = "ffn_out";
    FeedForward dense = {};
    bool by_router = false;  ///< layers without a router are dense, instead of the leading ones
};
TensorId sparse_feed_forward(ModelBuilder& builder, TensorId x, std::int32_t layer,
                             const SparseFeedForward& options);

/// The attention or the feed-forward of a block.
using Sublayer = std::function<TensorId(TensorId x, std::int32_t layer)>;

/// The standard block: norm, attention, sum, norm, feed-forward, sum.
struct Decoder {
    NormKind norm = NormKind::rms;
    std::string_view attention_norm = "attn_norm";
    std::string_view attention_norm_name = {};  ///< empty: the name of the part
    std::string_view ffn_norm = "ffn_norm";
    std::string_view ffn_norm_name = {};
    std::string_view sum_name = "ffn_inp";
    std::string_view end_name = "l_out";
    /// Norms after each sublayer; the names of their weights.
    std::string_view attention_post_norm = {};
    std::string_view attention_post_name = "attn_post_norm";
    std::string_view ffn_post_norm = {};
    std::string_view ffn_post_name = "ffn_post_norm";
    std::string_view post_norm_suffix = ".weight";
    bool ffn_post_numbered = true;        ///< its steps carry the number of the layer
    float residual_scale = 0.0F;          ///< factor of the sublayers' results; 0 = none
    std::string_view attended_name = {};  ///< alternative name of the attention result
    bool input_first = false;             ///< the block's input is the first operand of the middle sum
    bool sum_first = false;               ///< the middle sum is the first operand of the final sum
    /// Keeps the rows that are not outputs in the last layer.
    bool keeps_all_rows = false;
    bool outputs_after_norm = false;  ///< rows are dropped after the norm of the first sublayer, not before
};

/// Applies one such block, or all blocks, to `x`.
TensorId decoder_block(ModelBuilder& builder, TensorId x, std::int32_t layer, const Sublayer& attention,
                       const Sublayer& feed_forward, const Decoder& options = {});
TensorId decoder(ModelBuilder& builder, TensorId x, const Sublayer& attention, const Sublayer& feed_forward,
                 const Decoder& options = {});

/// A complete model of such blocks.
ModelGraph dense_model(ModelBuilder& builder, const SelfAttention& attention, const FeedForward& feed = {},
                       const Decoder& options = {});
ModelGraph sparse_model(ModelBuilder& builder, const SelfAttention& attention, const SparseFeedForward& feed,
                        const Decoder& options = {});

}  // namespace splitscope
