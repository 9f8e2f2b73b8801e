// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/cpu/kernels/kernels.hpp"
#include "engine/tensor/element_type.hpp"

namespace splitscope::cpu {

/// The type that activations are rounded to before they meet quantised weights.
enum class ActivationFormat : std::uint8_t { q8_0, q8_1, q8_K };

/// How the blocks of a weight type become rows of bytes with scales: value = scale · code + min for each
/// `group` elements. Every quantised type has this form.
struct ByteFormat {
    int group = 32;         ///< 16 or 32
    bool has_mins = false;  ///< else `mins` is not written
    ActivationFormat activation = ActivationFormat::q8_0;
    void (*unpack)(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                   float* mins) = nullptr;
};

/// Null when the type is not a quantised weight type.
const ByteFormat* byte_format_of(ElementType type);

/// Activations as ByteTile takes them: `codes` n, `scales` n / 32, `sums` n / 16 long.
void quantise_activations(ActivationFormat format, const float* values, std::int64_t n, std::int8_t* codes,
                          float* scales, float* sums);

}  // namespace splitscope::cpu
