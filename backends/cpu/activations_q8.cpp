// SPDX-License-Identifier: MIT
#include "backends/cpu/activations_q8.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "backends/cpu/kernels/kernels.hpp"
#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/half.hpp"

namespace splitscope::cpu {
namespace {

constexpr std::int64_t kBlock = 32;
constexpr std::int64_t kSuper = 256;

float rounded_to_half(float value) {
    return f16_to_f32(f32_to_f16(value));
}

void quantise_blocks(const float* x, std::int64_t n, int group, bool rounded_sum, const ActivationRow& row) {
    // Stores the largest magnitudes in the place of the scales.
    kernels::quantise_small(x, n, group, row.codes, row.scales, row.starts);
    const std::int64_t groups = kBlock / group;
    for (std::int64_t i = 0; i < n / kBlock; ++i) {
        const float d = row.scales[i] / 127.0F;
        row.scales[i] = rounded_to_half(d);
        for (std::int64_t g = i * groups; g < (i + 1) * groups; ++g) {
            const auto sum = static_cast<float>(row.starts[g]);
            row.sums[g] = rounded_sum ? rounded_to_half(sum * d) : sum * row.scales[i];
            row.starts[g] *= -128;
        }
    }
}

void quantise_super_blocks(const float* x, std::int64_t n, int group, const ActivationRow& row) {
    const std::int64_t groups = kSuper / group;
    for (std::int64_t i = 0; i < n / kSuper; ++i) {
        std::int32_t* starts = row.starts + i * groups;
        const float extreme = kernels::quantise_super(x + i * kSuper, group, row.codes + i * kSuper, starts);
        // Two divisions, as in the format.
        const float d = extreme != 0.0F ? 1.0F / (-127.0F / extreme) : 0.0F;
        for (std::int64_t j = 0; j < kSuper / kBlock; ++j) row.scales[i * (kSuper / kBlock) + j] = d;
        for (std::int64_t g = 0; g < groups; ++g) {
            row.sums[i * groups + g] = d * static_cast<float>(starts[g]);
            starts[g] *= -128;
        }
    }
}

/// Sums of each group's codes, as Σ and as −128 · Σ.
void sum_groups(int group, std::int64_t first, std::int64_t n, float d, const ActivationRow& row) {
    for (std::int64_t g = first / group; g < (first + n) / group; ++g) {
        std::int32_t sum = 0;
        for (std::int64_t k = g * group; k < (g + 1) * group; ++k) sum += row.codes[k];
        row.sums[g] = d * static_cast<float>(sum);
        row.starts[g] = -128 * sum;
    }
}

/// Clamps −128 to −127: int8 cannot hold its negation, which some kernels need. No quantiser emits it.
template <std::size_t N>
void copy_codes(const std::array<std::int8_t, N>& codes, std::int8_t* out) {
    std::ranges::transform(codes, out, [](std::int8_t code) { return std::max<std::int8_t>(code, -127); });
}

template <class Block>
Block block_at(const std::byte* blocks, std::int64_t i) {
    Block block;
    std::memcpy(&block, blocks + i * static_cast<std::int64_t>(sizeof(Block)), sizeof(Block));
    return block;
}

}  // namespace

void take_activations(ElementType type, int group, const std::byte* blocks, std::int64_t n,
                      const ActivationRow& row) {
    if (type == ElementType::q8_K) {
        for (std::int64_t i = 0; i < n / kSuper; ++i) {
            const auto block = block_at<BlockQ8_K>(blocks, i);
            copy_codes(block.codes, row.codes + i * kSuper);
            std::fill_n(row.scales + i * (kSuper / kBlock), kSuper / kBlock, block.d);
            sum_groups(group, i * kSuper, kSuper, block.d, row);
        }
        return;
    }
    for (std::int64_t i = 0; i < n / kBlock; ++i) {
        if (type == ElementType::q8_1) {
            const auto block = block_at<BlockQ8_1>(blocks, i);
            copy_codes(block.codes, row.codes + i * kBlock);
            row.scales[i] = f16_to_f32(block.d);
            sum_groups(group, i * kBlock, kBlock, row.scales[i], row);
            row.sums[i] = f16_to_f32(block.s);  // these types have one group per block
        } else {
            const auto block = block_at<BlockQ8_0>(blocks, i);
            copy_codes(block.codes, row.codes + i * kBlock);
            row.scales[i] = f16_to_f32(block.d);
            sum_groups(group, i * kBlock, kBlock, row.scales[i], row);
        }
    }
}

void quantise_activations(ElementType type, int group, const float* values, std::int64_t n,
                          const ActivationRow& row) {
    if (type == ElementType::q8_K) {
        quantise_super_blocks(values, n, group, row);
    } else {
        quantise_blocks(values, n, group, type == ElementType::q8_1, row);
    }
}

}  // namespace splitscope::cpu
