// SPDX-License-Identifier: MIT
#include <cmath>

#include "backends/cpu/kernels/kernels.hpp"
#include "engine/tensor/quants/half.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/weighted_rows.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace splitscope::cpu::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

struct F32Rows {
    using T = float;
    static HWY_INLINE V load(const float* p) { return hn::LoadU(D(), p); }
    static float value(float v) { return v; }
};
struct F16Rows {
    using T = std::uint16_t;
    static HWY_INLINE V load(const std::uint16_t* p) {
        const hn::Rebind<hwy::float16_t, D> dh;
        return hn::PromoteTo(D(), hn::LoadU(dh, reinterpret_cast<const hwy::float16_t*>(p)));
    }
    static float value(std::uint16_t v) { return splitscope::f16_to_f32(v); }
};
struct Bf16Rows {
    using T = std::uint16_t;
    static HWY_INLINE V load(const std::uint16_t* p) {
        const hn::Rebind<hwy::bfloat16_t, D> dh;
        return hn::PromoteTo(D(), hn::LoadU(dh, reinterpret_cast<const hwy::bfloat16_t*>(p)));
    }
    static float value(std::uint16_t v) { return splitscope::bf16_to_f32(v); }
};

/// Q sums of the rows' vectors i and, when N is 2, the next.
template <class W, int Q, int N>
HWY_INLINE void SumBlock(const WeightedRows& t, int q, std::int64_t i) {
    const D d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    V total[Q][N];
    for (int j = 0; j < Q; ++j) {
        for (int v = 0; v < N; ++v)
            total[j][v] = hn::LoadU(d, t.out + (q + j) * t.out_stride + i + v * lanes);
    }
    for (std::int64_t r = 0; r < t.rows; ++r) {
        const auto* row = reinterpret_cast<const typename W::T*>(t.values + r * t.values_stride);
        V value[N];
        for (int v = 0; v < N; ++v) value[v] = W::load(row + i + v * lanes);
        for (int j = 0; j < Q; ++j) {
            const V weight = hn::Set(d, t.weights[(q + j) * t.weights_stride + r]);
            for (int v = 0; v < N; ++v) total[j][v] = hn::MulAdd(weight, value[v], total[j][v]);
        }
    }
    for (int j = 0; j < Q; ++j) {
        for (int v = 0; v < N; ++v)
            hn::StoreU(total[j][v], d, t.out + (q + j) * t.out_stride + i + v * lanes);
    }
}

template <class W, int Q>
HWY_INLINE void SumQueries(const WeightedRows& t, int q) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(D()));
    std::int64_t i = 0;
    for (; i + 2 * lanes <= t.width; i += 2 * lanes) SumBlock<W, Q, 2>(t, q, i);
    for (; i + lanes <= t.width; i += lanes) SumBlock<W, Q, 1>(t, q, i);
    for (; i < t.width; ++i) {
        for (int j = 0; j < Q; ++j) {
            float& out = t.out[(q + j) * t.out_stride + i];
            for (std::int64_t r = 0; r < t.rows; ++r) {
                const auto* row = reinterpret_cast<const typename W::T*>(t.values + r * t.values_stride);
                out += t.weights[(q + j) * t.weights_stride + r] * W::value(row[i]);
            }
        }
    }
}

template <class W>
void SumOf(const WeightedRows& t) {
    int q = 0;
    for (; q + 4 <= t.sums; q += 4) SumQueries<W, 4>(t, q);
    for (; q < t.sums; ++q) SumQueries<W, 1>(t, q);
}

void AddWeightedRows(const WeightedRows& t) {
    switch (t.format) {
        case FloatFormat::f32:
            return SumOf<F32Rows>(t);
        case FloatFormat::f16:
            return SumOf<F16Rows>(t);
        case FloatFormat::bf16:
            return SumOf<Bf16Rows>(t);
    }
}

/// To the nearest half-precision value, ties to even.
HWY_INLINE V rounded(V x) {
    const D d;
#if HWY_TARGET <= HWY_AVX2
    const hn::Rebind<hwy::float16_t, D> dh;
    return hn::PromoteTo(d, hn::DemoteTo(dh, x));
#else
    // Without F16C, Highway's conversion truncates.
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::BitCast(du, x);
    const auto odd = hn::And(hn::ShiftRight<13>(bits), hn::Set(du, 1U));
    const auto sum = hn::Add(bits, hn::Add(odd, hn::Set(du, 0xFFFU)));
    const V normal = hn::BitCast(d, hn::And(sum, hn::Set(du, 0xFFFFE000U)));
    // Multiples of 2^-24: the last place of a float near 0.75.
    const V magic = hn::Set(d, 0.75F);
    const V subnormal = hn::Sub(hn::Add(x, magic), magic);
    return hn::IfThenElse(hn::Lt(hn::Abs(x), hn::Set(d, 0x1p-14F)), subnormal, normal);
#endif
}

/// N vectors of the sum from element i on.
template <int N>
HWY_INLINE void AddHalfBlock(const HalfRows& t, std::int64_t i) {
    const D d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    V total[N];
    for (int v = 0; v < N; ++v) total[v] = hn::LoadU(d, t.out + i + v * lanes);
    for (std::int64_t r = 0; r < t.rows; ++r) {
        if (t.steps[r] < 0.0F) continue;
        const auto* row = reinterpret_cast<const std::uint16_t*>(t.values + r * t.values_stride);
        if (t.steps[r] != 1.0F) {
            const V step = hn::Set(d, t.steps[r]);
            for (int v = 0; v < N; ++v) total[v] = rounded(hn::Mul(total[v], step));
        }
        const V weight = hn::Set(d, t.weights[r]);
        for (int v = 0; v < N; ++v)
            total[v] = rounded(hn::MulAdd(weight, F16Rows::load(row + i + v * lanes), total[v]));
    }
    for (int v = 0; v < N; ++v) hn::StoreU(total[v], d, t.out + i + v * lanes);
}

void AddHalfRows(const HalfRows& t) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(D()));
    std::int64_t i = 0;
    for (; i + 4 * lanes <= t.width; i += 4 * lanes) AddHalfBlock<4>(t, i);
    for (; i + lanes <= t.width; i += lanes) AddHalfBlock<1>(t, i);
    const auto round = [](float x) { return splitscope::f16_to_f32(splitscope::f32_to_f16(x)); };
    for (; i < t.width; ++i) {
        float& out = t.out[i];
        for (std::int64_t r = 0; r < t.rows; ++r) {
            if (t.steps[r] < 0.0F) continue;
            const auto* row = reinterpret_cast<const std::uint16_t*>(t.values + r * t.values_stride);
            out = round(std::fma(t.weights[r], F16Rows::value(row[i]), round(out * t.steps[r])));
        }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace splitscope::cpu::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace splitscope::cpu::kernels {

HWY_EXPORT(AddHalfRows);
HWY_EXPORT(AddWeightedRows);

void add_half_rows(const HalfRows& rows) {
    HWY_DYNAMIC_DISPATCH(AddHalfRows)(rows);
}

void add_weighted_rows(const WeightedRows& rows) {
    HWY_DYNAMIC_DISPATCH(AddWeightedRows)(rows);
}

}  // namespace splitscope::cpu::kernels
#endif
