// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/formats/gguf.hpp"
#include "engine/models/architectures.hpp"
#include "engine/models/model.hpp"
#include "engine/support/generation.hpp"
#include "engine/tensor/graph_builder.hpp"

namespace splitscope {

/// Transformer hyperparameters from GGUF metadata, with the defaults of the format (placement.md §6). Keys of
/// a single architecture are read by its graph builder.
struct Hyperparameters {
    ModelShape shape;
    CacheKinds caches = CacheKinds::attention;
    /// Trailing blocks for multi-token prediction (MTP); no graph here reads them.
    std::uint32_t predicting_blocks = 0;
    std::vector<std::uint32_t> heads;     ///< per layer
    std::vector<std::uint32_t> kv_heads;  ///< per layer; 0 = no cache
    std::uint32_t head_dim_k = 0;
    std::uint32_t head_dim_v = 0;
    std::uint32_t window_head_dim_k = 0;  ///< of the layers that slide
    std::uint32_t window_head_dim_v = 0;
    float rms_epsilon = 1e-5F;
    float layer_norm_epsilon = 1e-5F;
    RopeKind rope_kind = RopeKind::halves;
    RopeParameters rope;
    float yarn_log_multiplier = 0.0F;
    std::uint32_t experts = 0;
    std::uint32_t experts_used = 0;                         ///< at most
    std::vector<std::uint32_t> experts_used_by_block = {};  ///< empty: `experts_used` in all
    std::uint32_t expert_groups = 0;
    std::uint32_t expert_groups_used = 0;
    /// Number of leading layers without experts.
    std::uint32_t leading_dense = 0;
    std::optional<float> attention_soft_cap;
    std::optional<float> output_soft_cap;
    float alibi_bias = 0.0F;  ///< 0 = positions do not bias the scores
    bool causal = true;

    WindowKind window_kind = WindowKind::none;
    std::uint32_t window = 0;           ///< number of cells that a token attends to, its own included
    std::vector<bool> sliding;          ///< per layer; empty without a window
    std::int32_t window_rope_dims = 0;  ///< of the layers that slide
    float window_rope_base = 10000.0F;
    float window_rope_scale = 1.0F;
    bool window_rope_plain = false;  ///< without YaRN

    /// State-space layers.
    std::uint32_t ssm_kernel = 0;
    std::uint32_t ssm_inner = 0;
    std::uint32_t ssm_state = 0;
    std::uint32_t ssm_dt_rank = 0;

    std::uint32_t experts_used_in(std::int32_t layer) const {
        return experts_used_by_block.empty() ? experts_used
                                             : experts_used_by_block[static_cast<std::size_t>(layer)];
    }
    bool has_window() const { return window_kind != WindowKind::none; }
    bool slides(std::size_t layer) const { return layer < sliding.size() && sliding[layer]; }
    std::uint32_t head_k(std::size_t layer) const { return slides(layer) ? window_head_dim_k : head_dim_k; }
    std::uint32_t head_v(std::size_t layer) const { return slides(layer) ? window_head_dim_v : head_dim_v; }
    std::uint32_t q_row(std::size_t layer) const { return head_k(layer) * heads[layer]; }
    std::uint32_t k_row(std::size_t layer) const { return head_k(layer) * kv_heads[layer]; }
    std::uint32_t v_row(std::size_t layer) const { return head_v(layer) * kv_heads[layer]; }
    /// The largest row of values over all layers; without flash attention, all caches use it.
    std::uint32_t widest_v_row() const;
};

/// Throws Error(bad_file) if the file does not name its architecture.
std::string architecture_of(const GgufFile& file);
/// Whether it is an embedding model for text, which programs run with --embeddings, in a generation whose
/// graphs are known with pooling. Throws likewise.
bool embeds_text(const GgufFile& file, Generation generation);

/// Throws Error(bad_file) with the key that is missing or out of range.
Hyperparameters read_hyperparameters(const GgufFile& file);

}  // namespace splitscope
