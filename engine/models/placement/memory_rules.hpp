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

/// Which blocks use a sliding window. Overridden by the key "attention.sliding_window_pattern".
struct CacheWindow {
    std::uint32_t period = 0;    ///< all but one of each period; 0 = none unless the file has one
    bool first_is_full = false;  ///< the full-attention block is the first of a period, not the last
    std::uint32_t fixed = 0;     ///< overrides the window of the file unless that is 0
    std::uint32_t fallback = 0;  ///< default window
    std::uint32_t only_of = 0;   ///< only for models with this number of blocks; 0 = all
    bool ignored = false;        ///< the key is not used
    bool all = false;            ///< all blocks with a cache
};

/// Caches and weights of an architecture, as far as metadata and tensors do not determine them (placement.md
/// §3, §6). Architectures without a row are handled by their tensors.
struct MemoryRules {
    std::string_view architecture;
    CacheScheme scheme = CacheScheme::by_tensors;
    StateKind state = StateKind::scan;
    CacheWindow window{};
    IndexerBlocks indexer = IndexerBlocks::none;
    std::uint32_t interval = 4;       ///< default of "full_attention_interval"
    std::uint32_t cached_blocks = 0;  ///< only the first blocks have a cache; 0 = all
    bool caches_predicted = true;     ///< multi-token-prediction blocks have a cache too
};

/// The row of an architecture, or a default row.
const MemoryRules& memory_rules(std::string_view architecture);

/// How the output layer gets its matrix if the file has none.
enum class HeadRule : std::uint8_t {
    tied,     ///< the token embeddings, loaded a second time unless they are already on that device
    doubled,  ///< the token embeddings, always loaded a second time
    none      ///< no output matrix, or the embeddings are used in place
};
HeadRule head_rule(std::string_view architecture);

/// Whether the decay of state-space blocks is used by SSM_SCAN; otherwise it is multiplied.
bool scans_state(std::string_view architecture);

}  // namespace splitscope
