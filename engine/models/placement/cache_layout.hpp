// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/formats/gguf.hpp"
#include "engine/messages/message.hpp"
#include "engine/models/placement/placement_flags.hpp"

namespace splitscope {

enum class CacheKind : std::uint8_t { attention, window, recurrent };

/// One cache tensor: `cells` rows of `row` elements.
struct CacheTensor {
    std::string name;
    std::int32_t block = 0;
    CacheKind kind = CacheKind::attention;
    ElementType type = ElementType::f16;
    std::uint64_t row = 0;
    std::uint64_t cells = 0;
    std::uint64_t bytes = 0;
};

struct CacheLayout {
    ContextSize context;
    std::uint32_t window_cells = 0;  ///< of sliding-window blocks; 0 if there are none
    std::vector<CacheTensor> tensors;
    std::vector<Message> notes;  ///< caches that could not be sized
};

/// Caches of any architecture, from its metadata and tensor names (placement.md §6). `flash_attention` is the
/// final decision. Throws Error(bad_file) for invalid values.
CacheLayout cache_layout(const GgufFile& file, const PlacementFlags& flags, bool flash_attention);

/// Whether each block uses a sliding window. Throws Error(bad_file) for invalid values.
std::vector<bool> sliding_blocks(const GgufFile& file);

/// Number of blocks; 0 if the file does not say. Throws Error(bad_file) if invalid.
std::uint32_t block_count(const GgufFile& file);
/// The training context; 0 if the file does not say.
std::uint32_t trained_context(const GgufFile& file);

}  // namespace splitscope
