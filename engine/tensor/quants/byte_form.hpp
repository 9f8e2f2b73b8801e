// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/tensor/element_type.hpp"

namespace splitscope {

/// Every quantised weight type in one form: value = scale · code + min, with a scale (and, for some types, a
/// min) for each `group` elements. The products round as the formats define them.
struct ByteForm {
    int group = 32;         ///< 16 or 32
    bool has_mins = false;  ///< else `mins` is not touched and may be null
    /// `n` elements, whole blocks; `scales` and `mins` have n / group entries.
    void (*unpack)(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                   float* mins) = nullptr;
};

/// Null for plain numbers and for the activation types.
const ByteForm* byte_form_of(ElementType type);

}  // namespace splitscope
