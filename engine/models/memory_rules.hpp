// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace splitscope {

/// What blocks store between tokens.
enum class CacheScheme : std::uint8_t {
    by_tensors,      ///< determined by the tensors of each block
    none,            ///< no cache: all tokens are processed at once
    recurrent,       ///< every block has a recurrent state
    without_heads,   ///< blocks without key/value heads have a recurrent state, the others a cache
    by_interval,     ///< one block in every period has a cache, the others a recurrent state
    every_block,     ///< every block has a cache
    compressed_keys  ///< windows of keys, and compressed keys of several tokens (deepseek4)
};

/// The kind of a block's recurrent state.
enum class StateKind : std::uint8_t { scan, rwkv, delta_attention, convolution, linear };

/// Which blocks cache a key for the indexer.
enum class IndexerBlocks : std::uint8_t { none, all, by_types, after_dense, with_attention };

/// Where the weight of the output layer comes from if the file has no "output.weight".
enum class OutputWeight : std::uint8_t {
    tied,         ///< the token embeddings, loaded a second time unless they are already on that device
    always_tied,  ///< likewise; llama.cpp refuses files with an "output.weight"
    duplicated,   ///< the token embeddings, always loaded a second time
    none          ///< no output weight, or the embeddings are used in place
};

/// Caches and weights of an architecture, as far as metadata and tensors do not determine them (placement.md
/// §3, §6).
struct MemoryRules {
    CacheScheme scheme = CacheScheme::by_tensors;
    StateKind state = StateKind::scan;
    IndexerBlocks indexer = IndexerBlocks::none;
    std::uint32_t interval = 4;       ///< default of "full_attention_interval"
    std::uint32_t token_shifts = 2;   ///< default of "token_shift_count"
    std::uint32_t cached_blocks = 0;  ///< only the first blocks have a cache; 0 = all
    bool shares_last = false;         ///< "attention.shared_kv_layers" blocks at the end have no cache
    bool caches_mtp = false;          ///< blocks for multi-token prediction (MTP) have a cache too
    /// Blocks with a feed-forward ("feed_forward_length") have neither cache nor state.
    bool feeds_alone = false;
    bool scans_state = false;  ///< SSM_SCAN reads the decay of state spaces; otherwise it is multiplied
    OutputWeight output = OutputWeight::tied;
    std::string_view final_norm = {};  ///< the norm before the output layer, if named like one of the input
    bool own_window_factors = false;   ///< sliding blocks do not load the RoPE factors of the others
};

}  // namespace splitscope
