// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/tensor/element_type.hpp"

namespace splitscope::cpu {

/// Activations quantised to q8_0, q8_1 or q8_K. A block with a NaN has the scale NaN, so that its products
/// are NaN too.
struct ActivationRow {
    std::int8_t* codes = nullptr;    ///< one for each value
    float* scales = nullptr;         ///< one for each 32 values
    float* sums = nullptr;           ///< Σ of each group's rounded values; a group has 16 or 32
    std::int32_t* starts = nullptr;  ///< −128 · Σ of each group's codes
};
void quantise_activations(ElementType type, int group, const float* values, std::int64_t n,
                          const ActivationRow& row);
/// The same from a row stored in blocks of this type, with codes of at least −127.
void take_activations(ElementType type, int group, const std::byte* blocks, std::int64_t n,
                      const ActivationRow& row);

}  // namespace splitscope::cpu
