// SPDX-License-Identifier: MIT

#include "backends/cpu/kernels/avx2_stream.hpp"
#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/kernels/stream_distance.hpp"
#include "backends/cpu/kernels/vnni.hpp"
#include "engine/tensor/quants/half.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/tiles.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace splitscope::cpu::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// Accumulators of rows × columns must fit the registers: 32 with AVX-512, otherwise 16.
constexpr int kTileRows = 4;
constexpr int kTileColumns = HWY_TARGET <= HWY_AVX3 ? 4 : 2;

struct F32Weights {
    using T = float;
    static HWY_INLINE V load(const float* p) { return hn::LoadU(D(), p); }
    static float value(float w) { return w; }
};
struct F16Weights {
    using T = std::uint16_t;
    static HWY_INLINE V load(const std::uint16_t* p) {
        const hn::Rebind<hwy::float16_t, D> dh;
        return hn::PromoteTo(D(), hn::LoadU(dh, reinterpret_cast<const hwy::float16_t*>(p)));
    }
    static float value(std::uint16_t w) { return splitscope::f16_to_f32(w); }
};
struct Bf16Weights {
    using T = std::uint16_t;
    static HWY_INLINE V load(const std::uint16_t* p) {
        const hn::Rebind<hwy::bfloat16_t, D> dh;
        return hn::PromoteTo(D(), hn::LoadU(dh, reinterpret_cast<const hwy::bfloat16_t*>(p)));
    }
    static float value(std::uint16_t w) { return splitscope::bf16_to_f32(w); }
};

/// R rows by C columns at (row, column) of the tile. The summation order is independent of R and C.
template <class W, int R, int C>
HWY_INLINE void FloatBlock(const FloatTile& t, int row, int column) {
    const D d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const typename W::T* w[R];
    const float* x[C];
    for (int r = 0; r < R; ++r) {
        w[r] = reinterpret_cast<const typename W::T*>(t.weights + (row + r) * t.weights_stride);
    }
    for (int c = 0; c < C; ++c) x[c] = t.x + (column + c) * t.x_stride;
    V total[R][C];
    for (int r = 0; r < R; ++r) {
        for (int c = 0; c < C; ++c) total[r][c] = hn::Zero(d);
    }
    std::int64_t k = 0;
    for (; k + lanes <= t.depth; k += lanes) {
        V wk[R];
        for (int r = 0; r < R; ++r) wk[r] = W::load(w[r] + k);
        for (int c = 0; c < C; ++c) {
            const V xk = hn::LoadU(d, x[c] + k);
            for (int r = 0; r < R; ++r) total[r][c] = hn::MulAdd(wk[r], xk, total[r][c]);
        }
    }
    for (int r = 0; r < R; ++r) {
        for (int c = 0; c < C; ++c) {
            float result = hn::GetLane(hn::SumOfLanes(d, total[r][c]));
            for (std::int64_t i = k; i < t.depth; ++i) result += W::value(w[r][i]) * x[c][i];
            t.out[(column + c) * t.out_stride + row + r] = result;
        }
    }
}

/// Divides the tile into blocks of at most kTileRows by kTileColumns.
template <class Block4x4, class Block4x1, class Block1x4, class Block1x1>
HWY_INLINE void cover(int rows, int columns, Block4x4&& full, Block4x1&& one_column, Block1x4&& one_row,
                      Block1x1&& single) {
    int c = 0;
    for (; c + kTileColumns <= columns; c += kTileColumns) {
        int r = 0;
        for (; r + kTileRows <= rows; r += kTileRows) full(r, c);
        for (; r < rows; ++r) one_row(r, c);
    }
    for (; c < columns; ++c) {
        int r = 0;
        for (; r + kTileRows <= rows; r += kTileRows) one_column(r, c);
        for (; r < rows; ++r) single(r, c);
    }
}

// Rows that are multiplied with one column at a time, and sums of each, within the registers.
constexpr int kStreams = HWY_TARGET <= HWY_AVX3 ? 8 : 4;
constexpr int kSums = 2;

/// R rows times one column, each row a stream of its own. The summation order is independent of R.
template <class W, int R, bool Prefetch = true>
HWY_INLINE void FloatStreams(const FloatTile& t, int row) {
    const D d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(typename W::T));
    const std::byte* w = t.weights + row * t.weights_stride;
    const auto weights_of = [&](int r) {
        return reinterpret_cast<const typename W::T*>(w + r * t.weights_stride);
    };
    V total[R][kSums];
    for (int r = 0; r < R; ++r) {
        for (int i = 0; i < kSums; ++i) total[r][i] = hn::Zero(d);
    }
    std::int64_t k = 0;
    for (; k + kSums * lanes <= t.depth; k += kSums * lanes) {
        if constexpr (Prefetch) {
            const std::int64_t ahead = position_ahead(k * kSize, t.depth * kSize, R * t.weights_stride);
            for (int r = 0; r < R; ++r) {
                for (std::int64_t i = 0; i < kSums * lanes * kSize; i += 64)
                    hwy::Prefetch(w + r * t.weights_stride + ahead + i);
            }
        }
        for (int i = 0; i < kSums; ++i) {
            const V xk = hn::LoadU(d, t.x + k + i * lanes);
            for (int r = 0; r < R; ++r)
                total[r][i] = hn::MulAdd(W::load(weights_of(r) + k + i * lanes), xk, total[r][i]);
        }
    }
    for (; k + lanes <= t.depth; k += lanes) {
        const V xk = hn::LoadU(d, t.x + k);
        for (int r = 0; r < R; ++r) total[r][0] = hn::MulAdd(W::load(weights_of(r) + k), xk, total[r][0]);
    }
    for (int r = 0; r < R; ++r) {
        float result = hn::GetLane(hn::SumOfLanes(d, hn::Add(total[r][0], total[r][1])));
        for (std::int64_t i = k; i < t.depth; ++i) result += W::value(weights_of(r)[i]) * t.x[i];
        t.out[row + r] = result;
    }
}

template <class W>
void FloatTileOf(const FloatTile& t) {
    if (t.columns == 1 && t.single_rows) {
        for (int r = 0; r < t.rows; ++r) FloatStreams<W, 1, false>(t, r);
        return;
    }
    if (t.columns == 1) {
        int r = 0;
        for (; r + kStreams <= t.rows; r += kStreams) FloatStreams<W, kStreams>(t, r);
        for (; r < t.rows; ++r) FloatStreams<W, 1>(t, r);
        return;
    }
    cover(
        t.rows, t.columns, [&](int r, int c) HWY_ATTR { FloatBlock<W, kTileRows, kTileColumns>(t, r, c); },
        [&](int r, int c) HWY_ATTR { FloatBlock<W, kTileRows, 1>(t, r, c); },
        [&](int r, int c) HWY_ATTR { FloatBlock<W, 1, kTileColumns>(t, r, c); },
        [&](int r, int c) HWY_ATTR { FloatBlock<W, 1, 1>(t, r, c); });
}

void MultiplyFloatTile(const FloatTile& t) {
    switch (t.format) {
        case FloatFormat::f32:
            return FloatTileOf<F32Weights>(t);
        case FloatFormat::f16:
            return FloatTileOf<F16Weights>(t);
        case FloatFormat::bf16:
            return FloatTileOf<Bf16Weights>(t);
    }
}

/// G: number of elements per weight scale. A vector of 16-bit products never crosses a group.
template <int G, int R, int C>
HWY_INLINE void ByteBlock(const ByteTile& t, int row, int column) {
    const hn::CappedTag<std::int16_t, G> d16;
    const hn::Rebind<std::int8_t, decltype(d16)> d8;
    const hn::RepartitionToWide<decltype(d16)> d32;
    const hn::Rebind<float, decltype(d32)> df;
    using VF = hn::Vec<decltype(df)>;
    constexpr int kWidth = static_cast<int>(hn::MaxLanes(d16));

    const std::int64_t groups = t.depth / G;
    const std::int8_t* w[R];
    const std::int8_t* x[C];
    for (int r = 0; r < R; ++r) w[r] = t.weights.codes + (row + r) * t.depth;
    for (int c = 0; c < C; ++c) x[c] = t.x.codes + (column + c) * t.depth;
    VF total[R][C];
    for (int r = 0; r < R; ++r) {
        for (int c = 0; c < C; ++c) total[r][c] = hn::Zero(df);
    }
    for (std::int64_t g = 0; g < groups; ++g) {
        hn::Vec<decltype(d32)> products[R][C];
        for (int r = 0; r < R; ++r) {
            for (int c = 0; c < C; ++c) products[r][c] = hn::Zero(d32);
        }
        for (int k = 0; k < G; k += kWidth) {
            hn::Vec<decltype(d16)> wk[R];
            for (int r = 0; r < R; ++r) wk[r] = hn::PromoteTo(d16, hn::LoadU(d8, w[r] + g * G + k));
            for (int c = 0; c < C; ++c) {
                const auto xk = hn::PromoteTo(d16, hn::LoadU(d8, x[c] + g * G + k));
                for (int r = 0; r < R; ++r) {
                    auto upper = hn::Zero(d32);
                    products[r][c] = hn::ReorderWidenMulAccumulate(d32, wk[r], xk, products[r][c], upper);
                    products[r][c] = hn::Add(products[r][c], upper);
                }
            }
        }
        for (int c = 0; c < C; ++c) {
            const float x_scale = t.x.scales[(column + c) * (t.depth / 32) + g * G / 32];
            for (int r = 0; r < R; ++r) {
                const float both = t.weights.scales[(row + r) * groups + g] * x_scale;
                total[r][c] = hn::MulAdd(hn::ConvertTo(df, products[r][c]), hn::Set(df, both), total[r][c]);
            }
        }
    }
    for (int r = 0; r < R; ++r) {
        for (int c = 0; c < C; ++c) {
            float result = hn::GetLane(hn::SumOfLanes(df, total[r][c]));
            if (t.weights.mins != nullptr) {
                const float* mins = t.weights.mins + (row + r) * groups;
                const float* sums = t.x_sums + (column + c) * groups;
                for (std::int64_t g = 0; g < groups; ++g) result += mins[g] * sums[g];
            }
            t.out[(column + c) * t.out_stride + row + r] = result;
        }
    }
}

template <int G>
void ByteTileOf(const ByteTile& t) {
    cover(
        t.rows, t.columns, [&](int r, int c) HWY_ATTR { ByteBlock<G, kTileRows, kTileColumns>(t, r, c); },
        [&](int r, int c) HWY_ATTR { ByteBlock<G, kTileRows, 1>(t, r, c); },
        [&](int r, int c) HWY_ATTR { ByteBlock<G, 1, kTileColumns>(t, r, c); },
        [&](int r, int c) HWY_ATTR { ByteBlock<G, 1, 1>(t, r, c); });
}

void MultiplyByteTile(const ByteTile& t) {
    if (t.group == 16) {
        ByteTileOf<16>(t);
    } else {
        ByteTileOf<32>(t);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace splitscope::cpu::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace splitscope::cpu::kernels {

HWY_EXPORT(MultiplyFloatTile);
HWY_EXPORT(MultiplyByteTile);

void multiply_tile(const FloatTile& tile) {
    HWY_DYNAMIC_DISPATCH(MultiplyFloatTile)(tile);
}
void multiply_tile(const ByteTile& tile) {
    if (has_vnni()) {
        multiply_tile_vnni(tile);
    } else {
        HWY_DYNAMIC_DISPATCH(MultiplyByteTile)(tile);
    }
}
std::int64_t arranged_bytes(ElementType type, std::int64_t depth) {
    if (has_vnni()) return arranged_bytes_vnni(type, depth);
    return has_avx2() ? arranged_bytes_avx2(type, depth) : 0;
}
void arrange(ElementType type, std::int64_t depth, const ByteRows& x, const float* x_sums, std::byte* out) {
    if (has_vnni()) {
        arrange_vnni(type, depth, x, x_sums, out);
    } else if (has_avx2()) {
        arrange_avx2(type, depth, x.codes, out);
    }
}
bool multiply_stream(const StreamTile& tile) {
    return has_vnni() ? multiply_stream_vnni(tile) : has_avx2() && multiply_stream_avx2(tile);
}

}  // namespace splitscope::cpu::kernels
#endif
