// SPDX-License-Identifier: MIT
// Shader parameters of a node; the layout must match shaders/node.glsl.
#pragma once

#include <array>
#include <cstdint>

#include "engine/tensor/tensor.hpp"

namespace splitscope::vulkan {

inline constexpr std::size_t kShaderSources = 7;
/// Additional tensors of a fused kernel.
inline constexpr std::size_t kMoreTensors = 7;

struct TensorBlock {
    std::uint64_t data = 0;  ///< address of the first element; 0 = no tensor
    std::array<std::uint32_t, kMaxDims> ne{};
    std::array<std::uint32_t, kMaxDims> nb{};
    friend bool operator==(const TensorBlock&, const TensorBlock&) = default;
};

/// A uniform block, aligned to kNodeStride.
struct NodeBlock {
    TensorBlock dst;
    std::array<TensorBlock, kShaderSources> src;
    std::uint64_t tables = 0;  ///< codebooks of the quantised types
    std::uint64_t fault = 0;   ///< where shaders store `id` if an index is out of range
    OpParams params{};
    std::uint32_t id = 0;  ///< of the node, plus one
    std::uint32_t unused = 0;
    std::uint64_t scratch = 0;  ///< memory shared by work groups (scratch.hpp)
    std::array<TensorBlock, kMoreTensors> more;
};
/// A multiple of 256, the largest minUniformBufferOffsetAlignment that Vulkan allows.
inline constexpr std::size_t kNodeStride = 768;
static_assert(sizeof(TensorBlock) == 40 && sizeof(NodeBlock) == 416 + kMoreTensors * sizeof(TensorBlock) &&
              sizeof(NodeBlock) <= kNodeStride);

}  // namespace splitscope::vulkan
