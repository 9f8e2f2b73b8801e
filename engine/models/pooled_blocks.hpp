// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/models/model_builder.hpp"

namespace splitscope {

/// Throws if the graph would have too many nodes: each cell of a block and each head adds some. `blocks`: as
/// given to cells_of_best_blocks(), for all layers; 0 = none.
void require_few_parts(const Keys& keys, std::span<const std::uint32_t> blocks);

/// The cells that each token attends to, chosen by blocks: an indexer caches a key per token, and the mean of
/// a block's keys decides how the block scores. Unfinished blocks are always among them. [count, tokens of a
/// stream, 1, streams]
TensorId cells_of_best_blocks(ModelBuilder& builder, TensorId x, std::int32_t layer, std::uint32_t block);

/// How blocks and cells correspond when `used` of `cells` cells are in use.
struct PooledBlocks {
    PooledBlocks(std::uint32_t block, std::uint64_t cells, std::uint64_t used);

    /// The block of each cell; that of unfinished blocks is a spare one.
    std::vector<std::int32_t> blocks_of_cells() const;
    std::vector<std::int32_t> cells_of_blocks() const;
    /// First position of each block, once for each section of RoPE.
    std::vector<std::int32_t> positions() const;
    /// For a token at this position: what is added to the scores of the blocks, or of the cells.
    std::vector<float> block_bias(std::uint64_t position) const;
    std::vector<float> cell_bias(std::uint64_t position) const;

 private:
    std::size_t spare() const;
    /// First position of the block that the position after this one belongs to.
    std::uint64_t unfinished_from(std::uint64_t position) const { return (position + 1) / block_ * block_; }

    std::uint64_t block_;
    std::uint64_t cells_;
    std::uint64_t used_;
    std::size_t count_;     ///< blocks
    std::size_t complete_;  ///< of them
};

}  // namespace splitscope
