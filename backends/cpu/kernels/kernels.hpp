// SPDX-License-Identifier: MIT
// Vector kernels: plain functions that dispatch to the best instruction set of the machine. Results depend on
// the inputs only, not on tiling or the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/kernels/stream_distance.hpp"
#include "engine/tensor/element_type.hpp"

namespace splitscope::cpu::kernels {

// Conversions of `n` elements.
void f16_to_f32(const std::uint16_t* in, float* out, std::int64_t n);
void f32_to_f16(const float* in, std::uint16_t* out, std::int64_t n);
void bf16_to_f32(const std::uint16_t* in, float* out, std::int64_t n);
void f32_to_bf16(const float* in, std::uint16_t* out, std::int64_t n);

// Element-wise; `out` may alias an input.
void add(const float* a, const float* b, float* out, std::int64_t n);
void subtract(const float* a, const float* b, float* out, std::int64_t n);
void multiply(const float* a, const float* b, float* out, std::int64_t n);
void divide(const float* a, const float* b, float* out, std::int64_t n);
/// out = a · scale + bias
void scale(const float* a, float scale, float bias, float* out, std::int64_t n);
/// out += a · scale
void add_scaled(const float* a, float scale, float* out, std::int64_t n);
/// out = a / (1 + e^−a)
void silu(const float* a, float* out, std::int64_t n);
/// out = silu(a) · b
void silu_multiply(const float* a, const float* b, float* out, std::int64_t n);

// Reductions; sums in double precision.
double sum(const float* a, std::int64_t n);
/// Σ (a − mean)²
double sum_of_squares(const float* a, float mean, std::int64_t n);
/// −∞ for n = 0.
float maximum(const float* a, std::int64_t n);
float dot(const float* a, const float* b, std::int64_t n);
/// out = e^(a − shift); returns the sum.
double exp_shifted(const float* a, float shift, float* out, std::int64_t n);

/// Quantises `n` floats in groups of 32: code = round(x · 127 / m), with m the largest magnitude of the
/// group. `largest` has n / 32 entries m, NaN if the group contains NaN (with codes 0). `code_sums` has the
/// sum of each `group` (16 or 32) codes.
void quantise_small(const float* x, std::int64_t n, int group, std::int8_t* codes, float* largest,
                    std::int32_t* code_sums);
/// Quantises one group of 256: round(−127 · x / e), with e the element of largest magnitude, which is
/// returned (NaN if the group contains NaN, 0 if all are 0).
float quantise_super(const float* x, int group, std::int8_t* codes, std::int32_t* code_sums);

/// Storage of the weights of a float product.
enum class FloatFormat { f32, f16, bf16 };

/// out[c · out_stride + r] = Σ_k weights[r][k] · x[c][k] for a few rows and columns. Stride of the weights in
/// bytes, others in floats.
struct FloatTile {
    FloatFormat format = FloatFormat::f32;
    std::int64_t depth = 0;
    const std::byte* weights = nullptr;
    std::ptrdiff_t weights_stride = 0;
    int rows = 0;
    const float* x = nullptr;
    std::ptrdiff_t x_stride = 0;
    int columns = 0;
    float* out = nullptr;
    std::ptrdiff_t out_stride = 0;
    bool single_rows = reads_single_rows_best();  ///< for one column: how rows are read, not what results
};
void multiply_tile(const FloatTile& tile);

/// out[s · out_stride + i] += Σ_r weights[s · weights_stride + r] · values[r][i] for i < width. Stride of the
/// values in bytes, others in floats.
struct WeightedRows {
    FloatFormat format = FloatFormat::f32;
    std::int64_t width = 0;
    const std::byte* values = nullptr;
    std::ptrdiff_t values_stride = 0;
    std::int64_t rows = 0;
    const float* weights = nullptr;
    std::ptrdiff_t weights_stride = 0;
    int sums = 0;
    float* out = nullptr;
    std::ptrdiff_t out_stride = 0;
};
void add_weighted_rows(const WeightedRows& rows);

/// The same for one sum of F16 rows that is kept in half precision: before row r is added, the sum is
/// multiplied by steps[r], and rounded after each of the two. Rows with a negative step are left out.
struct HalfRows {
    std::int64_t width = 0;
    const std::byte* values = nullptr;
    std::ptrdiff_t values_stride = 0;
    std::int64_t rows = 0;
    const float* weights = nullptr;
    const float* steps = nullptr;
    float* out = nullptr;
};
void add_half_rows(const HalfRows& rows);

/// Rows of codes with scales: value = scale · code + min, one scale (and min) per `group` elements. Row r has
/// its codes at codes + r · depth and its scales at scales + r · depth / group; likewise mins.
struct ByteRows {
    const std::int8_t* codes = nullptr;
    const float* scales = nullptr;
    const float* mins = nullptr;  ///< null: all zero
};

/// As FloatTile, for weights with groups of 16 or 32 and activations with groups of 32. `x_sums` has the sum
/// of the activation values under each group of the weights, for the mins.
struct ByteTile {
    std::int64_t depth = 0;
    int group = 32;
    ByteRows weights;
    int rows = 0;
    ByteRows x;
    const float* x_sums = nullptr;
    int columns = 0;
    float* out = nullptr;
    std::ptrdiff_t out_stride = 0;
};
void multiply_tile(const ByteTile& tile);

/// Rows of blocks as stored in the file times one column of activations, without unpacking.
struct StreamTile {
    ElementType type = ElementType::q8_0;
    std::int64_t depth = 0;
    const std::byte* weights = nullptr;
    std::ptrdiff_t weights_stride = 0;
    int rows = 0;
    ByteRows x;
    const float* x_sums = nullptr;           ///< as ByteTile's
    const std::int32_t* x_starts = nullptr;  ///< −128 · Σ codes under each group of the weights
    const std::byte* x_arranged = nullptr;   ///< see arrange()
    float* out = nullptr;
};
/// Some kernels also need the codes of the activations in another order, their magnitudes, sums or scales:
/// arranged_bytes() is the size (0 if not needed), and arrange() writes them to `out`, which is aligned to a
/// cache line. `x_sums` are ByteTile's.
std::int64_t arranged_bytes(ElementType type, std::int64_t depth);
void arrange(ElementType type, std::int64_t depth, const ByteRows& x, const float* x_sums, std::byte* out);
/// False if this machine has no such kernel for the type: unpack the rows and use multiply_tile().
bool multiply_stream(const StreamTile& tile);

}  // namespace splitscope::cpu::kernels
