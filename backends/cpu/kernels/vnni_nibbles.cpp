// SPDX-License-Identifier: MIT
// Streams of the types with nibbles for AVX-512 VNNI. Rows of 32-element blocks are read 64 bytes at a time,
// scales included, because extracting the codes of each block would cost as much as the products. Instead,
// the activations are arranged like a row: one array matches the low nibbles, another the high ones, and both
// are zero at the bytes of scales. Four consecutive bytes never hold codes of two blocks, so each 32-bit lane
// has one scale.
#include "backends/cpu/kernels/vnni.hpp"

#if defined(__x86_64__)

#include <algorithm>
#include <array>
#include <cstring>

#include "backends/cpu/kernels/vnni_steps.hpp"

namespace splitscope::cpu::kernels {
namespace {

constexpr std::int64_t kChunk = 64;

// Per type: bytes of a block before its codes, the shift of the codes, and codes of nibbles.

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

std::int64_t padded(std::int64_t bytes) {
    return (bytes + kChunk - 1) / kChunk * kChunk;
}

/// The activations of the low and of the high nibbles, and −offset · Σ of both for each four bytes.
template <class Byte>
struct Arranged {
    Arranged(Byte* memory, std::int64_t row_bytes)
        : low(memory), high(low + padded(row_bytes)), starts(high + padded(row_bytes)) {}
    Byte* low;
    Byte* high;
    Byte* starts;
};

template <class S>
SPLITSCOPE_VNNI void arrange_blocks(std::int64_t depth, const std::int8_t* codes, std::byte* memory) {
    const std::int64_t blocks = depth / 32;
    const std::int64_t bytes = blocks * S::kBytes;
    const Arranged<std::byte> x(memory, bytes);
    std::memset(memory, 0, static_cast<std::size_t>(2 * padded(bytes)));
    for (std::int64_t b = 0; b < blocks; ++b) {
        std::memcpy(x.low + b * S::kBytes + S::kHead, codes + b * 32, 16);
        std::memcpy(x.high + b * S::kBytes + S::kHead, codes + b * 32 + 16, 16);
    }
    for (std::int64_t i = 0; i < bytes; i += kChunk) {
        const __m512i both = _mm512_add_epi32(start_of(_mm512_loadu_si512(x.low + i), S::kOffset),
                                              start_of(_mm512_loadu_si512(x.high + i), S::kOffset));
        _mm512_storeu_si512(x.starts + i, both);
    }
}

/// Blocks whose scales are in two vectors; they fill whole chunks.
constexpr std::int64_t kBlocks = 2 * kBatch;

/// The block of each lane.
template <std::int64_t kBytes>
constexpr auto lanes_of_chunks() {
    std::array<std::array<std::int32_t, 16>, kBlocks * kBytes / kChunk> lanes{};
    for (std::size_t chunk = 0; chunk < lanes.size(); ++chunk) {
        for (std::size_t lane = 0; lane < 16; ++lane)
            lanes[chunk][lane] = static_cast<std::int32_t>((chunk * 16 + lane) * 4 / kBytes);
    }
    return lanes;
}

template <class S>
struct NibbleSums {
    static constexpr auto kChunks = static_cast<int>(kBlocks * S::kBytes / kChunk);
    alignas(64) static constexpr auto kLanes = lanes_of_chunks<S::kBytes>();

    __m512 total[2];  ///< two, so that an addition need not wait for the previous one
    __m512 mins;

    SPLITSCOPE_VNNI NibbleSums() { total[0] = total[1] = mins = _mm512_setzero_ps(); }

    /// Products of the scales of up to sixteen blocks from `begin` on, zero for others.
    SPLITSCOPE_VNNI inline __m512 open(const StreamTile& t, const std::byte* w, std::int64_t begin,
                                       std::int64_t count) {
        if (count <= 0) return _mm512_setzero_ps();
        const auto present = static_cast<__mmask16>((1u << count) - 1u);
        const std::byte* first = w + begin * S::kBytes;
        if constexpr (S::kMins) {
            mins = _mm512_fmadd_ps(scales_of_batch<S>(first, count, 2),
                                   _mm512_maskz_loadu_ps(present, t.x_sums + begin), mins);
        }
        return _mm512_mul_ps(scales_of_batch<S>(first, count, 0),
                             _mm512_maskz_loadu_ps(present, t.x.scales + begin));
    }

    SPLITSCOPE_VNNI inline void add(__m512i bytes, const Arranged<const std::byte>& x, std::int64_t at,
                                    int chunk, __m512 first, __m512 second) {
        const __m512i fifteen = _mm512_set1_epi8(15);
        // In a register: the compiler would read them for each of the two uses, mostly from two cache lines.
        asm("" : "+v"(bytes));
        const __m512i low = S::unsigned_codes(_mm512_and_si512(bytes, fifteen));
        const __m512i high = S::unsigned_codes(_mm512_and_si512(_mm512_srli_epi16(bytes, 4), fifteen));
        const __m512i start = S::kOffset == 0 ? _mm512_setzero_si512() : _mm512_load_si512(x.starts + at);
        const __m512i products =
            _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(start, low, _mm512_load_si512(x.low + at)), high,
                                _mm512_load_si512(x.high + at));
        const __m512i lanes = _mm512_load_si512(kLanes[static_cast<std::size_t>(chunk)].data());
        total[chunk % 2] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(products),
                                           _mm512_permutex2var_ps(first, lanes, second), total[chunk % 2]);
    }

    SPLITSCOPE_VNNI inline void add_whole(const StreamTile& t, const std::byte* w,
                                          const Arranged<const std::byte>& x, std::int64_t begin) {
        const __m512 first = open(t, w, begin, kBatch);
        const __m512 second = open(t, w, begin + kBatch, kBatch);
#pragma GCC unroll 10
        for (int chunk = 0; chunk < kChunks; ++chunk) {
            const std::int64_t at = begin * S::kBytes + chunk * kChunk;
            add(_mm512_loadu_si512(w + at), x, at, chunk, first, second);
        }
    }

    SPLITSCOPE_VNNI void add_rest(const StreamTile& t, const std::byte* w, const Arranged<const std::byte>& x,
                                  std::int64_t begin, std::int64_t count) {
        const __m512 first = open(t, w, begin, std::min(count, kBatch));
        const __m512 second = open(t, w, begin + kBatch, count - kBatch);
        const std::int64_t end = (begin + count) * S::kBytes;
        for (int chunk = 0; chunk < kChunks; ++chunk) {
            const std::int64_t at = begin * S::kBytes + chunk * kChunk;
            if (at >= end) break;
            const auto there =
                static_cast<__mmask64>(~std::uint64_t{0} >> std::max<std::int64_t>(64 - (end - at), 0));
            add(_mm512_maskz_loadu_epi8(there, w + at), x, at, chunk, first, second);
        }
    }

    SPLITSCOPE_VNNI float result() const {
        const __m512 both = _mm512_add_ps(total[0], total[1]);
        return _mm512_reduce_add_ps(S::kMins ? _mm512_add_ps(both, mins) : both);
    }
};

/// One row at a time: sums of several would not fit the registers.
template <class S>
SPLITSCOPE_VNNI void nibble_stream(const StreamTile& t) {
    const std::int64_t blocks = t.depth / 32;
    const Arranged<const std::byte> x(t.x_arranged, blocks * S::kBytes);
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        NibbleSums<S> sums;
        std::int64_t begin = 0;
        for (; begin + kBlocks <= blocks; begin += kBlocks) {
            prefetch_ahead(w + begin * S::kBytes, kBlocks * S::kBytes);
            sums.add_whole(t, w, x, begin);
        }
        if (begin < blocks) sums.add_rest(t, w, x, begin, blocks - begin);
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
        case ElementType::q4_0:
        case ElementType::iq4_nl:
            return 3 * padded(depth / 32 * StreamQ4_0::kBytes);
        case ElementType::q4_1:
            return 3 * padded(depth / 32 * StreamQ4_1::kBytes);
        case ElementType::iq4_xs:
            return depth / kArrangedElements * static_cast<std::int64_t>(sizeof(ArrangedGroups));
        default:
            return 0;
    }
}

void arrange_vnni(ElementType type, std::int64_t depth, const std::int8_t* codes, std::byte* out) {
    switch (type) {
        case ElementType::q4_0:
            return arrange_blocks<NibblesQ4_0>(depth, codes, out);
        case ElementType::iq4_nl:
            return arrange_blocks<NibblesIq4Nl>(depth, codes, out);
        case ElementType::q4_1:
            return arrange_blocks<NibblesQ4_1>(depth, codes, out);
        case ElementType::iq4_xs:
            return arrange_groups(depth, codes, out);
        default:
            return;
    }
}

bool multiply_nibble_stream_vnni(const StreamTile& tile) {
    switch (tile.type) {
        case ElementType::q4_0:
            nibble_stream<NibblesQ4_0>(tile);
            return true;
        case ElementType::iq4_nl:
            nibble_stream<NibblesIq4Nl>(tile);
            return true;
        case ElementType::q4_1:
            nibble_stream<NibblesQ4_1>(tile);
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
void arrange_vnni(ElementType, std::int64_t, const std::int8_t*, std::byte*) {}
bool multiply_nibble_stream_vnni(const StreamTile&) {
    return false;
}

}  // namespace splitscope::cpu::kernels

#endif
