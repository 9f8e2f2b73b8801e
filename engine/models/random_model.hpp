// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/support/job.hpp"
#include "engine/tensor/element_type.hpp"

namespace splitscope {

/// Shape of a Llama model with random weights; defaults to the 1.1-billion-parameter shape of the benchmarks.
struct RandomModelOptions {
    std::uint32_t layers = 22;
    std::uint32_t embedding = 2048;
    std::uint32_t heads = 32;
    std::uint32_t kv_heads = 4;
    std::uint32_t feed_forward = 5632;
    std::uint32_t vocabulary = 32000;
    std::uint32_t context = 2048;
    std::uint32_t experts = 0;       ///< per layer; 0: dense
    std::uint32_t experts_used = 0;  ///< per token
    ElementType type =
        ElementType::q4_0;  ///< of all matrices but the experts' router; that and norms are F32
    std::uint64_t seed = 0;
    bool header_only = false;  ///< no weights: for planning, not for running
};

/// The shape of Llama 3.1 8B.
inline constexpr RandomModelOptions kShapeOf8b{.layers = 32,
                                               .embedding = 4096,
                                               .heads = 32,
                                               .kv_heads = 8,
                                               .feed_forward = 14336,
                                               .vocabulary = 128256,
                                               .context = 131072};

/// Writes the model as GGUF, deterministically. Tensors are streamed into an AtomicFile. The vocabulary has
/// `<unk>`, `<s>`, `</s>`, the 256 bytes and numbered words. Returns the number of bytes written. Throws
/// Error(usage) for an invalid shape, Error(unsupported) for a type that cannot be encoded, Error(io),
/// Cancelled.
std::uint64_t write_random_model(const std::filesystem::path& path, const RandomModelOptions& options,
                                 const JobContext& job = {});

}  // namespace splitscope
