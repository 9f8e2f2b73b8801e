// SPDX-License-Identifier: MIT
#include <limits>

#include "backends/cpu/kernels/kernels.hpp"
#include "engine/tensor/quants/half.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/vector_ops.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace splitscope::cpu::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
using DF16 = hn::Rebind<hwy::float16_t, D>;
using DBF16 = hn::Rebind<hwy::bfloat16_t, D>;

constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));

/// Calls body(i) for whole vectors and returns the start of the remainder.
template <class Body>
HWY_INLINE std::int64_t whole_vectors(std::int64_t n, Body&& body) {
    std::int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) body(i);
    return i;
}

/// Applies `f` element-wise; the remainder is processed by the same code through a small copy.
template <class F>
HWY_INLINE void map(const float* a, float* out, std::int64_t n, F&& f) {
    const D d;
    const std::int64_t rest =
        whole_vectors(n, [&](std::int64_t i) HWY_ATTR { hn::StoreU(f(hn::LoadU(d, a + i)), d, out + i); });
    if (rest == n) return;
    HWY_ALIGN float tail[hn::MaxLanes(D())] = {};
    for (std::int64_t i = rest; i < n; ++i) tail[i - rest] = a[i];
    hn::Store(f(hn::Load(d, tail)), d, tail);
    for (std::int64_t i = rest; i < n; ++i) out[i] = tail[i - rest];
}

template <class F>
HWY_INLINE void map2(const float* a, const float* b, float* out, std::int64_t n, F&& f) {
    const D d;
    const std::int64_t rest = whole_vectors(n, [&](std::int64_t i) HWY_ATTR {
        hn::StoreU(f(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
    });
    if (rest == n) return;
    HWY_ALIGN float tail_a[hn::MaxLanes(D())] = {};
    HWY_ALIGN float tail_b[hn::MaxLanes(D())] = {};
    for (std::int64_t i = rest; i < n; ++i) {
        tail_a[i - rest] = a[i];
        tail_b[i - rest] = b[i];
    }
    hn::Store(f(hn::Load(d, tail_a), hn::Load(d, tail_b)), d, tail_a);
    for (std::int64_t i = rest; i < n; ++i) out[i] = tail_a[i - rest];
}

void F16ToF32(const std::uint16_t* in, float* out, std::int64_t n) {
    std::int64_t rest = 0;
#if HWY_TARGET <= HWY_AVX2 || !HWY_ARCH_X86
    // Without a dedicated instruction, the library treats infinity as finite.
    const D d;
    const DF16 dh;
    const auto* half = reinterpret_cast<const hwy::float16_t*>(in);
    rest = whole_vectors(n, [&](std::int64_t i) HWY_ATTR {
        hn::StoreU(hn::PromoteTo(d, hn::LoadU(dh, half + i)), d, out + i);
    });
#endif
    for (std::int64_t i = rest; i < n; ++i) out[i] = splitscope::f16_to_f32(in[i]);
}

void Bf16ToF32(const std::uint16_t* in, float* out, std::int64_t n) {
    const D d;
    const DBF16 dh;
    const auto* half = reinterpret_cast<const hwy::bfloat16_t*>(in);
    const std::int64_t rest = whole_vectors(n, [&](std::int64_t i) HWY_ATTR {
        hn::StoreU(hn::PromoteTo(d, hn::LoadU(dh, half + i)), d, out + i);
    });
    for (std::int64_t i = rest; i < n; ++i) out[i] = splitscope::bf16_to_f32(in[i]);
}

void F32ToF16(const float* in, std::uint16_t* out, std::int64_t n) {
    std::int64_t rest = 0;
#if HWY_TARGET <= HWY_AVX2
    // Only the hardware conversion rounds to nearest.
    const D d;
    const DF16 dh;
    auto* half = reinterpret_cast<hwy::float16_t*>(out);
    rest = whole_vectors(n, [&](std::int64_t i) HWY_ATTR {
        hn::StoreU(hn::DemoteTo(dh, hn::LoadU(d, in + i)), dh, half + i);
    });
#endif
    for (std::int64_t i = rest; i < n; ++i) out[i] = splitscope::f32_to_f16(in[i]);
}

void F32ToBf16(const float* in, std::uint16_t* out, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = splitscope::f32_to_bf16(in[i]);
}

void Add(const float* a, const float* b, float* out, std::int64_t n) {
    map2(a, b, out, n, [](V x, V y) HWY_ATTR { return hn::Add(x, y); });
}
void Subtract(const float* a, const float* b, float* out, std::int64_t n) {
    map2(a, b, out, n, [](V x, V y) HWY_ATTR { return hn::Sub(x, y); });
}
void Multiply(const float* a, const float* b, float* out, std::int64_t n) {
    map2(a, b, out, n, [](V x, V y) HWY_ATTR { return hn::Mul(x, y); });
}
void Divide(const float* a, const float* b, float* out, std::int64_t n) {
    map2(a, b, out, n, [](V x, V y) HWY_ATTR { return hn::Div(x, y); });
}
void Scale(const float* a, float factor, float bias, float* out, std::int64_t n) {
    const D d;
    const V f = hn::Set(d, factor);
    const V b = hn::Set(d, bias);
    map(a, out, n, [f, b](V x) HWY_ATTR { return hn::MulAdd(x, f, b); });
}
void AddScaled(const float* a, float factor, float* out, std::int64_t n) {
    const V f = hn::Set(D(), factor);
    map2(a, out, out, n, [f](V x, V y) HWY_ATTR { return hn::MulAdd(x, f, y); });
}

/// e^x, exact at the limits: 0 for −∞, ∞ for large x, NaN for NaN.
HWY_INLINE V ExpV(V x) {
    const D d;
    const V result = hn::Exp(d, hn::Min(x, hn::Set(d, 88.72283F)));
    const V saturated = hn::IfThenElse(hn::Gt(x, hn::Set(d, 88.72283F)), hn::Inf(d), result);
    return hn::IfThenElse(hn::IsNaN(x), x, saturated);
}

HWY_INLINE V SiluV(V x) {
    const D d;
    return hn::Div(x, hn::Add(hn::Set(d, 1.0F), ExpV(hn::Neg(x))));
}

void Silu(const float* a, float* out, std::int64_t n) {
    map(a, out, n, [](V x) HWY_ATTR { return SiluV(x); });
}
void SiluMultiply(const float* a, const float* b, float* out, std::int64_t n) {
    map2(a, b, out, n, [](V x, V y) HWY_ATTR { return hn::Mul(SiluV(x), y); });
}

/// Σ f(a) over `n` elements in double precision, so that the order does not affect the rounded result.
template <class F>
HWY_INLINE double SumInDoubles(const float* a, std::int64_t n, F&& f) {
    const hn::ScalableTag<double> dd;
    const hn::Rebind<float, decltype(dd)> df;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(dd));
    auto total0 = hn::Zero(dd);
    auto total1 = hn::Zero(dd);
    std::int64_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        total0 = hn::Add(total0, hn::PromoteTo(dd, f(df, hn::LoadU(df, a + i))));
        total1 = hn::Add(total1, hn::PromoteTo(dd, f(df, hn::LoadU(df, a + i + lanes))));
    }
    double result = hn::GetLane(hn::SumOfLanes(dd, hn::Add(total0, total1)));
    const hn::CappedTag<float, 1> d1;
    for (; i < n; ++i) result += static_cast<double>(hn::GetLane(f(d1, hn::LoadU(d1, a + i))));
    return result;
}

double Sum(const float* a, std::int64_t n) {
    return SumInDoubles(a, n, [](auto, auto x) HWY_ATTR { return x; });
}

double SumOfSquares(const float* a, float mean, std::int64_t n) {
    return SumInDoubles(a, n, [mean](auto d, auto x) HWY_ATTR {
        const auto centred = hn::Sub(x, hn::Set(d, mean));
        return hn::Mul(centred, centred);
    });
}

float Maximum(const float* a, std::int64_t n) {
    const D d;
    V largest = hn::Set(d, -std::numeric_limits<float>::infinity());
    const std::int64_t rest =
        whole_vectors(n, [&](std::int64_t i) HWY_ATTR { largest = hn::Max(largest, hn::LoadU(d, a + i)); });
    float result = hn::GetLane(hn::MaxOfLanes(d, largest));
    for (std::int64_t i = rest; i < n; ++i) result = a[i] > result ? a[i] : result;
    return result;
}

float Dot(const float* a, const float* b, std::int64_t n) {
    const D d;
    V total = hn::Zero(d);
    const std::int64_t rest = whole_vectors(n, [&](std::int64_t i) HWY_ATTR {
        total = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), total);
    });
    float result = hn::GetLane(hn::SumOfLanes(d, total));
    for (std::int64_t i = rest; i < n; ++i) result += a[i] * b[i];
    return result;
}

double ExpShifted(const float* a, float shift, float* out, std::int64_t n) {
    const D d;
    const V s = hn::Set(d, shift);
    map(a, out, n, [s](V x) HWY_ATTR { return ExpV(hn::Sub(x, s)); });
    return Sum(out, n);
}

}  // namespace HWY_NAMESPACE
}  // namespace splitscope::cpu::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace splitscope::cpu::kernels {

HWY_EXPORT(F16ToF32);
HWY_EXPORT(F32ToF16);
HWY_EXPORT(Bf16ToF32);
HWY_EXPORT(F32ToBf16);
HWY_EXPORT(Add);
HWY_EXPORT(Subtract);
HWY_EXPORT(Multiply);
HWY_EXPORT(Divide);
HWY_EXPORT(Scale);
HWY_EXPORT(AddScaled);
HWY_EXPORT(Silu);
HWY_EXPORT(SiluMultiply);
HWY_EXPORT(Sum);
HWY_EXPORT(SumOfSquares);
HWY_EXPORT(Maximum);
HWY_EXPORT(Dot);
HWY_EXPORT(ExpShifted);

void f16_to_f32(const std::uint16_t* in, float* out, std::int64_t n) {
    HWY_DYNAMIC_DISPATCH(F16ToF32)(in, out, n);
}
void f32_to_f16(const float* in, std::uint16_t* out, std::int64_t n) {
    HWY_DYNAMIC_DISPATCH(F32ToF16)(in, out, n);
}
void bf16_to_f32(const std::uint16_t* in, float* out, std::int64_t n) {
    HWY_DYNAMIC_DISPATCH(Bf16ToF32)(in, out, n);
}
void f32_to_bf16(const float* in, std::uint16_t* out, std::int64_t n) {
    HWY_DYNAMIC_DISPATCH(F32ToBf16)(in, out, n);
}
void add(const float* a, const float* b, float* out, std::int64_t n) {
    HWY_DYNAMIC_DISPATCH(Add)(a, b, out, n);
}
void subtract(const float* a, const float* b, float* out, std::int64_t n) {
    HWY_DYNAMIC_DISPATCH(Subtract)(a, b, out, n);
}
void multiply(const float* a, const float* b, float* out, std::int64_t n) {
    HWY_DYNAMIC_DISPATCH(Multiply)(a, b, out, n);
}
void divide(const float* a, const float* b, float* out, std::int64_t n) {
    HWY_DYNAMIC_DISPATCH(Divide)(a, b, out, n);
}
void scale(const float* a, float factor, float bias, float* out, std::int64_t n) {
    HWY_DYNAMIC_DISPATCH(Scale)(a, factor, bias, out, n);
}
void add_scaled(const float* a, float factor, float* out, std::int64_t n) {
    HWY_DYNAMIC_DISPATCH(AddScaled)(a, factor, out, n);
}
void silu(const float* a, float* out, std::int64_t n) {
    HWY_DYNAMIC_DISPATCH(Silu)(a, out, n);
}
void silu_multiply(const float* a, const float* b, float* out, std::int64_t n) {
    HWY_DYNAMIC_DISPATCH(SiluMultiply)(a, b, out, n);
}
double sum(const float* a, std::int64_t n) {
    return HWY_DYNAMIC_DISPATCH(Sum)(a, n);
}
double sum_of_squares(const float* a, float mean, std::int64_t n) {
    return HWY_DYNAMIC_DISPATCH(SumOfSquares)(a, mean, n);
}
float maximum(const float* a, std::int64_t n) {
    return HWY_DYNAMIC_DISPATCH(Maximum)(a, n);
}
float dot(const float* a, const float* b, std::int64_t n) {
    return HWY_DYNAMIC_DISPATCH(Dot)(a, b, n);
}
double exp_shifted(const float* a, float shift, float* out, std::int64_t n) {
    return HWY_DYNAMIC_DISPATCH(ExpShifted)(a, shift, out, n);
}

}  // namespace splitscope::cpu::kernels
#endif
