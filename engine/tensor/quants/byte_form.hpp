// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/tensor/element_type.hpp"

namespace splitscope {

/// A common form of all quantised weight types: value = scale · code + min, with one scale (and for some
/// types one min) per `group` elements. Products are rounded as the formats define.
struct ByteForm {
    int group = 32;         ///< 16 or 32
    bool has_mins = false;  ///< otherwise `mins` is not written and may be null
    /// Unpacks `n` elements (whole blocks); `scales` and `mins` have n / group entries.
    void (*unpack)(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                   float* mins) = nullptr;
};

/// Null for plain numbers and activation types.
const ByteForm* byte_form_of(ElementType type);

}  // namespace splitscope
