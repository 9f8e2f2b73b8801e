// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/models/name_list.hpp"

namespace splitscope {

/// A dimension of a weight that is the value of a key, times a factor.
struct KeyedExtent {
    std::string_view weight;  ///< of a block if it begins with "."
    std::size_t dimension;
    std::string_view key;  ///< after the name of the architecture, unless it is one of the vocabulary
    std::uint64_t factor = 1;
};

/// A dimension of a weight that is one of another weight of the same block, even if no graph reads the
/// weight.
struct SharedExtent {
    std::string_view weight;
    std::size_t dimension;
    std::string_view other;
    std::size_t other_dimension;
};

/// A number for which llama.cpp's graphs know no other value.
struct FixedKey {
    std::string_view key;
    std::uint64_t value = 0;
};

/// How wide the feed-forward of an expert is.
enum class ExpertWidth : std::uint8_t {
    divided,    ///< "expert_feed_forward_length"; by default the width of a dense one, divided by those used
    undivided,  ///< by default that of a dense one
    dense,      ///< that of a dense one, whatever the key says
};

/// Which blocks have experts.
enum class ExpertBlocks : std::uint8_t { by_tensors, after_dense, by_step, all };

/// What llama.cpp's loader requires of the files of an architecture. Keys and tensors were found by removing
/// each from the golden headers, adding tensors to them, and loading them with llama.cpp v0.5.0.
struct LoaderRules {
    /// Keys, after the name of the architecture, besides those that all require.
    NameList keys = {};
    /// Those of kSelectiveKeys (selective_keys.hpp) that are read if present.
    NameList optional_keys = {};
    std::string_view epsilon_key = "attention.layer_norm_rms_epsilon";  ///< empty = none required
    FixedKey fixed_key = {};
    /// Tensors besides the usual ones (known_tensors.cpp), without the numbers of their blocks. Those
    /// required are required only where others are (required_tensors.cpp).
    NameList required = {};
    NameList optional = {};
    NameList unused = {};          ///< of these, tensors that no graph reads
    NameList absent = {};          ///< usual tensors for which it does not ask
    NameList recurrent_only = {};  ///< of these, tensors of blocks with a recurrent state; the first has all
    NameList attention_only = {};  ///< of these, tensors of the other blocks of hybrid models
    NameList sparse_only = {};     ///< of these, tensors of blocks with a router
    NameList predicting = {};      ///< tensors of blocks for multi-token prediction (MTP) only
    NameList trunk_only = {};  ///< tensors that MTP blocks do not have, besides those of a recurrent state
    /// Tensors required in MTP blocks, unless the file lacks them and may do so.
    NameList required_predicting = {};
    /// Tensors of MTP blocks that it loads even where it skips the blocks.
    NameList loaded_predicting = {};
    bool optional_mtp = false;      ///< files may lack their MTP blocks
    bool ordinary_mtp = false;      ///< blocks without the tensors of MTP are ordinary ones
    bool dense_predicting = false;  ///< MTP blocks have no experts
    bool qkv_biases = true;         ///< knows "blk.N.attn_q.bias", "attn_k.bias" and "attn_v.bias"
    bool fused_qkv_bias = true;     ///< knows "blk.N.attn_qkv.bias"
    std::span<const KeyedExtent> extents = {};
    std::span<const SharedExtent> shared_extents = {};
    bool shares_key_shapes = false;  ///< keys and values have the same shapes in all blocks
    bool any_width = false;          ///< the tensors decide the widths of feed-forwards
    bool any_dense_width = false;    ///< they decide those of dense feed-forwards
    bool halves_width = false;       ///< "feed_forward_length" is twice the width
    ExpertWidth expert_width = ExpertWidth::divided;
    ExpertBlocks expert_blocks = ExpertBlocks::by_tensors;
    bool mixes_experts = false;  ///< asks for a dense feed-forward and for experts in the same block
    /// Attention is as wide as the embedding, whatever the keys say about heads.
    bool square_attention = false;
    bool rotates_whole_heads = false;  ///< "rope.dimension_count" has to be the width of a head
    bool requires_routing = false;     ///< with experts, "expert_gating_func" has to be given and not 0
    bool counts_shared = false;  ///< shared experts are as wide as "expert_shared_count" experts; 0 = none
    bool multiplies_shared = false;  ///< "expert_shared_feed_forward_length" is the width of one

    /// Queries have no low rank with 26 or 27 blocks, or with 48 and a vocabulary of 128256 (DeepSeek V2
    /// Lite); otherwise "attention.q_lora_rank" is required.
    bool rank_by_size = false;

    std::string_view true_key = {};      ///< must not be false
    std::string_view negative_key = {};  ///< a decimal that must be less than zero
};

}  // namespace splitscope
