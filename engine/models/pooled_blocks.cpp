// SPDX-License-Identifier: MIT
#include "engine/models/pooled_blocks.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "engine/models/messages.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {
namespace {

constexpr std::int64_t kSections = 4;
/// Ranks first, but stays finite when masks are added.
constexpr float kAlways = 1e9F;
constexpr float kNever = -std::numeric_limits<float>::infinity();

class BlockIndex {
 public:
    BlockIndex(ModelBuilder& builder, std::int32_t layer, std::uint32_t block)
        : b_(builder),
          g_(builder.graph()),
          layer_(layer),
          block_(block),
          group_(builder.pooled_blocks(block)),
          size_(builder.keys().required("attention.indexer.key_length")),
          heads_(builder.keys().required("attention.indexer.head_count", kMaxPooledParts)),
          best_(builder.keys().required("attention.indexer.top_k")),
          streams_(builder.options().streams),
          each_(builder.tokens() / streams_),
          cells_(builder.options().cells),
          blocks_((cells_ + block_ - 1) / block_) {}

    TensorId best_cells(TensorId x) {
        const TensorId keys = pooled_keys(x);
        const TensorId scores = scores_of_cells(scores_of_blocks(query(x), keys));
        // Whole blocks, and the unfinished one.
        const std::int64_t count = std::min(cells_, best_ + block_ - 1);
        const TensorId best = g_.cont(g_.top_k(scores, count));
        return named(g_.reshape(best, {count, each_, 1, streams_}), "indexer_top_k");
    }

 private:
    TensorId named(TensorId id, std::string_view name) { return b_.named(id, name, layer_); }
    TensorId input(ModelInput kind, ElementType type, const Shape& ne) {
        return b_.input(kind, type, ne, {}, group_);
    }
    TensorId normalised(TensorId x, std::string_view weight) {
        return b_.rms_norm(x, b_.block_weight(layer_, weight, {size_, 1, 1, 1}), {}, layer_);
    }

    /// Writes the keys of the batch, and returns those of all cells [size, cells, streams].
    TensorId cached_keys(TensorId x) {
        const TensorId product = b_.product(x, layer_, "indexer.k_proj", size_);
        const TensorId k = named(g_.reshape(product, {size_, 1, b_.tokens(), 1}), "indexer_k_raw");
        const std::int64_t context = b_.options().context;
        const ElementType type = b_.options().cache_type_k;
        const TensorId all = b_.cache_tensor(layer_, fmt::format("cache_idx_k_l{}", layer_), type,
                                             {size_, context, streams_, 1});
        const TensorId rows = g_.view_2d(k, size_, b_.tokens(), g_[k].nb[2], 0);
        const TensorId flat = streams_ > 1 ? g_.reshape(all, {size_, context * streams_, 1, 1}) : all;
        const TensorId cells = input(ModelInput::indexer_rows, ElementType::i64, {b_.tokens(), 1, 1, 1});
        g_.expand(g_.set_rows(flat, rows, cells));
        const std::int64_t row = row_bytes(type, size_);
        const TensorId used = g_.view(all, {size_, 1, cells_, streams_},
                                      {traits_of(type).block_bytes, row, row, row * context}, 0);
        return g_.view_3d(used, size_, cells_, streams_, row, row * context, 0);
    }

    /// One key per block [size, blocks, streams].
    TensorId pooled_keys(TensorId x) {
        const TensorId keys = cached_keys(x);
        const TensorId numbers =
            input(ModelInput::pooled_block_cells, ElementType::i32, {block_ * blocks_, streams_, 1, 1});
        const TensorId members = g_.reshape(g_.get_rows(keys, numbers), {size_, block_, blocks_, streams_});
        const Tensor m = g_[members];
        TensorId sum;
        for (std::int64_t i = 0; i < block_; ++i) {
            const TensorId part =
                g_.cont(g_.view_3d(members, size_, blocks_, streams_, m.nb[2], m.nb[3], i * m.nb[1]));
            sum = sum.valid() ? g_.add(sum, part) : part;
        }
        TensorId mean = named(g_.scale(sum, 1.0F / static_cast<float>(block_)), "indexer_k_pooled");
        const std::int64_t all = blocks_ * streams_;
        mean = normalised(g_.reshape(mean, {size_, all, 1, 1}), "indexer.k_norm.weight");
        const TensorId positions =
            input(ModelInput::pooled_positions, ElementType::i32, {kSections * all, 1, 1, 1});
        const TensorId rotated =
            g_.rope(g_.reshape(mean, {size_, 1, all, 1}), positions, {}, b_.rope_parameters(layer_));
        return named(g_.reshape(rotated, {size_, blocks_, streams_, 1}), "indexer_k");
    }

    TensorId query(TensorId x) {
        const TensorId product = b_.product(x, layer_, "indexer.q_proj", heads_ * size_);
        const TensorId q =
            normalised(g_.reshape(product, {size_, heads_, b_.tokens(), 1}), "indexer.q_norm.weight");
        return b_.rope(q, layer_, "indexer_q");
    }

    /// [blocks, tokens of a stream, streams]
    TensorId scores_of_blocks(TensorId q, TensorId keys) {
        const TensorId products = g_.mul_mat(keys, g_.reshape(q, {size_, heads_ * each_, streams_, 1}));
        const TensorId by_head =
            g_.unary(UnaryKind::relu, g_.reshape(products, {blocks_, heads_, each_, streams_}));
        const Tensor t = g_[by_head];
        TensorId sum;
        for (std::int64_t head = 0; head < heads_; ++head) {
            const TensorId part =
                g_.view_3d(by_head, blocks_, each_, streams_, t.nb[2], t.nb[3], head * t.nb[1]);
            sum = sum.valid() ? g_.add(sum, part) : g_.cont(part);
        }
        return named(sum, "indexer_score");
    }

    /// [cells, tokens of a stream, streams]
    TensorId scores_of_cells(TensorId scores) {
        // The mask hides cells, unless it holds distances or shows later tokens.
        const bool masks = b_.causal() && b_.hyperparameters().alibi_bias == 0.0F;
        if (masks) {
            scores = g_.add(scores, input(ModelInput::pooled_block_bias, ElementType::f32,
                                          {blocks_, each_, streams_, 1}));
        }
        const auto swapped = [&](TensorId x) { return g_.cont(g_.permute(x, {1, 0, 2, 3})); };
        const TensorId block_of =
            input(ModelInput::pooled_cell_blocks, ElementType::i32, {cells_, streams_, 1, 1});
        const TensorId by_cell = swapped(g_.get_rows(swapped(scores), block_of));
        TensorId bias;
        if (masks) {
            const TensorId mask = b_.attention_mask(layer_);
            const TensorId full = g_[mask].type == ElementType::f32 ? mask : g_.cast(mask, ElementType::f32);
            bias = g_.reshape(full, {cells_, each_, streams_, 1});
        } else {
            bias = input(ModelInput::pooled_cell_bias, ElementType::f32, {cells_, each_, streams_, 1});
        }
        return named(g_.add(by_cell, bias), "indexer_score_tokens");
    }

    ModelBuilder& b_;
    GraphBuilder& g_;
    std::int32_t layer_;
    std::int64_t block_;
    std::uint8_t group_;
    std::int64_t size_;
    std::int64_t heads_;
    std::int64_t best_;
    std::int64_t streams_;
    std::int64_t each_;
    std::int64_t cells_;
    std::int64_t blocks_;
};

}  // namespace

void require_few_parts(const Keys& keys, std::span<const std::uint32_t> blocks) {
    const auto indexers = std::ranges::count_if(blocks, [](std::uint32_t block) { return block > 0; });
    if (indexers == 0) return;
    std::uint64_t parts = keys.required("attention.indexer.head_count", kMaxPooledParts);
    parts *= static_cast<std::uint64_t>(indexers);
    for (const std::uint32_t block : blocks) parts += block;
    if (parts > kMaxPooledParts)
        keys.refuse("attention.compress_ratios", msg::kMoreThan(parts, kMaxPooledParts));
}

TensorId cells_of_best_blocks(ModelBuilder& b, TensorId x, std::int32_t layer, std::uint32_t block) {
    return BlockIndex(b, layer, block).best_cells(x);
}

PooledBlocks::PooledBlocks(std::uint32_t block, std::uint64_t cells, std::uint64_t used)
    : block_(block),
      cells_(cells),
      used_(std::min(used, cells)),
      count_(static_cast<std::size_t>((cells + block - 1) / block)),
      complete_(static_cast<std::size_t>(used_ / block)) {}

std::size_t PooledBlocks::spare() const {
    return std::min(complete_, count_ - 1);
}

std::vector<std::int32_t> PooledBlocks::blocks_of_cells() const {
    std::vector<std::int32_t> blocks(cells_, static_cast<std::int32_t>(spare()));
    for (std::size_t cell = 0; cell < complete_ * block_; ++cell)
        blocks[cell] = static_cast<std::int32_t>(cell / block_);
    return blocks;
}

std::vector<std::int32_t> PooledBlocks::cells_of_blocks() const {
    std::vector<std::int32_t> cells(count_ * block_, 0);
    for (std::size_t cell = 0; cell < complete_ * block_; ++cell)
        cells[cell] = static_cast<std::int32_t>(cell);
    return cells;
}

std::vector<std::int32_t> PooledBlocks::positions() const {
    std::vector<std::int32_t> positions(kSections * count_, 0);
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (i % count_ < complete_) positions[i] = static_cast<std::int32_t>(i % count_ * block_);
    return positions;
}

std::vector<float> PooledBlocks::block_bias(std::uint64_t position) const {
    std::vector<float> bias(count_, kNever);
    for (std::size_t b = 0; b < complete_; ++b)
        bias[b] = b * block_ >= unfinished_from(position) ? kAlways : 0.0F;
    if (complete_ < count_) bias[spare()] = kAlways;
    return bias;
}

std::vector<float> PooledBlocks::cell_bias(std::uint64_t position) const {
    std::vector<float> bias(cells_, kNever);
    for (std::size_t cell = 0; cell < std::min(used_, position + 1); ++cell) {
        const bool pooled = cell < complete_ * block_;
        if (cell >= unfinished_from(position))
            bias[cell] = kAlways;
        else if (pooled)
            bias[cell] = 0.0F;
    }
    return bias;
}

}  // namespace splitscope
