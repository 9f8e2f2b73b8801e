// SPDX-License-Identifier: MIT
// Operations by family, for the table in op_table.cpp, and shared helpers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "backends/vulkan/op_table.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::vulkan {

inline std::uint32_t number_of(ElementType type) {
    return static_cast<std::uint32_t>(type);
}

/// Number of work groups for `count` items of `size` each; shaders loop if it exceeds the limit that all
/// devices support.
inline std::uint32_t groups_for(std::int64_t count, std::int64_t size) {
    constexpr std::int64_t kMaxGroups = 65535;
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>((count + size - 1) / size, 1, kMaxGroups));
}

/// As groups_for(), but in two dimensions, so that no invocation has several items
/// (FOR_ELEMENTS_ACROSS of shaders/node.glsl).
inline std::array<std::uint32_t, 3> all_groups_for(std::int64_t count, std::int64_t size) {
    constexpr std::int64_t kMaxGroups = 65535;
    const std::int64_t groups = std::max<std::int64_t>((count + size - 1) / size, 1);
    const std::int64_t rows = (groups + kMaxGroups - 1) / kMaxGroups;
    return {static_cast<std::uint32_t>((groups + rows - 1) / rows), static_cast<std::uint32_t>(rows), 1};
}

/// Whether the loops of an invocation may take so many iterations.
inline bool may_iterate(const KernelTraits& device, std::int64_t iterations) {
    return device.max_iterations == 0 || iterations <= device.max_iterations;
}

/// Element types of the first three sources and the result, and the kind.
inline Constants constants_of(const OpNode& node, std::uint32_t kind = 0) {
    Constants constants{};
    for (std::size_t i = 0; i < 3; ++i) {
        if (node.has(i)) constants[i] = number_of(node.src(i).type);
    }
    constants[3] = number_of(node.dst().type);
    constants[4] = kind;
    return constants;
}

/// Whether the tensor can be read in words of so many bytes: its rows and its offset are aligned to them.
inline bool has_words(const Tensor& t, std::int64_t bytes = 8) {
    return t.nb[1] % bytes == 0 && t.nb[2] % bytes == 0 && t.nb[3] % bytes == 0 &&
           static_cast<std::int64_t>(t.view_offs) % bytes == 0;
}

/// Whether the tensor can be read in 16-byte words.
inline bool has_wide_rows(const Tensor& t) {
    return has_words(t, 16);
}

/// Contiguous F32 with an even number of elements, readable in words.
inline bool is_flat(const Tensor& t) {
    return t.type == ElementType::f32 && is_contiguous(t) && element_count(t) % 2 == 0 &&
           static_cast<std::int64_t>(t.view_offs) % 8 == 0;
}

/// Dequantising shaders, by the family of types for which they are compiled (shaders/dequantise.glsl); empty
/// where there is none.
struct ShaderFamily {
    std::string_view plain{}, small{}, k{}, iq{}, few{};
    std::string_view any{};  ///< compiled for all types

    std::string_view of(ElementType type) const;
    /// For two types: of their common family, else the one for all types.
    std::string_view of(ElementType first, ElementType second) const {
        return of(first) == of(second) ? of(first) : any;
    }
};

inline bool is_float(ElementType type) {
    return type == ElementType::f32 || type == ElementType::f16 || type == ElementType::bf16;
}

/// Sources and result are F32, F16 or BF16.
OpSupport floats_only(const OpQuery& query);
/// Sources and result are F32.
OpSupport f32_only(const OpQuery& query);

/// Maximum number of work groups in the second and third dimension on all devices.
inline constexpr std::int64_t kMaxPlanes = 65535;

/// Whether the kernels of products (shaders/products.glsl) compute this MUL_MAT or MUL_MAT_ID.
bool suits_products(const OpNode& node);
/// What such a kernel computes besides `node`.
struct ProductKernel {
    std::vector<TensorId> others;  ///< products of the same columns, or the other half of a gated pair
    std::uint32_t addends = 0;  ///< two bits for each product, then one each: the first has a row per expert
    std::uint32_t gate = 0;     ///< GluKind + 1
};
void plan_products(const OpNode& node, const ProductKernel& kernel, std::vector<Pass>& passes);
/// NORM, RMS_NORM or L2_NORM of the rows of `from`, whose kind and fused operands are in `constants`. With
/// `wide`, everything that the kernel reads or writes consists of F32 rows of 16-byte words.
void plan_norm_rows(const OpNode& node, Constants constants, bool wide, std::vector<Pass>& passes);
/// Scores for which attention_rows.comp is compiled: a power of two, so that few variants are.
inline std::int64_t attention_room(std::int64_t keys) {
    constexpr std::uint64_t kMin = 256;
    return static_cast<std::int64_t>(
        std::bit_ceil(std::max<std::uint64_t>(static_cast<std::uint64_t>(keys), kMin)));
}
/// Whether attention_rows.comp computes this attention.
bool suits_attention_rows(const OpNode& node, const Tensor& q, const Tensor& k);

std::span<const OpRow> arrange_entries();
std::span<const OpRow> attention_entries();
std::span<const OpRow> elementwise_entries();
std::span<const OpRow> linear_entries();
std::span<const OpRow> product_entries();
std::span<const OpRow> recurrent_entries();
std::span<const OpRow> rows_entries();
std::span<const OpRow> window_entries();

}  // namespace splitscope::vulkan
