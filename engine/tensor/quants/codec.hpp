// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/tensor/element_type.hpp"

namespace splitscope {

/// Conversion of an element type to and from floats.
struct Codec {
    /// Decodes `n` elements (a multiple of the block size) exactly as the format defines; null for the
    /// activation types q8_1 and q8_K, which are never read back.
    void (*decode)(const std::byte* blocks, float* values, std::int64_t n) = nullptr;
    /// Encodes whole blocks; null for types that require importances.
    void (*encode)(const float* values, std::byte* blocks, std::int64_t n) = nullptr;
    /// Minimises the squared error weighted by importances; null for types whose encoder ignores them.
    void (*encode_weighted)(const float* values, const float* importances, std::byte* blocks,
                            std::int64_t n) = nullptr;
};

/// Some members may be null: check can_decode() and can_encode() first.
const Codec& codec_of(ElementType type);

inline bool can_decode(ElementType type) {
    return codec_of(type).decode != nullptr;
}
/// Whether the type can be encoded without importances.
inline bool can_encode(ElementType type) {
    return codec_of(type).encode != nullptr;
}
inline bool can_encode_weighted(ElementType type) {
    return codec_of(type).encode_weighted != nullptr;
}

/// Decodes whole blocks. Throws Error(unsupported) if the type cannot be decoded, Error(range) if the sizes
/// of `blocks` and `values` do not match.
void dequantise(ElementType type, std::span<const std::byte> blocks, std::span<float> values);

/// Encodes whole blocks. Throws Error(unsupported) if the type cannot be encoded, Error(range) if the sizes
/// of `values` and `blocks` do not match.
void quantise(ElementType type, std::span<const float> values, std::span<std::byte> blocks);

/// Encodes rows with importances: non-negative, one per column, a multiple of the block size. Types without
/// weighted encoder are encoded as above. Throws Error(unsupported) if the type cannot be encoded,
/// Error(range) if the sizes do not match.
void quantise(ElementType type, std::span<const float> values, std::span<const float> importances,
              std::span<std::byte> blocks);

}  // namespace splitscope
