// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace splitscope {

/// Element types; the values are GGUF type numbers.
enum class ElementType : std::uint8_t {
    f32 = 0,
    f16 = 1,
    q4_0 = 2,
    q4_1 = 3,
    q5_0 = 6,
    q5_1 = 7,
    q8_0 = 8,
    q8_1 = 9,
    q2_K = 10,
    q3_K = 11,
    q4_K = 12,
    q5_K = 13,
    q6_K = 14,
    q8_K = 15,
    iq2_xxs = 16,
    iq2_xs = 17,
    iq3_xxs = 18,
    iq1_s = 19,
    iq4_nl = 20,
    iq3_s = 21,
    iq2_s = 22,
    iq4_xs = 23,
    i8 = 24,
    i16 = 25,
    i32 = 26,
    i64 = 27,
    f64 = 28,
    iq1_m = 29,
    bf16 = 30,
    tq1_0 = 34,
    tq2_0 = 35,
    mxfp4 = 39,
    nvfp4 = 40,
    q1_0 = 41,
    q2_0 = 42,
};

/// Upper bound of type numbers.
inline constexpr std::size_t kElementTypeNumbers = 64;

/// Storage of an element type. To add a type, add an enumerator and a row of the table.
struct ElementTypeTraits {
    ElementType type{};
    std::string_view name;          ///< as in graph files, e.g. "q4_K"
    std::int64_t block_elements{};  ///< elements of one block; 1 for plain numbers
    std::int64_t block_bytes{};     ///< bytes of one block
    bool quantised{};
};

/// All known types, by GGUF number.
std::span<const ElementTypeTraits> element_types();

const ElementTypeTraits& traits_of(ElementType type);
inline std::string_view name_of(ElementType type) {
    return traits_of(type).name;
}

/// The type with this name or GGUF number; empty if unknown.
std::optional<ElementType> element_type_named(std::string_view name);
std::optional<ElementType> element_type_numbered(std::uint32_t gguf_number);

/// Bytes of a contiguous row of `elements` elements (a multiple of the block size).
std::int64_t row_bytes(ElementType type, std::int64_t elements);

}  // namespace splitscope
