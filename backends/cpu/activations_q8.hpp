// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "engine/tensor/element_type.hpp"

namespace splitscope::cpu {

/// The block type that activations are rounded to before they meet weights of a quantised type: q8_0, q8_1
/// for blocks of 32 with a minimum, q8_K for super-blocks.
ElementType activation_type_of(ElementType weights);

/// Activations rounded like blocks of q8_0, q8_1 or q8_K, as ByteTile takes them: `codes` n, `scales` n / 32,
/// `sums` n / group long (16 or 32).
void quantise_activations(ElementType type, int group, const float* values, std::int64_t n,
                          std::int8_t* codes, float* scales, float* sums);

}  // namespace splitscope::cpu
