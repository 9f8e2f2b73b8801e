// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/tensor/quants/block_io.hpp"
#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/codecs.hpp"
#include "engine/tensor/quants/fp4_scales.hpp"
#include "engine/tensor/quants/half.hpp"
#include "engine/tensor/quants/rounding.hpp"

namespace splitscope::quants {
namespace {

/// Index of the nearest value of an ascending table; on ties the larger one.
std::size_t nearest_iq4(float x) {
    const auto above =
        std::upper_bound(kIq4Values.begin(), kIq4Values.end(), x,
                         [](float v, std::int8_t entry) { return v < static_cast<float>(entry); });
    if (above == kIq4Values.begin()) return 0;
    const auto i = static_cast<std::size_t>(above - kIq4Values.begin());
    if (i == kIq4Values.size()) return i - 1;
    return x - static_cast<float>(kIq4Values[i - 1]) < static_cast<float>(kIq4Values[i]) - x ? i - 1 : i;
}

/// Least-squares scale of x ≈ scale · value(code), weighted by x², over several roundings near the one that
/// maps the extreme to the end of the table. `tries` < 0: only that, mapped to the other end.
float fit_iq4_scale(std::span<const float> x, int tries) {
    constexpr float kTiny = 1e-15F;
    const float extreme = signed_extreme(x);
    if (std::fabs(extreme) < kTiny) return 0.0F;
    const auto first = static_cast<float>(kIq4Values[0]);
    float scale = 0.0F;
    float best = 0.0F;
    const auto attempt = [&](float inverse_scale, bool always) {
        float xq = 0.0F;
        float q2 = 0.0F;
        for (const float v : x) {
            const auto q = static_cast<float>(kIq4Values[nearest_iq4(inverse_scale * v)]);
            const float w = v * v;
            xq += w * q * v;
            q2 += w * q * q;
        }
        if (always || (q2 > 0.0F && xq * xq > best * q2)) {
            scale = xq / q2;
            best = scale * xq;
        }
    };
    attempt(1.0F / (tries > 0 ? -extreme / first : extreme / first), true);
    for (int step = -tries; step <= tries; ++step)
        attempt((static_cast<float>(step) + first) / extreme, false);
    return scale;
}

}  // namespace

void encode_iq4_nl(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockIq4Nl, kSmallBlock>(values, blocks, n, [](const float* x) {
        const std::span<const float> part{x, kSmallBlock};
        BlockIq4Nl b{f32_to_f16(fit_iq4_scale(part, -1)), {}};
        // Codes are from the first rounding, before the scale was fitted.
        const float scale = inverse(signed_extreme(part) / static_cast<float>(kIq4Values[0]));
        for (std::size_t j = 0; j < 16; ++j) {
            b.codes[j] =
                static_cast<std::uint8_t>(nearest_iq4(x[j] * scale) | nearest_iq4(x[j + 16] * scale) << 4);
        }
        return b;
    });
}

void encode_iq4_xs(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockIq4Xs, kSuperBlock>(values, blocks, n, [](const float* x) {
        constexpr int kTries = 7;
        std::array<float, 8> fits{};
        for (std::size_t s = 0; s < 8; ++s) fits[s] = fit_iq4_scale({x + s * 32, 32}, kTries);
        const float d = -signed_extreme(fits) / 32.0F;
        const float id = inverse(d);
        BlockIq4Xs b{};
        b.d = f32_to_f16(d);
        for (std::size_t s = 0; s < 8; ++s) {
            const int rounded = std::clamp(nearest(id * fits[s]), -32, 31);
            const float scale = inverse(d * static_cast<float>(rounded));
            for (std::size_t j = 0; j < 16; ++j) {
                b.codes[s * 16 + j] = static_cast<std::uint8_t>(nearest_iq4(x[s * 32 + j] * scale) |
                                                                nearest_iq4(x[s * 32 + j + 16] * scale) << 4);
            }
            const int stored = rounded + 32;
            b.scales_low[s / 2] =
                static_cast<std::uint8_t>(b.scales_low[s / 2] | (stored & 15) << (4 * (s % 2)));
            b.scales_high = static_cast<std::uint16_t>(b.scales_high | (stored >> 4) << (2 * s));
        }
        return b;
    });
}

namespace {

/// Index of the four-bit float nearest to x · (doubled unit); on ties the first.
int nearest_fp4(float x, float scale) {
    int best = 0;
    float error = std::fabs(static_cast<float>(kFp4Values[0]) * scale - x);
    for (int i = 1; i < 16; ++i) {
        const float e = std::fabs(static_cast<float>(kFp4Values[static_cast<std::size_t>(i)]) * scale - x);
        if (e < error) {
            error = e;
            best = i;
        }
    }
    return best;
}

/// Packs 2 · half codes: low nibbles, then high ones.
void encode_fp4(const float* x, float scale, std::size_t half, std::uint8_t* codes) {
    for (std::size_t j = 0; j < half; ++j) {
        codes[j] = static_cast<std::uint8_t>(nearest_fp4(x[j], scale) | nearest_fp4(x[j + half], scale) << 4);
    }
}

/// The nearest unsigned e4m3 code; on ties the even one.
std::uint8_t nearest_ue4m3(float value) {
    constexpr int kLargest = 0x7E;
    if (!(value > 0.0F)) return 0;
    if (value >= 2.0F * half_of_ue4m3(kLargest)) return kLargest;
    int below = 0;
    while (2.0F * half_of_ue4m3(static_cast<std::uint8_t>(below + 1)) <= value) ++below;
    const float down = value - 2.0F * half_of_ue4m3(static_cast<std::uint8_t>(below));
    const float up = 2.0F * half_of_ue4m3(static_cast<std::uint8_t>(below + 1)) - value;
    const bool upwards = up < down || (up == down && below % 2 == 1);
    return static_cast<std::uint8_t>(upwards ? below + 1 : below);
}

}  // namespace

void encode_mxfp4(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockMxfp4, kSmallBlock>(values, blocks, n, [](const float* x) {
        const float largest = std::fabs(signed_extreme({x, kSmallBlock}));
        BlockMxfp4 b{};
        // The largest four-bit float is 1.5 · 2².
        if (largest > 0.0F) {
            b.e = static_cast<std::uint8_t>(
                std::clamp(truncated(std::floor(std::log2(largest))) - 2 + 127, 0, 254));
        }
        encode_fp4(x, half_of_e8m0(b.e), 16, b.codes.data());
        return b;
    });
}

void encode_nvfp4(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockNvfp4, 64>(values, blocks, n, [](const float* x) {
        BlockNvfp4 b{};
        for (std::size_t s = 0; s < 4; ++s) {
            const float* part = x + s * 16;
            b.scales[s] = nearest_ue4m3(std::fabs(signed_extreme({part, 16})) / 6.0F);
            encode_fp4(part, half_of_ue4m3(b.scales[s]), 8, b.codes.data() + s * 8);
        }
        return b;
    });
}

namespace {

/// −1, 0 or 1 as a digit, rounding half away from zero.
int ternary(float scaled) {
    return std::clamp(truncated(std::round(scaled)), -1, 1) + 1;
}

/// Base-3 digits as a fraction of 256, rounded up so that multiplication recovers each digit.
std::uint8_t fraction_of_256(int digits) {
    return static_cast<std::uint8_t>((digits * 256 + 242) / 243);
}

}  // namespace

void encode_tq1_0(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockTq1_0, kSuperBlock>(values, blocks, n, [](const float* x) {
        const float d = std::fabs(signed_extreme({x, kSuperBlock}));
        const float id = inverse(d);
        BlockTq1_0 b{};
        b.d = f32_to_f16(d);
        const auto pack = [id](const float* v, std::size_t stride, int digits) {
            int code = 0;
            for (int i = 0; i < 5; ++i) {
                code = code * 3 + (i < digits ? ternary(v[static_cast<std::size_t>(i) * stride] * id) : 0);
            }
            return fraction_of_256(code);
        };
        for (std::size_t j = 0; j < 32; ++j) b.codes[j] = pack(x + j, 32, 5);
        for (std::size_t j = 0; j < 16; ++j) b.codes[32 + j] = pack(x + 160 + j, 16, 5);
        for (std::size_t j = 0; j < 4; ++j) b.tail[j] = pack(x + 240 + j, 4, 4);
        return b;
    });
}

void encode_tq2_0(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockTq2_0, kSuperBlock>(values, blocks, n, [](const float* x) {
        const float d = std::fabs(signed_extreme({x, kSuperBlock}));
        const float id = inverse(d);
        BlockTq2_0 b{};
        b.d = f32_to_f16(d);
        for (std::size_t j = 0; j < kSuperBlock; ++j) {
            std::uint8_t& byte = b.codes[j / 128 * 32 + j % 32];
            byte = static_cast<std::uint8_t>(byte | ternary(x[j] * id) << (j % 128 / 32 * 2));
        }
        return b;
    });
}

void encode_q1_0(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockQ1_0, 128>(values, blocks, n, [](const float* x) {
        float total = 0.0F;
        BlockQ1_0 b{};
        for (std::size_t j = 0; j < 128; ++j) {
            total += std::fabs(x[j]);
            if (x[j] >= 0.0F) b.codes[j / 8] = static_cast<std::uint8_t>(b.codes[j / 8] | 1 << (j % 8));
        }
        b.d = f32_to_f16(total / 128.0F);
        return b;
    });
}

void encode_q2_0(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockQ2_0, 64>(values, blocks, n, [](const float* x) {
        const float d = std::fabs(signed_extreme({x, 64}));
        const float id = inverse(d);
        BlockQ2_0 b{};
        b.d = f32_to_f16(d);
        for (std::size_t j = 0; j < 64; ++j) {
            b.codes[j / 4] = static_cast<std::uint8_t>(b.codes[j / 4] | ternary(x[j] * id) << (j % 4 * 2));
        }
        return b;
    });
}

}  // namespace splitscope::quants
