// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/tensor/element_type.hpp"

namespace splitscope {

/// How the elements of a type are read and written as floats.
struct Codec {
    /// `n` elements (a multiple of the block) to floats, exactly as the format defines them; null for the
    /// activation types q8_1 and q8_K, which nothing reads back.
    void (*decode)(const std::byte* blocks, float* values, std::int64_t n) = nullptr;
    /// The nearest the format's encoder gets; null for types that cannot be encoded without importances.
    void (*encode)(const float* values, std::byte* blocks, std::int64_t n) = nullptr;
    /// Least squared error weighted by an importance of each value; null for types whose encoder has no use
    /// for importances.
    void (*encode_weighted)(const float* values, const float* importances, std::byte* blocks,
                            std::int64_t n) = nullptr;
};

/// Never null members that the type lacks: ask can_decode() and can_encode() first.
const Codec& codec_of(ElementType type);

inline bool can_decode(ElementType type) {
    return codec_of(type).decode != nullptr;
}
/// Without importances.
inline bool can_encode(ElementType type) {
    return codec_of(type).encode != nullptr;
}
inline bool can_encode_weighted(ElementType type) {
    return codec_of(type).encode_weighted != nullptr;
}

/// Expands whole blocks. Throws Error(unsupported) when the type cannot be decoded, Error(range) when the
/// numbers of bytes and of values do not match.
void dequantise(ElementType type, std::span<const std::byte> blocks, std::span<float> values);

/// Encodes whole blocks. Throws Error(unsupported) when the type cannot be encoded, Error(range) when the
/// numbers of bytes and of values do not match.
void quantise(ElementType type, std::span<const float> values, std::span<std::byte> blocks);

/// Encodes rows whose columns matter as `importances` say: not negative, one per column, whole blocks of
/// them. Types that cannot be weighted are encoded as above. Throws Error(unsupported) when the type cannot
/// be encoded, Error(range) when values, importances and bytes do not match.
void quantise(ElementType type, std::span<const float> values, std::span<const float> importances,
              std::span<std::byte> blocks);

}  // namespace splitscope
