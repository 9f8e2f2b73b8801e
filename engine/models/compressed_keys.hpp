// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/models/model.hpp"

namespace splitscope {

/// The numbers of tokens per key that models have. Keys of few tokens overlap and are chosen by an indexer.
inline constexpr std::uint32_t kCompressedFew = 4;
inline constexpr std::uint32_t kCompressedMany = 128;

/// Cells of caches with compressed keys are a multiple of this.
inline constexpr std::uint32_t kCompressedCellMultiple = 256;

/// The cells of such a cache for a context.
std::uint32_t compressed_cells(std::uint32_t context, std::uint32_t ratio);

/// Sizes of the inputs that a graph has for one cache of compressed keys.
struct CompressedSizes {
    std::int64_t kept = 0;     ///< rows of the state that are written
    std::int64_t keys = 0;     ///< keys that are written, at least a placeholder
    std::int64_t visible = 0;  ///< cells that are masked and read

    bool operator==(const CompressedSizes&) const = default;
};
CompressedSizes compressed_sizes(const CompressedKeys& cache, const ModelGraphOptions& options);

/// What those inputs hold for the tokens of one sequence.
struct CompressedRows {
    std::vector<std::int32_t> phases;
    std::vector<std::int32_t> kept;
    std::vector<std::int32_t> kept_rows;
    std::vector<std::int32_t> reads;
    std::vector<std::int64_t> cells;
    std::vector<std::int32_t> positions;
    std::vector<std::uint32_t> visible;  ///< cells that each token sees
};
CompressedRows compressed_rows(const CompressedKeys& cache, std::uint32_t first, std::uint32_t tokens);

}  // namespace splitscope
