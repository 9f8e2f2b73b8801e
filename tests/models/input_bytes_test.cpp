// SPDX-License-Identifier: MIT
// Contents of inputs, apart from the standard mask and rows of the cache (model_test.cpp).
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "engine/models/model.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/graph_builder.hpp"

namespace splitscope {
namespace {

constexpr std::uint32_t kCells = 8;

/// A graph of one input; `cached` ones have a cache of kCells cells.
struct OneInput {
    ModelGraph model;

    OneInput(ModelInput kind, ElementType type, const Shape& ne, std::uint32_t tokens, bool cached = true) {
        GraphBuilder g("inputs");
        const TensorId id = g.new_input(type, ne, "input");
        g.expand(g.scale(id, 1.0F));
        model.graph = g.take();
        model.inputs.push_back({kind, id});
        if (cached) model.caches.push_back(id);
        model.options.tokens = tokens;
        model.options.cells = model.options.context = kCells;
    }

    template <class T>
    std::vector<T> values(const BatchPosition& batch) const {
        const auto bytes = input_bytes(model, model.inputs.front(), batch);
        std::vector<T> result(bytes.size() / sizeof(T));
        std::memcpy(result.data(), bytes.data(), bytes.size());
        return result;
    }
    /// Rows of a mask: "x" for visible cells, a line per token.
    std::string seen(const BatchPosition& batch) const {
        const auto mask = values<float>(batch);
        std::string text;
        for (std::size_t i = 0; i < mask.size(); ++i) {
            if (i > 0 && i % kCells == 0) text += '\n';
            text += std::isinf(mask[i]) ? '.' : 'x';
        }
        return text;
    }
};

OneInput window_mask(WindowKind kind, std::uint32_t window, std::uint32_t tokens, bool cached = true) {
    OneInput one(ModelInput::swa_attention_mask, ElementType::f32, {kCells, tokens, 1, 1}, tokens, cached);
    one.model.window = window;
    one.model.window_kind = kind;
    return one;
}

TEST(InputBytes, SlidingWindowBehindTheToken) {
    EXPECT_EQ(window_mask(WindowKind::standard, 3, 2).seen({{1, 2}, 4}),
              "..xxx...\n"
              "...xxx..");
}

TEST(InputBytes, WindowOfWidthZeroHidesAll) {
    EXPECT_EQ(window_mask(WindowKind::standard, 0, 2).seen({{1, 2}, 4}),
              "........\n"
              "........");
}

TEST(InputBytes, WindowWithinTheTokensChunk) {
    EXPECT_EQ(window_mask(WindowKind::chunked, 4, 3).seen({{1, 2, 3}, 3}),
              "xxxx....\n"
              "....x...\n"
              "....xx..");
}

TEST(InputBytes, SymmetricWindow) {
    OneInput one = window_mask(WindowKind::symmetric, 4, kCells, false);
    one.model.causal = false;
    EXPECT_EQ(one.seen({std::vector<std::int32_t>(kCells, 1), 0}),
              "xxx.....\n"
              "xxxx....\n"
              "xxxxx...\n"
              ".xxxxx..\n"
              "..xxxxx.\n"
              "...xxxxx\n"
              "....xxxx\n"
              ".....xxx");
}

TEST(InputBytes, DistanceBias) {
    OneInput one(ModelInput::attention_mask, ElementType::f32, {kCells, 1, 1, 1}, 1);
    one.model.distances = true;
    const auto mask = one.values<float>({{1}, 2});
    EXPECT_EQ(std::vector<float>(mask.begin(), mask.begin() + 3), (std::vector<float>{-2, -1, 0}));
    EXPECT_TRUE(std::isinf(mask[3]));
}

TEST(InputBytes, SectionPositions) {
    const OneInput one(ModelInput::positions, ElementType::i32, {8, 1, 1, 1}, 2);
    EXPECT_EQ(one.values<std::int32_t>({{1, 2}, 5}), (std::vector<std::int32_t>{5, 6, 5, 6, 5, 6, 0, 0}));
}

TEST(InputBytes, RotationIsOrthogonal) {
    const OneInput one(ModelInput::rotation_k, ElementType::f32, {4, 4, 1, 1}, 1);
    const auto m = one.values<float>({{1}, 0});
    for (std::size_t a = 0; a < 4; ++a) {
        for (std::size_t b = 0; b < 4; ++b) {
            float sum = 0.0F;
            for (std::size_t i = 0; i < 4; ++i) sum += m[a * 4 + i] * m[b * 4 + i];
            EXPECT_FLOAT_EQ(sum, a == b ? 1.0F : 0.0F) << a << " " << b;
        }
    }
}

TEST(InputBytes, QueryScalesGrowInSteps) {
    OneInput one(ModelInput::attention_scale, ElementType::f32, {1, 1, 2, 1}, 2);
    one.model.attention_scale = {.factor = 0.1F, .floor = 4, .offset = 1.0F};
    const auto scales = one.values<float>({{1, 2}, 2});
    EXPECT_FLOAT_EQ(scales[0], 1.0F);
    EXPECT_FLOAT_EQ(scales[1], 1.0F + 0.1F * std::log(2.0F));
    one.model.attention_scale.floor = 0;
    EXPECT_THROW(one.values<float>({{1, 2}, 2}), Error);
}

TEST(InputBytes, DistanceBuckets) {
    // Of four classes per side two are exact; farther cells share the others.
    OneInput both(ModelInput::distance_buckets, ElementType::i32, {4, 4, 1, 1}, 4, false);
    both.model.distance_buckets = 8;
    EXPECT_EQ(both.values<std::int32_t>({{1, 2, 3, 4}, 0}),
              (std::vector<std::int32_t>{0, 5, 6, 6, 1, 0, 5, 6, 2, 1, 0, 5, 2, 2, 1, 0}));
    OneInput behind(ModelInput::distance_buckets, ElementType::i32, {4, 1, 1, 1}, 1);
    behind.model.distance_buckets = 8;
    EXPECT_EQ(behind.values<std::int32_t>({{1}, 2}), (std::vector<std::int32_t>{2, 1, 0, 0}));
}

TEST(InputBytes, RepresentativeTokenOfASequence) {
    OneInput one(ModelInput::class_rows, ElementType::i32, {1, 1, 1, 1}, 3);
    EXPECT_EQ(one.values<std::int32_t>({{1, 2, 3}, 0}), (std::vector<std::int32_t>{0}));
    one.model.pools_last = true;
    EXPECT_EQ(one.values<std::int32_t>({{1, 2, 3}, 0}), (std::vector<std::int32_t>{2}));
    const OneInput mean(ModelInput::mean_rows, ElementType::f32, {4, 1, 1, 1}, 4);
    EXPECT_EQ(mean.values<float>({{1, 2, 3, 4}, 0}), (std::vector<float>(4, 0.25F)));
}

TEST(InputBytes, NgramsSelectRowsPerHead) {
    OneInput one(ModelInput::ngram_rows, ElementType::i32, {6, 1, 1, 1}, 3);
    NgramHash& hash = one.model.ngrams;
    hash.longest = 3;
    hash.heads_per_length = 1;
    hash.boundary = 9;
    hash.factors = {1, 16, 256};
    hash.offsets = {0, 10'000};
    hash.sizes = {10'000, 10'000};
    // A boundary and what precedes it are replaced; so is what precedes the text.
    EXPECT_EQ(
        one.values<std::int32_t>({{1, 2, 3}, 0}),
        (std::vector<std::int32_t>{1 ^ 0x90, 10'000 + (1 ^ 0x90 ^ 0x900), 2 ^ 0x10,
                                   10'000 + (2 ^ 0x10 ^ 0x900), 3 ^ 0x20, 10'000 + (3 ^ 0x20 ^ 0x100)}));
    EXPECT_EQ(
        one.values<std::int32_t>({{1, 9, 3}, 2, {}, {5, 6}}),
        (std::vector<std::int32_t>{1 ^ 0x60, 10'000 + (1 ^ 0x60 ^ 0x500), 9 ^ 0x10,
                                   10'000 + (9 ^ 0x10 ^ 0x600), 3 ^ 0x90, 10'000 + (3 ^ 0x90 ^ 0x900)}));
}

TEST(InputBytes, PooledBlocksLeaveTheUnfinishedOneVisible) {
    const BatchPosition batch{{1, 2}, 4};  // six cells in use: a block of four, and two more
    const auto values = [&](ModelInput kind, ElementType type, const Shape& ne, auto element) {
        OneInput one(kind, type, ne, 2);
        one.model.pooled_blocks = {4};
        return one.values<decltype(element)>(batch);
    };
    const std::int32_t number = 0;
    EXPECT_EQ(values(ModelInput::pooled_cell_blocks, ElementType::i32, {kCells, 1, 1, 1}, number),
              (std::vector<std::int32_t>{0, 0, 0, 0, 1, 1, 1, 1}));
    EXPECT_EQ(values(ModelInput::pooled_block_cells, ElementType::i32, {kCells, 1, 1, 1}, number),
              (std::vector<std::int32_t>{0, 1, 2, 3, 0, 0, 0, 0}));
    EXPECT_EQ(values(ModelInput::pooled_positions, ElementType::i32, {8, 1, 1, 1}, number),
              (std::vector<std::int32_t>(8, 0)));
    constexpr float kAlways = 1e9F;
    constexpr float kNever = -std::numeric_limits<float>::infinity();
    EXPECT_EQ(values(ModelInput::pooled_block_bias, ElementType::f32, {2, 2, 1, 1}, 0.0F),
              (std::vector<float>{0, kAlways, 0, kAlways}));
    EXPECT_EQ(values(ModelInput::pooled_cell_bias, ElementType::f32, {kCells, 2, 1, 1}, 0.0F),
              (std::vector<float>{0, 0, 0, 0, kAlways, kNever, kNever, kNever,  //
                                  0, 0, 0, 0, kAlways, kAlways, kNever, kNever}));
}

TEST(InputBytes, EncoderRowsAreNotComputed) {
    const OneInput one(ModelInput::encoder_rows, ElementType::f32, {4, 1, 1, 1}, 1);
    EXPECT_THROW(one.values<float>({{1}, 0}), Error);
}

/// An input of a cache whose keys stand for four tokens each.
OneInput input_of_keys(ModelInput kind, ElementType type, const Shape& ne, std::uint32_t tokens) {
    OneInput one(kind, type, ne, tokens);
    one.model.compressed.push_back({.ratio = 4, .overlaps = true, .cells = 256});
    return one;
}

TEST(InputBytes, RowsOfWhichCompressedKeysAreMade) {
    // The tokens 2 … 7 complete the keys of 0 … 3 and 4 … 7. Rows of the batch follow the 8 of the state.
    const BatchPosition batch{{1, 2, 3, 4, 5, 6}, 2};
    const auto numbers = [&](ModelInput kind, std::int64_t count) {
        return input_of_keys(kind, ElementType::i32, {count, 1, 1, 1}, 6).values<std::int32_t>(batch);
    };
    EXPECT_EQ(numbers(ModelInput::compressed_phases, 6), (std::vector<std::int32_t>{2, 3, 0, 1, 2, 3}));
    EXPECT_EQ(numbers(ModelInput::compressed_kept, 6), (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(numbers(ModelInput::compressed_kept_rows, 6), (std::vector<std::int32_t>{2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(numbers(ModelInput::compressed_positions, 2), (std::vector<std::int32_t>{0, 4}));
    EXPECT_EQ(numbers(ModelInput::compressed_reads, 16),
              (std::vector<std::int32_t>{14, 14, 14, 14, 0, 1, 8, 9, 0, 1, 8, 9, 10, 11, 12, 13}));
    const OneInput cells = input_of_keys(ModelInput::compressed_cells, ElementType::i64, {2, 1, 1, 1}, 6);
    EXPECT_EQ(cells.values<std::int64_t>(batch), (std::vector<std::int64_t>{0, 1}));
}

TEST(InputBytes, TokensSeeTheCompressedKeysBeforeThem) {
    const OneInput mask = input_of_keys(ModelInput::compressed_mask, ElementType::f32, {kCells, 3, 1, 1}, 3);
    EXPECT_EQ(mask.seen({{1, 2, 3}, 2}),
              "........\n"
              "x.......\n"
              "x.......");
}

TEST(InputBytes, ABatchThatCompletesNoKeyWritesTheLastCell) {
    const BatchPosition batch{{1}, 4};
    const OneInput cells = input_of_keys(ModelInput::compressed_cells, ElementType::i64, {1, 1, 1, 1}, 1);
    EXPECT_EQ(cells.values<std::int64_t>(batch), std::vector<std::int64_t>{255});
    const OneInput reads = input_of_keys(ModelInput::compressed_reads, ElementType::i32, {8, 1, 1, 1}, 1);
    EXPECT_EQ(reads.values<std::int32_t>(batch), std::vector<std::int32_t>(8, 8));
}

TEST(InputBytes, OnlyTheLastTokenOfARowOfTheStateIsKept) {
    const BatchPosition batch{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0};
    OneInput kept = input_of_keys(ModelInput::compressed_kept, ElementType::i32, {8, 1, 1, 1}, 10);
    kept.model.options.cells = 256;
    EXPECT_EQ(kept.values<std::int32_t>(batch), (std::vector<std::int32_t>{8, 9, 2, 3, 4, 5, 6, 7}));
}

}  // namespace
}  // namespace splitscope
