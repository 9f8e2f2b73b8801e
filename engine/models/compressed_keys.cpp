// SPDX-License-Identifier: MIT
#include "engine/models/compressed_keys.hpp"

#include <algorithm>
#include <map>

#include "engine/support/checked.hpp"

namespace splitscope {
namespace {

/// Keys that the tokens of a sequence complete.
std::uint32_t keys_completed(const CompressedKeys& cache, std::uint32_t first, std::uint32_t tokens) {
    return (first + tokens) / cache.ratio - first / cache.ratio;
}

}  // namespace

std::uint32_t compressed_cells(std::uint32_t context, std::uint32_t ratio) {
    return round_up(std::max((context + ratio - 1) / ratio, 1U), kCompressedCellMultiple);
}

CompressedSizes compressed_sizes(const CompressedKeys& cache, const ModelGraphOptions& options) {
    const std::uint32_t sequences = std::max(options.sequences, 1U);
    CompressedSizes sizes;
    if (options.reserves) {
        sizes.kept = std::min(options.tokens, cache.state_rows() * sequences);
        sizes.keys = options.tokens / cache.ratio + sequences;
        sizes.visible = cache.cells;
        return sizes;
    }
    const std::uint32_t tokens = options.tokens / sequences;
    const std::uint32_t last = options.first_cell + tokens;
    sizes.kept = std::int64_t{sequences} * std::min(tokens, cache.state_rows());
    sizes.keys = std::max(std::int64_t{sequences} * keys_completed(cache, options.first_cell, tokens),
                          std::int64_t{1});
    sizes.visible = std::max(round_up(last / cache.ratio, kCompressedCellMultiple), kCompressedCellMultiple);
    return sizes;
}

CompressedRows compressed_rows(const CompressedKeys& cache, std::uint32_t first, std::uint32_t tokens) {
    CompressedRows rows;
    const std::uint32_t ratio = cache.ratio;
    const std::uint32_t state = cache.state_rows();
    std::map<std::uint32_t, std::uint32_t> kept;  // row of the state → last token
    std::vector<std::int32_t> before;             // rows of each key's predecessor
    std::vector<std::int32_t> own;
    // The rows of the batch follow those of the state; the last row is for positions before the first token.
    const auto row_of = [&](std::int64_t position) {
        if (position < 0) return static_cast<std::int32_t>(state + tokens);
        const auto at = static_cast<std::uint32_t>(position);
        return static_cast<std::int32_t>(at >= first ? state + at - first : at % state);
    };
    for (std::uint32_t token = 0; token < tokens; ++token) {
        const std::uint32_t position = first + token;
        rows.phases.push_back(static_cast<std::int32_t>(position % ratio));
        rows.visible.push_back((position + 1) / ratio);
        kept[position % state] = token;
        if ((position + 1) % ratio != 0) continue;
        const std::int64_t start = std::int64_t{position} + 1 - ratio;
        rows.cells.push_back(position / ratio);
        rows.positions.push_back(static_cast<std::int32_t>(start));
        for (std::uint32_t i = 0; i < ratio; ++i) {
            if (cache.overlaps) before.push_back(row_of(start - ratio + i));
            own.push_back(row_of(start + i));
        }
    }
    // A graph always writes a key: a placeholder in the last cell, which no token sees before the cache is
    // full.
    if (rows.cells.empty()) {
        rows.cells.push_back(std::int64_t{cache.cells} - 1);
        rows.positions.push_back(0);
        own.assign(ratio, row_of(first));
        if (cache.overlaps) before = own;
    }
    rows.reads = std::move(before);
    rows.reads.insert(rows.reads.end(), own.begin(), own.end());
    for (const auto& [row, token] : kept) {
        rows.kept_rows.push_back(static_cast<std::int32_t>(row));
        rows.kept.push_back(static_cast<std::int32_t>(token));
    }
    return rows;
}

}  // namespace splitscope
