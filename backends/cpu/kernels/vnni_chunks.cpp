// SPDX-License-Identifier: MIT
// Streams for AVX-512 VNNI that read rows 64 bytes at a time. Blocks of 32 elements are read scales included,
// because extracting the codes of each block would cost as much as the products. Instead, the activations are
// arranged like a row, with zeros at the bytes of scales: one array for bytes, or one for low and one for
// high nibbles. Four consecutive bytes never hold codes of two blocks, so each 32-bit lane has one scale.
#include "backends/cpu/kernels/vnni.hpp"

#if defined(__x86_64__)

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "backends/cpu/kernels/vnni_steps.hpp"

namespace splitscope::cpu::kernels {
namespace {

constexpr std::int64_t kChunk = 64;
/// Blocks that are scaled together; they fill whole chunks.
constexpr std::int64_t kBlocks = 32;

// Per type: bytes of a block before its codes, arrays of activations, and the products of a chunk with them.

struct ChunksOfBytes : StreamQ8_0 {
    static constexpr std::int64_t kHead = 2;
    static constexpr int kArrays = 1;
    SPLITSCOPE_VNNI static __m512i products(__m512i bytes, const std::byte* x, std::int64_t) {
        return _mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_xor_si512(bytes, _mm512_set1_epi8(-128)),
                                   _mm512_load_si512(x));
    }
};

template <class S>
struct ChunksOfNibbles : S {
    static constexpr int kArrays = 2;
    SPLITSCOPE_VNNI static __m512i products(__m512i bytes, const std::byte* x, std::int64_t high) {
        const __m512i fifteen = _mm512_set1_epi8(15);
        const __m512i low = S::unsigned_codes(_mm512_and_si512(bytes, fifteen));
        const __m512i upper = S::unsigned_codes(_mm512_and_si512(_mm512_srli_epi16(bytes, 4), fifteen));
        const __m512i sum = _mm512_dpbusd_epi32(_mm512_setzero_si512(), low, _mm512_load_si512(x));
        return _mm512_dpbusd_epi32(sum, upper, _mm512_load_si512(x + high));
    }
};
struct NibblesQ4_0 : StreamQ4_0 {
    static constexpr std::int64_t kHead = 2;
    SPLITSCOPE_VNNI static __m512i unsigned_codes(__m512i nibbles) { return nibbles; }
};
struct NibblesQ4_1 : StreamQ4_1 {
    static constexpr std::int64_t kHead = 4;
    SPLITSCOPE_VNNI static __m512i unsigned_codes(__m512i nibbles) { return nibbles; }
};
struct NibblesIq4Nl : StreamIq4Nl {
    static constexpr std::int64_t kHead = 2;
    SPLITSCOPE_VNNI static __m512i unsigned_codes(__m512i nibbles) {
        return _mm512_shuffle_epi8(shifted_table(kIq4Values), nibbles);
    }
};

// The scales of 32 blocks, or the scales and mins of 16, are at different places modulo 64 bytes, so that
// they are collected in one vector without moving them. The factors of the activations are in that order.

/// Place of a block's scale among 32. With mins, blocks of the first and the second sixteen alternate.
template <class S>
constexpr std::int64_t place_of(std::int64_t block) {
    return S::kMins ? block * S::kBytes / 4 % 16 * 2 + block / 16 : block * S::kBytes / 2 % kBlocks;
}

template <class S>
struct Places {
    static constexpr std::size_t kChunks = kBlocks * S::kBytes / kChunk;

    std::array<std::array<std::uint16_t, 32>, kChunks> heads{};  ///< ones at scales and mins
    std::array<std::array<std::int32_t, 16>, kChunks> lanes{};   ///< the place of each lane's scale

    constexpr Places() {
        for (std::int64_t b = 0; b < kBlocks; ++b) {
            for (std::int64_t word = b * S::kBytes / 2; word < (b * S::kBytes + S::kHead) / 2; ++word)
                heads[static_cast<std::size_t>(word / 32)][static_cast<std::size_t>(word % 32)] = 0xFFFF;
        }
        for (std::size_t lane = 0; lane < kChunks * 16; ++lane) {
            const auto block = static_cast<std::int64_t>(lane) * 4 / S::kBytes;
            lanes[lane / 16][lane % 16] = static_cast<std::int32_t>(place_of<S>(block));
        }
    }
};

/// Groups of 32 blocks, including a last one with fewer.
std::int64_t groups_of(std::int64_t depth) {
    return (depth / 32 + kBlocks - 1) / kBlocks;
}

/// Activations in the order of a row, and for each block their scale and, for mins, their sum, otherwise
/// −offset · Σ codes.
template <class S, class Byte>
struct Arranged {
    static constexpr std::int64_t kGroupFactors = kBlocks * sizeof(float);

    Arranged(Byte* memory, std::int64_t depth)
        : array_bytes(groups_of(depth) * kBlocks * S::kBytes),
          codes(memory),
          scales(codes + S::kArrays * array_bytes),
          sums(scales + groups_of(depth) * kGroupFactors) {}
    static std::int64_t bytes(std::int64_t depth) {
        return groups_of(depth) * (S::kArrays * kBlocks * S::kBytes + 2 * kGroupFactors);
    }

    std::int64_t array_bytes;
    Byte* codes;
    Byte* scales;
    Byte* sums;
};

template <class S>
SPLITSCOPE_VNNI void arrange_blocks(std::int64_t depth, const ByteRows& x, const float* sums,
                                    std::byte* memory) {
    constexpr std::int64_t kCodes = 32 / S::kArrays;
    const Arranged<S, std::byte> out(memory, depth);
    std::memset(memory, 0, static_cast<std::size_t>(out.bytes(depth)));
    for (std::int64_t b = 0; b < depth / 32; ++b) {
        const std::int8_t* const codes = x.codes + b * 32;
        for (std::int64_t array = 0; array < S::kArrays; ++array) {
            std::memcpy(out.codes + array * out.array_bytes + b * S::kBytes + S::kHead,
                        codes + array * kCodes, kCodes);
        }
        const float sum =
            S::kMins ? sums[b] : static_cast<float>(-S::kOffset * std::accumulate(codes, codes + 32, 0));
        const std::int64_t place = (b / kBlocks * kBlocks + place_of<S>(b % kBlocks)) * 4;
        std::memcpy(out.scales + place, &x.scales[b], sizeof(float));
        std::memcpy(out.sums + place, &sum, sizeof(float));
    }
}

template <class S>
struct ChunkSums {
    alignas(64) static constexpr Places<S> kPlaces{};
    static constexpr auto kChunks = static_cast<int>(Places<S>::kChunks);

    /// Scales and mins of 32 blocks; with mins, `first` has those of the first sixteen.
    struct Heads {
        __m512i first;
        __m512i second;

        SPLITSCOPE_VNNI Heads() { first = second = _mm512_setzero_si512(); }
        SPLITSCOPE_VNNI inline void add(__m512i bytes, int chunk) {
            __m512i& heads = S::kMins && chunk >= kChunks / 2 ? second : first;
            const __m512i mask = _mm512_load_si512(kPlaces.heads[static_cast<std::size_t>(chunk)].data());
            heads = _mm512_ternarylogic_epi32(heads, bytes, mask, 0xF8);  // heads | (bytes & mask)
        }
        SPLITSCOPE_VNNI inline __m512i scales() const {
            return S::kMins ? _mm512_mask_blend_epi16(0xAAAA'AAAA, first, _mm512_slli_epi32(second, 16))
                            : first;
        }
        SPLITSCOPE_VNNI inline __m512i mins() const {
            return _mm512_mask_blend_epi16(0xAAAA'AAAA, _mm512_srli_epi32(first, 16), second);
        }
    };

    __m512 total[2];  ///< two, so that an addition need not wait for the previous one
    __m512 under[2];  ///< Σ scale · sum, or Σ min · sum; see Arranged

    SPLITSCOPE_VNNI ChunkSums() { total[0] = total[1] = under[0] = under[1] = _mm512_setzero_ps(); }

    struct Scales {
        __m512 first;
        __m512 second;
    };
    /// Their products with those of the activations; adds to `under`.
    SPLITSCOPE_VNNI inline Scales scaled(const Heads& heads, const std::byte* scales, const std::byte* sums) {
        const __m512i halves = heads.scales();
        const __m512 first =
            _mm512_mul_ps(_mm512_cvtph_ps(_mm512_castsi512_si256(halves)), _mm512_load_ps(scales));
        const __m512 second =
            _mm512_mul_ps(_mm512_cvtph_ps(_mm512_extracti64x4_epi64(halves, 1)), _mm512_load_ps(scales + 64));
        Scales factors{first, second};
        if constexpr (S::kMins) {
            const __m512i mins = heads.mins();
            factors = {_mm512_cvtph_ps(_mm512_castsi512_si256(mins)),
                       _mm512_cvtph_ps(_mm512_extracti64x4_epi64(mins, 1))};
        }
        under[0] = _mm512_fmadd_ps(factors.first, _mm512_load_ps(sums), under[0]);
        under[1] = _mm512_fmadd_ps(factors.second, _mm512_load_ps(sums + 64), under[1]);
        return {first, second};
    }

    SPLITSCOPE_VNNI inline void add(__m512 products, int chunk, const Scales& scales) {
        const __m512i lanes = _mm512_load_si512(kPlaces.lanes[static_cast<std::size_t>(chunk)].data());
        total[chunk % 2] = _mm512_fmadd_ps(
            products, _mm512_permutex2var_ps(scales.first, lanes, scales.second), total[chunk % 2]);
    }

    /// 32 blocks at `w`; of the activations those of the same blocks.
    SPLITSCOPE_VNNI inline void add_whole(const std::byte* w, const std::byte* x, std::int64_t array_bytes,
                                          const std::byte* scales, const std::byte* sums) {
        __m512 products[kChunks];
        Heads heads;
#pragma GCC unroll 17
        for (int chunk = 0; chunk < kChunks; ++chunk) {
            prefetch_ahead(w + chunk * kChunk, kChunk);
            __m512i bytes = _mm512_loadu_si512(w + chunk * kChunk);
            // In a register: the compiler would read them for each use, from two cache lines in unaligned
            // rows.
            asm("" : "+v"(bytes));
            heads.add(bytes, chunk);
            products[chunk] = _mm512_cvtepi32_ps(S::products(bytes, x + chunk * kChunk, array_bytes));
        }
        const Scales factors = scaled(heads, scales, sums);
#pragma GCC unroll 17
        for (int chunk = 0; chunk < kChunks; ++chunk) add(products[chunk], chunk, factors);
    }

    /// The same for the last blocks, of `bytes` bytes.
    SPLITSCOPE_VNNI void add_rest(const std::byte* w, std::int64_t bytes, const std::byte* x,
                                  std::int64_t array_bytes, const std::byte* scales, const std::byte* sums) {
        __m512 products[kChunks];
        Heads heads;
        const auto chunks = static_cast<int>((bytes + kChunk - 1) / kChunk);
        for (int chunk = 0; chunk < chunks; ++chunk) {
            const std::int64_t left = bytes - chunk * kChunk;
            const auto there =
                static_cast<__mmask64>(~std::uint64_t{0} >> std::max<std::int64_t>(64 - left, 0));
            prefetch_ahead(w + chunk * kChunk, kChunk);
            const __m512i codes = _mm512_maskz_loadu_epi8(there, w + chunk * kChunk);
            heads.add(codes, chunk);
            products[chunk] = _mm512_cvtepi32_ps(S::products(codes, x + chunk * kChunk, array_bytes));
        }
        const Scales factors = scaled(heads, scales, sums);
        for (int chunk = 0; chunk < chunks; ++chunk) add(products[chunk], chunk, factors);
    }

    SPLITSCOPE_VNNI float result() const {
        return _mm512_reduce_add_ps(
            _mm512_add_ps(_mm512_add_ps(total[0], total[1]), _mm512_add_ps(under[0], under[1])));
    }
};

/// One row at a time: the processor reads ahead best in a single stream.
template <class S>
SPLITSCOPE_VNNI void chunk_stream(const StreamTile& t) {
    constexpr std::int64_t kGroup = kBlocks * S::kBytes;
    const std::int64_t row_bytes = t.depth / 32 * S::kBytes;
    const Arranged<S, const std::byte> x(t.x_arranged, t.depth);
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* const w = t.weights + row * t.weights_stride;
        ChunkSums<S> sums;
        std::int64_t at = 0;
        std::int64_t factors = 0;
        for (; at + kGroup <= row_bytes; at += kGroup, factors += x.kGroupFactors)
            sums.add_whole(w + at, x.codes + at, x.array_bytes, x.scales + factors, x.sums + factors);
        if (at < row_bytes)
            sums.add_rest(w + at, row_bytes - at, x.codes + at, x.array_bytes, x.scales + factors,
                          x.sums + factors);
        t.out[row] = sums.result();
    }
}

// iq4_xs: 64 bytes are the codes of four groups without anything between them.

/// The activations of 64 bytes of codes.
struct ArrangedGroups {
    alignas(kChunk) std::array<std::int8_t, kChunk> low;
    std::array<std::int8_t, kChunk> high;
    std::array<std::int32_t, 16> starts;  ///< −128 · Σ of both for each four bytes
};
constexpr std::int64_t kArrangedElements = 2 * kChunk;

SPLITSCOPE_VNNI void arrange_groups(std::int64_t depth, const std::int8_t* codes, std::byte* memory) {
    auto* out = reinterpret_cast<ArrangedGroups*>(memory);
    for (std::int64_t k = 0; k < depth; k += kArrangedElements, ++out) {
        for (std::size_t group = 0; group < 4; ++group) {
            std::memcpy(out->low.data() + 16 * group, codes + k + 32 * group, 16);
            std::memcpy(out->high.data() + 16 * group, codes + k + 32 * group + 16, 16);
        }
        const __m512i both = _mm512_add_epi32(start_of(_mm512_load_si512(out->low.data()), 128),
                                              start_of(_mm512_load_si512(out->high.data()), 128));
        _mm512_store_si512(out->starts.data(), both);
    }
}

SPLITSCOPE_VNNI void iq4_xs_stream(const StreamTile& t) {
    const __m512i table = shifted_table(kIq4Values);
    const __m512i fifteen = _mm512_set1_epi8(15);
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        const auto* x = reinterpret_cast<const ArrangedGroups*>(t.x_arranged);
        __m512 total[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
        for (std::int64_t k = 0; k < t.depth; k += 256, w += sizeof(BlockIq4Xs), x += 2) {
            prefetch_ahead(w, sizeof(BlockIq4Xs));
            const __m256 d = _mm256_set1_ps(half_at(w) * t.x.scales[k / 32]);
            const __m512 scales =
                _mm512_castps256_ps512(_mm256_mul_ps(_mm256_cvtepi32_ps(scales_of_iq4_xs(w)), d));
#pragma GCC unroll 2
            for (int half = 0; half < 2; ++half) {
                const __m512i bytes = _mm512_loadu_si512(w + 8 + half * kChunk);
                const __m512i low = _mm512_shuffle_epi8(table, _mm512_and_si512(bytes, fifteen));
                const __m512i high =
                    _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi16(bytes, 4), fifteen));
                const __m512i products =
                    _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(_mm512_load_si512(x[half].starts.data()), low,
                                                            _mm512_load_si512(x[half].low.data())),
                                        high, _mm512_load_si512(x[half].high.data()));
                const __m512i lanes = _mm512_add_epi32(lanes_of_groups<16>(), _mm512_set1_epi32(4 * half));
                total[half] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(products),
                                              _mm512_permutexvar_ps(lanes, scales), total[half]);
            }
        }
        t.out[row] = _mm512_reduce_add_ps(_mm512_add_ps(total[0], total[1]));
    }
}

}  // namespace

std::int64_t arranged_bytes_vnni(ElementType type, std::int64_t depth) {
    switch (type) {
        case ElementType::q8_0:
            return Arranged<ChunksOfBytes, std::byte>::bytes(depth);
        case ElementType::q4_0:
        case ElementType::iq4_nl:
            return Arranged<ChunksOfNibbles<NibblesQ4_0>, std::byte>::bytes(depth);
        case ElementType::q4_1:
            return Arranged<ChunksOfNibbles<NibblesQ4_1>, std::byte>::bytes(depth);
        case ElementType::iq4_xs:
            return depth / kArrangedElements * static_cast<std::int64_t>(sizeof(ArrangedGroups));
        default:
            return 0;
    }
}

void arrange_vnni(ElementType type, std::int64_t depth, const ByteRows& x, const float* x_sums,
                  std::byte* out) {
    switch (type) {
        case ElementType::q8_0:
            return arrange_blocks<ChunksOfBytes>(depth, x, x_sums, out);
        case ElementType::q4_0:
            return arrange_blocks<ChunksOfNibbles<NibblesQ4_0>>(depth, x, x_sums, out);
        case ElementType::iq4_nl:
            return arrange_blocks<ChunksOfNibbles<NibblesIq4Nl>>(depth, x, x_sums, out);
        case ElementType::q4_1:
            return arrange_blocks<ChunksOfNibbles<NibblesQ4_1>>(depth, x, x_sums, out);
        case ElementType::iq4_xs:
            return arrange_groups(depth, x.codes, out);
        default:
            return;
    }
}

bool multiply_chunk_stream_vnni(const StreamTile& tile) {
    switch (tile.type) {
        case ElementType::q8_0:
            chunk_stream<ChunksOfBytes>(tile);
            return true;
        case ElementType::q4_0:
            chunk_stream<ChunksOfNibbles<NibblesQ4_0>>(tile);
            return true;
        case ElementType::iq4_nl:
            chunk_stream<ChunksOfNibbles<NibblesIq4Nl>>(tile);
            return true;
        case ElementType::q4_1:
            chunk_stream<ChunksOfNibbles<NibblesQ4_1>>(tile);
            return true;
        case ElementType::iq4_xs:
            iq4_xs_stream(tile);
            return true;
        default:
            return false;
    }
}

}  // namespace splitscope::cpu::kernels

#else

namespace splitscope::cpu::kernels {

std::int64_t arranged_bytes_vnni(ElementType, std::int64_t) {
    return 0;
}
void arrange_vnni(ElementType, std::int64_t, const ByteRows&, const float*, std::byte*) {}
bool multiply_chunk_stream_vnni(const StreamTile&) {
    return false;
}

}  // namespace splitscope::cpu::kernels

#endif
