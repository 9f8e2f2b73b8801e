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

/// One tensor of a cache: `cells` rows of `row` elements.
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
    std::uint32_t window_cells = 0;  ///< of the blocks that slide; 0 when none does
    std::vector<CacheTensor> tensors;
    std::vector<Message> notes;  ///< what could not be sized, for people
};

/// Caches of any architecture from its metadata and tensor names (placement.md §6). `flash_attention` as
/// decided. Throws Error(bad_file) for absurd numbers.
CacheLayout cache_layout(const GgufFile& file, const PlacementFlags& flags, bool flash_attention);

/// Per block, whether it attends to a window only. Throws Error(bad_file) for absurd numbers.
std::vector<bool> sliding_blocks(const GgufFile& file);

/// Blocks of the model; 0 when the file does not say. Throws Error(bad_file) when absurd.
std::uint32_t block_count(const GgufFile& file);
/// The length it was trained for; 0 when the file does not say.
std::uint32_t trained_context(const GgufFile& file);

}  // namespace splitscope
