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

/// The block type to which activations are quantised for products with weights of this type (`vec_dot_type`
/// in ggml): q8_0, q8_1 for blocks of 32 with a minimum, q8_K for super-blocks.
ElementType activation_type_of(ElementType weights);
/// Supported weights of products: plain numbers, and types that can be unpacked to bytes.
bool is_weight_type(ElementType type);
/// Whether activations of this type are already quantised for such weights.
bool is_activation_type_of(ElementType activations, ElementType weights);

}  // namespace splitscope
