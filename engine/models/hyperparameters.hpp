// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/formats/gguf.hpp"
#include "engine/models/model.hpp"
#include "engine/tensor/graph_builder.hpp"

namespace splitscope {

/// The numbers of a transformer that GGUF metadata gives, with the defaults of the format (placement.md §6).
struct Hyperparameters {
    ModelShape shape;
    std::vector<std::uint32_t> heads;     ///< per layer
    std::vector<std::uint32_t> kv_heads;  ///< per layer
    std::uint32_t head_dim_k = 0;
    std::uint32_t head_dim_v = 0;
    float rms_epsilon = 1e-5F;
    float layer_norm_epsilon = 1e-5F;
    RopeParameters rope;
    std::uint32_t experts = 0;
    std::uint32_t experts_used = 0;
    float attention_soft_cap = 0.0F;  ///< 0 = none
    float output_soft_cap = 0.0F;

    /// Sliding-window attention: cells a token looks back at, itself included; 0 = all. Of every
    /// `window_period` layers all but the last slide.
    std::uint32_t window = 0;
    std::uint32_t window_period = 1;
    float window_rope_base = 10000.0F;  ///< of the layers that slide
    float window_rope_scale = 1.0F;

    /// State-space layers.
    std::uint32_t ssm_kernel = 0;
    std::uint32_t ssm_inner = 0;
    std::uint32_t ssm_state = 0;
    std::uint32_t ssm_dt_rank = 0;

    std::uint32_t k_row(std::size_t layer) const { return head_dim_k * kv_heads[layer]; }
    std::uint32_t v_row(std::size_t layer) const { return head_dim_v * kv_heads[layer]; }
    bool slides(std::size_t layer) const { return window > 0 && layer % window_period + 1 < window_period; }
};

/// Throws Error(bad_file) when the file does not name it.
std::string architecture_of(const GgufFile& file);

/// Reads them for the file's architecture. Throws Error(bad_file) naming the key that is missing or absurd.
Hyperparameters read_hyperparameters(const GgufFile& file);

}  // namespace splitscope
