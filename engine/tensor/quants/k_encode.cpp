// SPDX-License-Identifier: MIT
// Encoders of the K types. Each sub-block is fitted with the scale (and min) of least weighted error; then
// the scales are quantised and the codes chosen again.
#include <algorithm>
#include <cmath>
#include <span>

#include "engine/tensor/quants/block_io.hpp"
#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/codecs.hpp"
#include "engine/tensor/quants/half.hpp"
#include "engine/tensor/quants/k_scales.hpp"
#include "engine/tensor/quants/rounding.hpp"

namespace splitscope::quants {
namespace {

struct ScaleMin {
    float scale = 0.0F;
    float min = 0.0F;  ///< subtracted; never negative
};

/// Search range of fit_scale_and_min around the plain scale.
struct Search {
    float first;
    float step;
    int steps;
    bool absolute_error;
};

float weighted_error(std::span<const float> x, const float* weights, const int* codes, ScaleMin s,
                     bool absolute) {
    float total = 0.0F;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float difference = s.scale * static_cast<float>(codes[i]) + s.min - x[i];
        total += weights[i] * (absolute ? std::fabs(difference) : difference * difference);
    }
    return total;
}

/// Least-squares fit of x ≈ scale · code − min with codes 0 … levels, over several roundings.
ScaleMin fit_scale_and_min(std::span<const float> x, int levels, const float* weights, Search search) {
    constexpr std::size_t kMax = 32;
    float low = x[0];
    float high = x[0];
    float sum_w = weights[0];
    float sum_x = weights[0] * x[0];
    for (std::size_t i = 1; i < x.size(); ++i) {
        low = std::min(low, x[i]);
        high = std::max(high, x[i]);
        sum_w += weights[i];
        sum_x += weights[i] * x[i];
    }
    low = std::min(low, 0.0F);
    if (high == low) return {0.0F, -low};

    int codes[kMax];
    const auto top = static_cast<float>(levels);
    const auto round_codes = [&](float inverse) {
        for (std::size_t i = 0; i < x.size(); ++i)
            codes[i] = std::clamp(nearest(inverse * (x[i] - low)), 0, levels);
    };
    const float inverse = top / (high - low);
    ScaleMin best{1.0F / inverse, low};
    round_codes(inverse);
    float best_error = weighted_error(x, weights, codes, best, search.absolute_error);
    for (int step = 0; step <= search.steps; ++step) {
        round_codes((search.first + search.step * static_cast<float>(step) + top) / (high - low));
        float sum_l = 0.0F;
        float sum_l2 = 0.0F;
        float sum_xl = 0.0F;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const auto code = static_cast<float>(codes[i]);
            sum_l += weights[i] * code;
            sum_l2 += weights[i] * code * code;
            sum_xl += weights[i] * code * x[i];
        }
        const float determinant = sum_w * sum_l2 - sum_l * sum_l;
        if (!(determinant > 0.0F)) continue;
        ScaleMin fit{(sum_w * sum_xl - sum_x * sum_l) / determinant,
                     (sum_l2 * sum_x - sum_l * sum_xl) / determinant};
        if (fit.min > 0.0F) fit = {sum_xl / sum_l2, 0.0F};
        const float error = weighted_error(x, weights, codes, fit, search.absolute_error);
        if (error < best_error) {
            best_error = error;
            best = fit;
            low = fit.min;  // continue from the better minimum
        }
    }
    return {best.scale, -best.min};
}

/// Scales and mins of all sub-blocks, quantised to multiples of two common ones.
template <std::size_t N>
struct RoundedScales {
    std::uint16_t d = 0;
    std::uint16_t m = 0;
    std::array<std::uint8_t, N> scales{};
    std::array<std::uint8_t, N> mins{};

    RoundedScales(const std::array<ScaleMin, N>& fits, int levels) {
        float max_scale = 0.0F;
        float max_min = 0.0F;
        for (const ScaleMin& fit : fits) {
            max_scale = std::max(max_scale, fit.scale);
            max_min = std::max(max_min, fit.min);
        }
        const auto top = static_cast<float>(levels);
        const float inverse_scale = max_scale > 0.0F ? top / max_scale : 0.0F;
        const float inverse_min = max_min > 0.0F ? top / max_min : 0.0F;
        for (std::size_t j = 0; j < N; ++j) {
            scales[j] =
                static_cast<std::uint8_t>(std::clamp(nearest(inverse_scale * fits[j].scale), 0, levels));
            mins[j] = static_cast<std::uint8_t>(std::clamp(nearest(inverse_min * fits[j].min), 0, levels));
        }
        d = f32_to_f16(max_scale / top);
        m = f32_to_f16(max_min / top);
    }

    /// Code of a value in sub-block j.
    int code(std::size_t j, float x, int levels) const {
        const float scale = f16_to_f32(d) * static_cast<float>(scales[j]);
        if (scale == 0.0F) return 0;
        const float min = f16_to_f32(m) * static_cast<float>(mins[j]);
        return std::clamp(nearest((x + min) / scale), 0, levels);
    }
};

/// Sub-blocks of 32, weighted by their magnitude and each value's.
std::array<ScaleMin, 8> fit_sub_blocks_of_32(const float* x, int levels, Search search) {
    std::array<ScaleMin, 8> fits;
    for (std::size_t j = 0; j < 8; ++j) {
        const std::span<const float> part{x + j * 32, 32};
        float squares = 0.0F;
        for (const float v : part) squares += v * v;
        const float size = std::sqrt(squares / 32.0F);
        std::array<float, 32> weights{};
        for (std::size_t i = 0; i < 32; ++i) weights[i] = size + std::fabs(part[i]);
        fits[j] = fit_scale_and_min(part, levels, weights.data(), search);
    }
    return fits;
}

}  // namespace

void encode_q2_K(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockQ2_K, kSuperBlock>(values, blocks, n, [](const float* x) {
        std::array<ScaleMin, 16> fits;
        for (std::size_t j = 0; j < 16; ++j) {
            std::array<float, 16> weights{};
            for (std::size_t i = 0; i < 16; ++i) weights[i] = std::fabs(x[j * 16 + i]);
            fits[j] = fit_scale_and_min({x + j * 16, 16}, 3, weights.data(), {-0.5F, 0.1F, 15, true});
        }
        const RoundedScales<16> rounded(fits, 15);
        BlockQ2_K b{{}, {}, rounded.d, rounded.m};
        for (std::size_t j = 0; j < 16; ++j) {
            b.scales[j] = static_cast<std::uint8_t>(rounded.scales[j] | rounded.mins[j] << 4);
        }
        for (std::size_t j = 0; j < kSuperBlock; ++j) {
            std::uint8_t& byte = b.codes[j / 128 * 32 + j % 32];
            byte = static_cast<std::uint8_t>(byte | rounded.code(j / 16, x[j], 3) << (j % 128 / 32 * 2));
        }
        return b;
    });
}

namespace {

template <class Block>
Block encode_with_mins(const float* x, int levels, Search search, std::array<int, kSuperBlock>& codes) {
    const RoundedScales<8> rounded(fit_sub_blocks_of_32(x, levels, search), 63);
    Block b{};
    b.d = rounded.d;
    b.m = rounded.m;
    b.scales = ScalesAndMins{rounded.scales, rounded.mins}.pack();
    for (std::size_t j = 0; j < kSuperBlock; ++j) codes[j] = rounded.code(j / 32, x[j], levels);
    for (std::size_t j = 0; j < 128; ++j) {
        const std::size_t first = j / 32 * 64 + j % 32;
        b.codes[j] = static_cast<std::uint8_t>((codes[first] & 15) | (codes[first + 32] & 15) << 4);
    }
    return b;
}

}  // namespace

void encode_q4_K(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockQ4_K, kSuperBlock>(values, blocks, n, [](const float* x) {
        std::array<int, kSuperBlock> codes{};
        return encode_with_mins<BlockQ4_K>(x, 15, {-1.0F, 0.1F, 20, false}, codes);
    });
}

void encode_q5_K(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockQ5_K, kSuperBlock>(values, blocks, n, [](const float* x) {
        std::array<int, kSuperBlock> codes{};
        BlockQ5_K b = encode_with_mins<BlockQ5_K>(x, 31, {-0.5F, 0.1F, 15, false}, codes);
        for (std::size_t j = 0; j < kSuperBlock; ++j) {
            b.high[j % 32] = static_cast<std::uint8_t>(b.high[j % 32] | (codes[j] >> 4) << (j / 32));
        }
        return b;
    });
}

namespace {

constexpr float kTiny = 1e-15F;

/// Sums for the least-squares fit of x ≈ scale · code, weighted by x².
struct Squares {
    float xl = 0.0F;
    float l2 = 0.0F;
    void add(float x, int code) {
        const float w = x * x;
        const auto l = static_cast<float>(code);
        xl += w * x * l;
        l2 += w * l * l;
    }
    void remove(float x, int code) {
        const float w = x * x;
        const auto l = static_cast<float>(code);
        xl -= w * x * l;
        l2 -= w * l * l;
    }
    float scale() const { return l2 > 0.0F ? xl / l2 : 0.0F; }
};

/// Scale for codes −levels … levels − 1: rounds, then changes single codes while the error decreases.
float fit_scale_by_moves(std::span<const float> x, int levels) {
    const float extreme = signed_extreme(x);
    if (std::fabs(extreme) < kTiny) return 0.0F;
    const float inverse = static_cast<float>(-levels) / extreme;
    std::array<int, 16> codes{};
    Squares sums;
    for (std::size_t i = 0; i < x.size(); ++i) {
        codes[i] = std::clamp(nearest(inverse * x[i]), -levels, levels - 1);
        sums.add(x[i], codes[i]);
    }
    constexpr int kRounds = 5;
    for (int round = 0; round < kRounds; ++round) {
        bool changed = false;
        for (std::size_t i = 0; i < x.size(); ++i) {
            Squares others = sums;
            others.remove(x[i], codes[i]);
            if (!(others.xl > 0.0F)) continue;
            const int code = std::clamp(nearest(x[i] * others.l2 / others.xl), -levels, levels - 1);
            if (code == codes[i]) continue;
            others.add(x[i], code);
            if (others.l2 > 0.0F && others.xl * others.xl * sums.l2 > sums.xl * sums.xl * others.l2) {
                codes[i] = code;
                sums = others;
                changed = true;
            }
        }
        if (!changed) break;
    }
    return sums.scale();
}

/// Scale for codes −levels … levels − 1: the best of several roundings.
float fit_scale_by_steps(std::span<const float> x, int levels) {
    const float extreme = signed_extreme(x);
    if (std::fabs(extreme) < kTiny) return 0.0F;
    const auto sums_at = [&](float inverse) {
        Squares sums;
        for (const float v : x) sums.add(v, std::clamp(nearest(inverse * v), -levels, levels - 1));
        return sums;
    };
    const Squares plain = sums_at(static_cast<float>(-levels) / extreme);
    float scale = plain.scale();
    float best = scale * plain.xl;
    constexpr int kSteps = 9;
    for (int step = -kSteps; step <= kSteps; ++step) {
        if (step == 0) continue;
        const Squares sums =
            sums_at(-(static_cast<float>(levels) + 0.1F * static_cast<float>(step)) / extreme);
        if (sums.l2 > 0.0F && sums.xl * sums.xl > best * sums.l2) {
            scale = sums.scale();
            best = scale * sums.xl;
        }
    }
    return scale;
}

}  // namespace

void encode_q3_K(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockQ3_K, kSuperBlock>(values, blocks, n, [](const float* x) {
        std::array<float, 16> fits{};
        for (std::size_t j = 0; j < 16; ++j) fits[j] = fit_scale_by_moves({x + j * 16, 16}, 4);
        BlockQ3_K b{};
        const float extreme = signed_extreme(fits);
        std::array<std::uint8_t, 16> scales{};
        if (extreme != 0.0F) {
            const float inverse = -32.0F / extreme;
            for (std::size_t j = 0; j < 16; ++j) {
                scales[j] = static_cast<std::uint8_t>(std::clamp(nearest(inverse * fits[j]), -32, 31) + 32);
            }
            b.d = f32_to_f16(1.0F / inverse);
            b.scales = pack_scales(scales);
        }
        for (std::size_t j = 0; j < kSuperBlock; ++j) {
            // If all scales are zero, the packed scales are zero, which means −32.
            const float scale = f16_to_f32(b.d) * static_cast<float>(scales[j / 16] - 32);
            const int code = scale != 0.0F ? std::clamp(nearest(x[j] / scale), -4, 3) + 4 : 4;
            std::uint8_t& byte = b.codes[j / 128 * 32 + j % 32];
            byte = static_cast<std::uint8_t>(byte | (code & 3) << (j % 128 / 32 * 2));
            b.high[j % 32] = static_cast<std::uint8_t>(b.high[j % 32] | (code >> 2) << (j / 32));
        }
        return b;
    });
}

void encode_q6_K(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockQ6_K, kSuperBlock>(values, blocks, n, [](const float* x) {
        std::array<float, 16> fits{};
        for (std::size_t j = 0; j < 16; ++j) fits[j] = fit_scale_by_steps({x + j * 16, 16}, 32);
        BlockQ6_K b{};
        const float extreme = signed_extreme(fits);
        if (std::fabs(extreme) < kTiny) return b;
        const float inverse = -128.0F / extreme;
        b.d = f32_to_f16(1.0F / inverse);
        for (std::size_t j = 0; j < 16; ++j) {
            b.scales[j] = static_cast<std::int8_t>(std::clamp(nearest(inverse * fits[j]), -128, 127));
        }
        for (std::size_t j = 0; j < kSuperBlock; ++j) {
            const float scale = f16_to_f32(b.d) * static_cast<float>(b.scales[j / 16]);
            const int code = scale != 0.0F ? std::clamp(nearest(x[j] / scale), -32, 31) + 32 : 32;
            std::uint8_t& low = b.low[j / 128 * 64 + j % 64];
            low = static_cast<std::uint8_t>(low | (code & 15) << (j % 128 / 64 * 4));
            std::uint8_t& high = b.high[j / 128 * 32 + j % 32];
            high = static_cast<std::uint8_t>(high | (code >> 4) << (j % 128 / 32 * 2));
        }
        return b;
    });
}

void encode_q8_K(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockQ8_K, kSuperBlock>(values, blocks, n, [](const float* x) {
        BlockQ8_K b{};
        const float extreme = signed_extreme({x, kSuperBlock});
        if (extreme == 0.0F) return b;
        const float inverse = -127.0F / extreme;
        for (std::size_t j = 0; j < kSuperBlock; ++j) {
            const int code = std::min(127, nearest(inverse * x[j]));
            b.codes[j] = static_cast<std::int8_t>(code);
            b.sums[j / 16] = static_cast<std::int16_t>(b.sums[j / 16] + code);
        }
        b.d = 1.0F / inverse;
        return b;
    });
}

}  // namespace splitscope::quants
