// SPDX-License-Identifier: MIT
#include "engine/tensor/element_type.hpp"

#include <algorithm>
#include <array>

namespace splitscope {
namespace {

using enum ElementType;

constexpr std::array kTypes = {
    ElementTypeTraits{f32, "f32", 1, 4, false},
    ElementTypeTraits{f16, "f16", 1, 2, false},
    ElementTypeTraits{q4_0, "q4_0", 32, 18, true},
    ElementTypeTraits{q4_1, "q4_1", 32, 20, true},
    ElementTypeTraits{q5_0, "q5_0", 32, 22, true},
    ElementTypeTraits{q5_1, "q5_1", 32, 24, true},
    ElementTypeTraits{q8_0, "q8_0", 32, 34, true},
    ElementTypeTraits{q8_1, "q8_1", 32, 36, true},
    ElementTypeTraits{q2_K, "q2_K", 256, 84, true},
    ElementTypeTraits{q3_K, "q3_K", 256, 110, true},
    ElementTypeTraits{q4_K, "q4_K", 256, 144, true},
    ElementTypeTraits{q5_K, "q5_K", 256, 176, true},
    ElementTypeTraits{q6_K, "q6_K", 256, 210, true},
    ElementTypeTraits{q8_K, "q8_K", 256, 292, true},
    ElementTypeTraits{iq2_xxs, "iq2_xxs", 256, 66, true},
    ElementTypeTraits{iq2_xs, "iq2_xs", 256, 74, true},
    ElementTypeTraits{iq3_xxs, "iq3_xxs", 256, 98, true},
    ElementTypeTraits{iq1_s, "iq1_s", 256, 50, true},
    ElementTypeTraits{iq4_nl, "iq4_nl", 32, 18, true},
    ElementTypeTraits{iq3_s, "iq3_s", 256, 110, true},
    ElementTypeTraits{iq2_s, "iq2_s", 256, 82, true},
    ElementTypeTraits{iq4_xs, "iq4_xs", 256, 136, true},
    ElementTypeTraits{i8, "i8", 1, 1, false},
    ElementTypeTraits{i16, "i16", 1, 2, false},
    ElementTypeTraits{i32, "i32", 1, 4, false},
    ElementTypeTraits{i64, "i64", 1, 8, false},
    ElementTypeTraits{f64, "f64", 1, 8, false},
    ElementTypeTraits{iq1_m, "iq1_m", 256, 56, true},
    ElementTypeTraits{bf16, "bf16", 1, 2, false},
    ElementTypeTraits{tq1_0, "tq1_0", 256, 54, true},
    ElementTypeTraits{tq2_0, "tq2_0", 256, 66, true},
    ElementTypeTraits{mxfp4, "mxfp4", 32, 17, true},
    ElementTypeTraits{nvfp4, "nvfp4", 64, 36, true},
    ElementTypeTraits{q1_0, "q1_0", 128, 18, true},
    ElementTypeTraits{q2_0, "q2_0", 64, 18, true},
};

// Table row for each GGUF number; -1 if undefined.
constexpr auto kRowOfNumber = [] {
    std::array<std::int8_t, kElementTypeNumbers> rows{};
    rows.fill(-1);
    for (std::size_t i = 0; i < kTypes.size(); ++i) {
        rows[static_cast<std::size_t>(kTypes[i].type)] = static_cast<std::int8_t>(i);
    }
    return rows;
}();

}  // namespace

std::span<const ElementTypeTraits> element_types() {
    return kTypes;
}

const ElementTypeTraits& traits_of(ElementType type) {
    const std::int8_t row = kRowOfNumber[static_cast<std::size_t>(type)];
    return kTypes[static_cast<std::uint8_t>(row)];
}

std::optional<ElementType> element_type_named(std::string_view name) {
    const auto found = std::ranges::find(kTypes, name, &ElementTypeTraits::name);
    if (found == kTypes.end()) return std::nullopt;
    return found->type;
}

std::optional<ElementType> element_type_numbered(std::uint32_t gguf_number) {
    if (gguf_number >= kElementTypeNumbers || kRowOfNumber[gguf_number] < 0) return std::nullopt;
    return static_cast<ElementType>(gguf_number);
}

std::int64_t row_bytes(ElementType type, std::int64_t elements) {
    const auto& traits = traits_of(type);
    return elements / traits.block_elements * traits.block_bytes;
}

}  // namespace splitscope
