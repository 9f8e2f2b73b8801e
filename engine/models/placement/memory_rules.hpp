// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace splitscope {

/// What blocks keep from one token to the next.
enum class CacheScheme : std::uint8_t {
    by_tensors,      ///< what the tensors of each block say
    none,            ///< all tokens are seen at once
    recurrent,       ///< every block has a recurrent state
    without_heads,   ///< blocks without key/value heads have a recurrent state, the others a cache
    by_interval,     ///< one block in so many has a cache, the others a recurrent state
    every_block,     ///< every block has a cache
    compressed_keys  ///< windows of keys, and keys of several tokens in one (deepseek4)
};

/// What a recurrent block's state is made of.
enum class StateKind : std::uint8_t { scan, rwkv, delta_attention, convolution, linear };

/// Blocks that cache a key for choosing among cells.
enum class IndexerBlocks : std::uint8_t { none, all, by_types, behind_dense, with_attention };

/// Which blocks attend to a window only. The file may say otherwise with "attention.sliding_window_pattern".
struct CacheWindow {
    std::uint32_t period = 0;     ///< of each period all but one do; 0 = none unless the file says so
    bool first_is_full = false;   ///< that one is the first, else the last
    std::uint32_t fixed = 0;      ///< the window whatever the file says, as long as that is not 0
    std::uint32_t otherwise = 0;  ///< the window where the file names none
    std::uint32_t only_of = 0;    ///< for models of so many blocks only; 0 = all
    bool ignored = false;         ///< the key is not used
    bool all = false;             ///< all blocks with a cache
};

/// What decides about an architecture's caches and weights beside its metadata and tensors (placement.md §3,
/// §6). Architectures that are not listed are read by their tensors.
struct MemoryRules {
    std::string_view architecture;
    CacheScheme scheme = CacheScheme::by_tensors;
    StateKind state = StateKind::scan;
    CacheWindow window{};
    IndexerBlocks indexer = IndexerBlocks::none;
    std::uint32_t cached_blocks = 0;  ///< only the first so many blocks have a cache; 0 = all
    bool caches_predicted = true;     ///< blocks that predict further tokens have a cache as well
};

/// The row of an architecture; one that says nothing when it is not listed.
const MemoryRules& memory_rules(std::string_view architecture);

/// How the output layer gets a matrix where the file has none of its own.
enum class HeadRule : std::uint8_t {
    tied,     ///< the token embeddings, loaded again for the output layer unless they lie there already
    doubled,  ///< the same, and always loaded again
    none      ///< there is no output matrix, or the embeddings are used where they are
};
HeadRule head_rule(std::string_view architecture);

/// The decay of state-space blocks is used by SSM_SCAN, else it is multiplied.
bool scans_state(std::string_view architecture);

}  // namespace splitscope
