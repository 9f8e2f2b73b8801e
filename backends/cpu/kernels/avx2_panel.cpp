// SPDX-License-Identifier: MIT
// Panels of quantised weights for AVX2: codes of 32 rows are interleaved so that one vector holds four codes
// of each of eight rows, which are multiplied by four codes of every column at once.
#include "backends/cpu/kernels/avx2_panel.hpp"

#if defined(__x86_64__)

#include <algorithm>
#include <array>
#include <bit>

#include "backends/cpu/kernels/avx2_blocks.hpp"
#include "backends/cpu/kernels/avx2_codebooks.hpp"

namespace splitscope::cpu::kernels {
namespace {

using namespace avx2;

/// Elements of a row packed at a time: two super-blocks, small enough for the L1 cache.
constexpr std::int64_t kDepthPart = 512;
/// Rows of a vector, and vectors computed together.
constexpr int kLanes = 8;
constexpr int kVectors = 2;
/// Columns computed together; with two vectors of rows, their sums of products are in registers.
constexpr int kColumns = 4;

/// Codes by quad of elements and row; by group and row, factors (of super-blocks: words, twice each) and
/// mins; by block and row, scales. A block of other types is a group, without a factor.
struct Packed {
    explicit Packed(float* memory)
        : codes(reinterpret_cast<std::byte*>(memory)),
          factors(reinterpret_cast<std::int32_t*>(memory + kDepthPart * kPanelRows / 4)),
          scales(memory + kDepthPart * kPanelRows / 4 + kDepthPart / 16 * kPanelRows),
          mins(scales + kDepthPart / 16 * kPanelRows) {}

    static constexpr std::size_t kFloats = kPanelRows * (kDepthPart / 4 + 3 * kDepthPart / 16);
    static_assert(kFloats <= kPanelScratchFloats);

    std::byte* codes;
    std::int32_t* factors;
    float* scales;
    float* mins;
};

// Sources of the codes of rows. kMaxMagnitude is the largest magnitude of a code, which is below 0 only if
// kSigned. Those of small blocks have 32 codes from element `k` on, and scales and mins of `count` ≤ 8 groups
// from there.

template <class S>
struct SmallSource {
    static constexpr int kGroup = 32;
    static constexpr int kBlock = 32;
    static constexpr bool kSigned = S::kSigned;
    static constexpr int kMaxMagnitude = S::kMaxMagnitude;
    static constexpr bool kMins = S::kMins || S::kOffset != 0;

    SPLITSCOPE_AVX2 static __m256i codes(const std::byte* row, std::int64_t k) {
        return codes_of_group<S>(row, k / 32);
    }
    SPLITSCOPE_AVX2 static __m256 scales(const std::byte* row, std::int64_t k, std::int64_t count) {
        const __m256 d = scales_of_groups<S>(row, k / 32, count);
        return S::kFactor == 1 ? d : _mm256_mul_ps(d, _mm256_set1_ps(S::kFactor));
    }
    SPLITSCOPE_AVX2 static __m256 mins(const std::byte* row, std::int64_t k, std::int64_t count) {
        constexpr auto kBytes = static_cast<std::int64_t>(sizeof(typename S::Block));
        if constexpr (S::kMins) return load_8_f16(block_of_group<S>(row, k / 32) + 2, kBytes, count);
        return _mm256_mul_ps(scales_of_groups<S>(row, k / 32, count), _mm256_set1_ps(-S::kOffset));
    }
};

struct Nvfp4Source {
    static constexpr int kGroup = 16;
    static constexpr int kBlock = 16;
    static constexpr bool kSigned = false;
    static constexpr int kMaxMagnitude = 2 * kFp4Shift;
    static constexpr bool kMins = true;

    SPLITSCOPE_AVX2 static __m256i codes(const std::byte* row, std::int64_t k) {
        const std::byte* half = block_at(row, k) + 4 + k % 64 / 2;
        return lookup_nibbles(kShiftedFp4Values, unpack_nibbles_of_8(load_half(half)));
    }
    SPLITSCOPE_AVX2 static __m256 scales(const std::byte* row, std::int64_t k, std::int64_t count) {
        alignas(32) std::array<float, 8> scales{};
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t at = k + i * kGroup;
            scales[static_cast<std::size_t>(i)] = half_of_e4m3_at(block_at(row, at) + at % 64 / kGroup);
        }
        return _mm256_load_ps(scales.data());
    }
    SPLITSCOPE_AVX2 static __m256 mins(const std::byte* row, std::int64_t k, std::int64_t count) {
        return _mm256_mul_ps(scales(row, k, count), _mm256_set1_ps(-kFp4Shift));
    }

 private:
    static const std::byte* block_at(const std::byte* row, std::int64_t k) {
        return row + k / 64 * static_cast<std::int64_t>(sizeof(BlockNvfp4));
    }
};

/// Super-blocks: group `g` of 32 codes, factors and mins of eight groups from `g` on.
template <class S>
struct SuperSource {
    static constexpr int kGroup = S::kGroup;
    static constexpr int kBlock = 256;
    static constexpr std::int64_t kBytes = S::kBytes;
    static constexpr bool kSigned = S::kSigned;
    static constexpr int kMaxMagnitude = S::kMaxMagnitude;
    static constexpr bool kMins = S::kMins || S::kOffset != 0;

    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) { S::open(w, block); }
    SPLITSCOPE_AVX2 __m256i codes(const std::byte* w, const SuperBlock& block, int g) const {
        if constexpr (requires { source_.signs(w, block, g); }) {
            return _mm256_sign_epi8(source_.points(w, block, g), source_.signs(w, block, g));
        } else {
            return source_.codes(w, block, g);
        }
    }
    static float scale(const SuperBlock& block) { return block.d * S::kFactor; }
    SPLITSCOPE_AVX2 static __m256i factors(const SuperBlock& block, int g) {
        if constexpr (S::kGroup == 32) return load_whole(block.factors.data());
        const __m256i words = _mm256_cvtepu16_epi32(load_half(block.scales.data() + g));
        return _mm256_or_si256(words, _mm256_slli_epi32(words, 16));
    }
    SPLITSCOPE_AVX2 static __m256 mins(const SuperBlock& block, int g) {
        if constexpr (S::kMins) return _mm256_mul_ps(eight(block.mins, g), _mm256_set1_ps(block.m));
        const __m256 offset = _mm256_set1_ps(scale(block) * -S::kOffset);
        if constexpr (S::kUniform) return offset;
        return _mm256_mul_ps(eight(block.scales, g), offset);
    }

 private:
    SPLITSCOPE_AVX2 static __m256 eight(const std::array<std::int16_t, 16>& numbers, int g) {
        return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(load_half(numbers.data() + g)));
    }

    S source_;
};

/// Lane i of vector j becomes lane j of vector i, for eight vectors of 32-bit lanes.
SPLITSCOPE_AVX2 inline void transpose(__m256i* v) {
    __m256i t[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_epi32(v[i], v[i + 1]);
        t[i + 1] = _mm256_unpackhi_epi32(v[i], v[i + 1]);
    }
    __m256i u[8];
    for (int i = 0; i < 8; i += 4) {
        u[i] = _mm256_unpacklo_epi64(t[i], t[i + 2]);
        u[i + 1] = _mm256_unpackhi_epi64(t[i], t[i + 2]);
        u[i + 2] = _mm256_unpacklo_epi64(t[i + 1], t[i + 3]);
        u[i + 3] = _mm256_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    for (int i = 0; i < 4; ++i) {
        v[i] = _mm256_permute2x128_si256(u[i], u[4 + i], 0x20);
        v[4 + i] = _mm256_permute2x128_si256(u[i], u[4 + i], 0x31);
    }
}

template <class S>
constexpr bool kSuper = S::kBlock > S::kGroup;

/// Stores a vector for each of `count` ≤ 8 lanes of eight vectors.
template <class T>
SPLITSCOPE_AVX2 inline void store_lanes(__m256i* vectors, T* to, std::int64_t stride, std::int64_t count) {
    transpose(vectors);
    for (std::int64_t i = 0; i < count; ++i)
        _mm256_store_si256(reinterpret_cast<__m256i*>(to + i * stride), vectors[i]);
}

/// Packs elements first … first + depth − 1 of 32 rows of small blocks.
template <class S>
SPLITSCOPE_AVX2 void pack_small(const std::byte* const* rows, std::int64_t first, std::int64_t depth,
                                const Packed& packed) {
    const std::int64_t groups = depth / S::kGroup;
    __m256i lanes[kLanes];
    for (int row = 0; row < kPanelRows; row += kLanes) {
        const std::byte* const* mine = rows + row;
        for (std::int64_t k = 0; k < depth; k += 32) {
            for (int r = 0; r < kLanes; ++r) lanes[r] = S::codes(mine[r], first + k);
            store_lanes(lanes, packed.codes + k * kPanelRows + row * 4, kPanelRows * 4, 8);
        }
        for (std::int64_t g = 0; g < groups; g += 8) {
            const std::int64_t count = std::min<std::int64_t>(8, groups - g);
            const std::int64_t k = first + g * S::kGroup;
            for (int r = 0; r < kLanes; ++r) lanes[r] = _mm256_castps_si256(S::scales(mine[r], k, count));
            store_lanes(lanes, packed.scales + g * kPanelRows + row, kPanelRows, count);
            if constexpr (S::kMins) {
                for (int r = 0; r < kLanes; ++r) lanes[r] = _mm256_castps_si256(S::mins(mine[r], k, count));
                store_lanes(lanes, packed.mins + g * kPanelRows + row, kPanelRows, count);
            }
        }
    }
}

/// The same for super-blocks.
template <class S>
SPLITSCOPE_AVX2 void pack_super(const std::byte* const* rows, std::int64_t first, std::int64_t depth,
                                const Packed& packed) {
    const S source{};
    constexpr int kGroups = S::kBlock / S::kGroup;
    __m256i lanes[kLanes];
    SuperBlock blocks[kLanes];
    for (int row = 0; row < kPanelRows; row += kLanes) {
        for (std::int64_t k = 0; k < depth; k += S::kBlock) {
            const std::byte* w[kLanes];
            float* const scales = packed.scales + k / S::kBlock * kPanelRows + row;
            for (int r = 0; r < kLanes; ++r) {
                w[r] = rows[row + r] + (first + k) / S::kBlock * S::kBytes;
                S::open(w[r], blocks[r]);
                scales[r] = S::scale(blocks[r]);
            }
            for (int g = 0; g < S::kBlock / 32; ++g) {
                for (int r = 0; r < kLanes; ++r) lanes[r] = source.codes(w[r], blocks[r], g);
                store_lanes(lanes, packed.codes + (k + g * 32) * kPanelRows + row * 4, kPanelRows * 4, 8);
            }
            for (int g = 0; g < kGroups; g += 8) {
                const std::int64_t at = (k / S::kGroup + g) * kPanelRows + row;
                for (int r = 0; r < kLanes; ++r) lanes[r] = S::factors(blocks[r], g);
                store_lanes(lanes, packed.factors + at, kPanelRows, 8);
                if constexpr (S::kMins) {
                    for (int r = 0; r < kLanes; ++r) lanes[r] = _mm256_castps_si256(S::mins(blocks[r], g));
                    store_lanes(lanes, packed.mins + at, kPanelRows, 8);
                }
            }
        }
    }
}

SPLITSCOPE_AVX2 inline __m256i four_codes(const std::int8_t* codes) {
    std::int32_t bits = 0;
    std::memcpy(&bits, codes, sizeof(bits));
    return _mm256_set1_epi32(bits);
}

/// Optimisation barrier: keeps additions in program order. Reordered, they spill registers.
SPLITSCOPE_AVX2 inline void pin_order(__m256i& sum) {
    asm("" : "+x"(sum));
}

/// C columns and their sums for sixteen rows, in memory to leave all registers to the products of a group.
template <int C>
struct Columns {
    static constexpr int kSums = C * kVectors * kLanes;

    const std::int8_t* codes[C];
    const float* scales[C];
    const float* sums[C];
    alignas(32) std::int32_t products[kSums];  ///< of the present super-block
    alignas(32) float totals[kSums];
};

SPLITSCOPE_AVX2 inline void add_scaled(float* total, __m256i products, __m256 scale, float x_scale) {
    const __m256 both = _mm256_mul_ps(scale, _mm256_set1_ps(x_scale));
    _mm256_store_ps(total, _mm256_fmadd_ps(_mm256_cvtepi32_ps(products), both, _mm256_load_ps(total)));
}

/// Adds the products of group `g` with its rows' codes, from `w` on.
template <class S, int C>
[[gnu::noinline]] SPLITSCOPE_AVX2 void add_group(const Packed& packed, const std::byte* w, int row,
                                                 std::int64_t g, Columns<C>& columns) {
    constexpr int kQuads = S::kGroup / 4;
    // Sums of as many quads fit words: an activation is at least −128, and a word adds two products.
    constexpr int kRun =
        std::min<int>(kQuads, std::bit_floor(32767U / (2U * 128U * static_cast<unsigned>(S::kMaxMagnitude))));
    static_assert(kRun >= 1);
    // If words hold only one quad, products are widened to 32 bits at once and added over the whole group.
    constexpr bool kWide = kRun == 1;
    constexpr int kRound = kWide ? kQuads : kRun;
    const std::int64_t at = g * kPanelRows + row;
    const auto factor = [&](int v) SPLITSCOPE_AVX2 {
        return kSuper<S> ? load_whole(packed.factors + at + v * kLanes) : _mm256_set1_epi16(1);
    };
#pragma GCC unroll 8
    for (int from = 0; from < kQuads; from += kRound) {
        __m256i added[C][kVectors];
#pragma GCC unroll 8
        for (int q = 0; q < kRound; ++q, w += kPanelRows * 4) {
            const __m256i codes[kVectors] = {load_whole(w), load_whole(w + 32)};
            for (int c = 0; c < C; ++c) {
                const __m256i four = four_codes(columns.codes[c] + g * S::kGroup + (from + q) * 4);
                for (int v = 0; v < kVectors; ++v) {
                    const __m256i pairs = pair_products<S::kSigned>(codes[v], four);
                    if constexpr (kWide) {
                        const __m256i products = _mm256_madd_epi16(pairs, factor(v));
                        added[c][v] = q == 0 ? products : _mm256_add_epi32(added[c][v], products);
                    } else {
                        added[c][v] = q == 0 ? pairs : _mm256_add_epi16(added[c][v], pairs);
                    }
                    pin_order(added[c][v]);
                }
            }
        }
        for (int v = 0; v < kVectors; ++v) {
            const __m256i its_factor = factor(v);
            for (int c = 0; c < C; ++c) {
                const int sum = (c * kVectors + v) * kLanes;
                __m256i products = kWide ? added[c][v] : _mm256_madd_epi16(added[c][v], its_factor);
                if constexpr (kSuper<S> || kRound < kQuads) {
                    auto* to = reinterpret_cast<__m256i*>(columns.products + sum);
                    if (from > 0 || (kSuper<S> && g % (S::kBlock / S::kGroup) > 0))
                        products = _mm256_add_epi32(products, _mm256_load_si256(to));
                    _mm256_store_si256(to, products);
                } else {
                    add_scaled(columns.totals + sum, products,
                               _mm256_load_ps(packed.scales + at + v * kLanes),
                               columns.scales[c][g * S::kGroup / 32]);
                }
            }
        }
    }
    if constexpr (S::kMins) {
        for (int v = 0; v < kVectors; ++v) {
            const __m256 min = _mm256_load_ps(packed.mins + at + v * kLanes);
            for (int c = 0; c < C; ++c) {
                float* const total = columns.totals + (c * kVectors + v) * kLanes;
                _mm256_store_ps(
                    total, _mm256_fmadd_ps(min, _mm256_set1_ps(columns.sums[c][g]), _mm256_load_ps(total)));
            }
        }
    }
    // Products that could not be scaled above.
    constexpr int kGroups = S::kBlock / S::kGroup;
    if constexpr (kSuper<S> || kRound < kQuads) {
        if (g % kGroups < kGroups - 1) return;
        const std::int64_t block = g / kGroups;
        for (int v = 0; v < kVectors; ++v) {
            const __m256 scale = _mm256_load_ps(packed.scales + block * kPanelRows + row + v * kLanes);
            for (int c = 0; c < C; ++c) {
                const int sum = (c * kVectors + v) * kLanes;
                add_scaled(columns.totals + sum, load_whole(columns.products + sum), scale,
                           columns.scales[c][block * S::kBlock / 32]);
            }
        }
    }
}

/// The packed rows from `row` on, sixteen, times C columns, added to the previous parts' results.
template <class S, int C>
SPLITSCOPE_AVX2 void multiply_columns(const BytePanel& p, int row, const PanelColumn* panel_columns,
                                      std::int64_t first, std::int64_t depth, const Packed& packed) {
    Columns<C> columns;
    for (int c = 0; c < C; ++c) {
        const std::int64_t at = panel_columns[c].index * p.depth + first;
        columns.codes[c] = p.x.codes + at;
        columns.scales[c] = p.x.scales + at / 32;
        columns.sums[c] = p.x_sums + at / S::kGroup;
    }
    std::fill_n(columns.totals, Columns<C>::kSums, 0.0F);
    const std::byte* w = packed.codes + row * 4;
    for (std::int64_t g = 0; g < depth / S::kGroup; ++g, w += S::kGroup * kPanelRows)
        add_group<S>(packed, w, row, g, columns);
    const int rows = std::min(p.rows - row, kVectors * kLanes);
    for (int c = 0; c < C; ++c) {
        float* out = panel_columns[c].out + p.out_offset + row;
        const float* totals = columns.totals + c * kVectors * kLanes;
        for (int r = 0; r < rows; ++r) out[r] = first == 0 ? totals[r] : out[r] + totals[r];
    }
}

template <class S>
SPLITSCOPE_AVX2 void multiply_packed(const BytePanel& p, std::int64_t first, std::int64_t depth,
                                     const Packed& packed) {
    for (int row = 0; row < p.rows; row += kVectors * kLanes) {
        const PanelColumn* column = p.columns.data();
        auto left = static_cast<int>(p.columns.size());
        for (; left >= kColumns; left -= kColumns, column += kColumns)
            multiply_columns<S, kColumns>(p, row, column, first, depth, packed);
        for (; left > 0; --left, ++column) multiply_columns<S, 1>(p, row, column, first, depth, packed);
    }
}

/// Missing rows repeat the last one; their sums are not stored.
template <class S>
SPLITSCOPE_AVX2 void multiply(const BytePanel& p) {
    const Packed packed(p.scratch);
    const std::byte* rows[kPanelRows];
    for (int r = 0; r < kPanelRows; ++r) rows[r] = p.weights + std::min(r, p.rows - 1) * p.weights_stride;
    for (std::int64_t k = 0; k < p.depth; k += kDepthPart) {
        const std::int64_t depth = std::min(kDepthPart, p.depth - k);
        if constexpr (kSuper<S>) {
            pack_super<S>(rows, k, depth, packed);
        } else {
            pack_small<S>(rows, k, depth, packed);
        }
        multiply_packed<S>(p, k, depth, packed);
    }
}

using Panel = void (*)(const BytePanel&);

Panel panel_of(ElementType type) {
    switch (type) {
        case ElementType::q8_0:
            return multiply<SmallSource<SmallQ8_0>>;
        case ElementType::q4_0:
            return multiply<SmallSource<SmallQ4_0>>;
        case ElementType::q4_1:
            return multiply<SmallSource<SmallQ4_1>>;
        case ElementType::q5_0:
            return multiply<SmallSource<SmallQ5_0>>;
        case ElementType::q5_1:
            return multiply<SmallSource<SmallQ5_1>>;
        case ElementType::iq4_nl:
            return multiply<SmallSource<SmallIq4Nl>>;
        case ElementType::mxfp4:
            return multiply<SmallSource<SmallMxfp4>>;
        case ElementType::q2_K:
            return multiply<SuperSource<SuperQ2K>>;
        case ElementType::q3_K:
            return multiply<SuperSource<SuperQ3K>>;
        case ElementType::q4_K:
            return multiply<SuperSource<SuperKMin<false>>>;
        case ElementType::q5_K:
            return multiply<SuperSource<SuperKMin<true>>>;
        case ElementType::q6_K:
            return multiply<SuperSource<SuperQ6K>>;
        case ElementType::iq4_xs:
            return multiply<SuperSource<SuperIq4Xs>>;
        case ElementType::iq2_xxs:
            return multiply<SuperSource<SuperIq2Xxs>>;
        case ElementType::iq2_xs:
            return multiply<SuperSource<SuperIq2Xs>>;
        case ElementType::iq2_s:
            return multiply<SuperSource<SuperIq2S>>;
        case ElementType::iq3_xxs:
            return multiply<SuperSource<SuperIq3Xxs>>;
        case ElementType::iq3_s:
            return multiply<SuperSource<SuperIq3S>>;
        case ElementType::iq1_s:
            return multiply<SuperSource<SuperIq1S>>;
        case ElementType::iq1_m:
            return multiply<SuperSource<SuperIq1M>>;
        case ElementType::tq1_0:
            return multiply<SuperSource<SuperTq1>>;
        case ElementType::tq2_0:
            return multiply<SuperSource<SuperTq2>>;
        case ElementType::q1_0:
            return multiply<SmallSource<SmallQ1_0>>;
        case ElementType::q2_0:
            return multiply<SmallSource<SmallQ2_0>>;
        case ElementType::nvfp4:
            return multiply<Nvfp4Source>;
        default:
            return nullptr;
    }
}

}  // namespace

bool multiply_panel_avx2(const BytePanel& panel) {
    const Panel multiply_panel = panel_of(panel.type);
    if (multiply_panel == nullptr) return false;
    multiply_panel(panel);
    return true;
}

}  // namespace splitscope::cpu::kernels

#else

namespace splitscope::cpu::kernels {

bool multiply_panel_avx2(const BytePanel&) {
    return false;
}

}  // namespace splitscope::cpu::kernels

#endif
