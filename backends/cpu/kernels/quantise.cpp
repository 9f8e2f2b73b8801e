// SPDX-License-Identifier: MIT
#include <bit>

#include "backends/cpu/kernels/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/quantise.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace splitscope::cpu::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Half of the smallest summed group fits any vector.
using D = hn::CappedTag<float, 16>;
using DI = hn::Rebind<std::int32_t, D>;
using DU = hn::Rebind<std::uint32_t, D>;

constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));

/// Maximum magnitude, compared as bits so that NaN, which compares larger, is kept.
HWY_INLINE float LargestMagnitude(const float* x, std::int64_t n) {
    const D d;
    const DU du;
    auto largest = hn::Zero(du);
    for (std::int64_t i = 0; i < n; i += kLanes) {
        largest = hn::Max(largest, hn::BitCast(du, hn::Abs(hn::LoadU(d, x + i))));
    }
    return std::bit_cast<float>(hn::GetLane(hn::MaxOfLanes(du, largest)));
}

/// Rounds scaled values half to even and stores them; NaN and infinities become 0. Returns the sum.
HWY_INLINE std::int32_t StoreCodes(const float* x, float factor, std::int64_t n, std::int8_t* codes) {
    const D d;
    const DI di;
    const hn::Rebind<std::int8_t, D> d8;
    auto sum = hn::Zero(di);
    for (std::int64_t i = 0; i < n; i += kLanes) {
        const auto rounded = hn::Round(hn::Mul(hn::LoadU(d, x + i), hn::Set(d, factor)));
        const auto fits = hn::Le(hn::Abs(rounded), hn::Set(d, 128.0F));
        const auto code = hn::Min(hn::ConvertTo(di, hn::IfThenElseZero(fits, rounded)), hn::Set(di, 127));
        hn::StoreU(hn::DemoteTo(d8, code), d8, codes + i);
        sum = hn::Add(sum, code);
    }
    return hn::GetLane(hn::SumOfLanes(di, sum));
}

void QuantiseSmall(const float* x, std::int64_t n, int group, std::int8_t* codes, float* largest,
                   std::int32_t* code_sums) {
    for (std::int64_t i = 0; i < n; i += 32) {
        const float m = LargestMagnitude(x + i, 32);
        *largest++ = m;
        // Not a multiplication by 1 / d: ggml divides, and codes at rounding boundaries can differ.
        const float factor = m != 0.0F ? 127.0F / m : 0.0F;
        for (int j = 0; j < 32; j += group)
            *code_sums++ = StoreCodes(x + i + j, factor, group, codes + i + j);
    }
}

float QuantiseSuper(const float* x, int group, std::int8_t* codes, std::int32_t* code_sums) {
    constexpr int kSuper = 256;
    const float m = LargestMagnitude(x, kSuper);
    float extreme = m;
    if (m == m) {
        const D d;
        for (std::int64_t i = 0; i < kSuper; i += kLanes) {
            const auto v = hn::LoadU(d, x + i);
            const auto at = hn::FindFirstTrue(d, hn::Eq(hn::Abs(v), hn::Set(d, m)));
            if (at >= 0) {
                extreme = x[i + at];
                break;
            }
        }
    }
    const float inverse = extreme != 0.0F ? -127.0F / extreme : 0.0F;
    for (int j = 0; j < kSuper; j += group) *code_sums++ = StoreCodes(x + j, inverse, group, codes + j);
    return extreme;
}

}  // namespace HWY_NAMESPACE
}  // namespace splitscope::cpu::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace splitscope::cpu::kernels {

HWY_EXPORT(QuantiseSmall);
HWY_EXPORT(QuantiseSuper);

void quantise_small(const float* x, std::int64_t n, int group, std::int8_t* codes, float* largest,
                    std::int32_t* code_sums) {
    HWY_DYNAMIC_DISPATCH(QuantiseSmall)(x, n, group, codes, largest, code_sums);
}
float quantise_super(const float* x, int group, std::int8_t* codes, std::int32_t* code_sums) {
    return HWY_DYNAMIC_DISPATCH(QuantiseSuper)(x, group, codes, code_sums);
}

}  // namespace splitscope::cpu::kernels
#endif
