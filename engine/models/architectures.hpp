// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/models/loader_rules.hpp"
#include "engine/models/memory_rules.hpp"
#include "engine/models/name_list.hpp"

namespace splitscope {

class ModelBuilder;
struct ModelGraph;

/// Rotary position embedding; in parentheses, llama.cpp's names.
enum class RopeKind : std::uint8_t {
    none,
    pairs,       ///< rotates neighbouring elements (norm)
    halves,      ///< rotates elements of the two halves of a head (neox)
    sections,    ///< halves with several positions per token, in consecutive sections (mrope)
    interleaved  ///< the same, interleaved (imrope)
};

/// Sliding-window types: the last cells, the cells of the same chunk, or equally many on both sides.
enum class WindowKind : std::uint8_t { none, standard, chunked, symmetric };

/// Which layers have a sliding window if the file only gives its width; "attention.sliding_window_pattern"
/// overrides it.
struct WindowRule {
    WindowKind kind = WindowKind::none;
    std::uint32_t period = 0;  ///< all but one layer of each period slide; 0 = given by the file, 1 = none
    std::uint32_t layers = 0;  ///< only for models with this number of layers; 0 = all
    std::uint32_t width = 0;   ///< default width; 0 = no sliding window
    std::uint32_t forced_width = 0;  ///< overrides the width of the file unless that is 0
    bool full_first = false;         ///< the full-attention layer is the first of a period, not the last
    /// RoPE of sliding layers if the file does not give it: base 10000 without scaling, instead of the
    /// parameters of the other layers.
    bool own_base = false;
    bool unscaled = false;
    bool all = false;      ///< every layer slides; the file does not say which
    bool ignored = false;  ///< caches have no window, whatever the file says

    /// Whether the key "attention.sliding_window_pattern" has an effect.
    bool reads_pattern(std::uint32_t attention_layers) const {
        return kind != WindowKind::none && !all && (layers == 0 || layers == attention_layers);
    }
};

/// Which keys of YaRN an architecture reads, and how.
struct YarnRule {
    bool reads_betas = false;  ///< and the multiplier of the logarithm
    float beta_fast = 32.0F;   ///< if the file does not give it
    bool reads_factor = false;
    bool multiplier_is_tenth = false;  ///< converters wrote a tenth of the multiplier
    bool scales_attention = false;     ///< attention grows with the multiplier unless that is 1
};

/// The kinds of state that a model keeps between graphs.
enum class CacheKinds : std::uint8_t {
    attention,  ///< keys and values
    latent,     ///< keys only; values are part of them
    recurrent,
    hybrid,  ///< some layers recurrent, some with attention
    none,
};

/// Scaled weights of most architectures.
inline constexpr std::string_view kUsualScales = "attn_q attn_k attn_v attn_qkv attn_output output";

/// Builds the compute graph of an architecture (`llm_build_…` in llama.cpp); those of graphs/.
using GraphFunction = ModelGraph(ModelBuilder& builder);

/// One row of the table, in the file of its family in families/: the graph of an architecture and its other
/// properties.
struct Architecture {
    std::string_view name;
    GraphFunction* graph = nullptr;  ///< null: weights and caches are supported, the graph is not
    RopeKind rope = RopeKind::halves;
    CacheKinds caches = CacheKinds::attention;
    WindowRule window = {};
    /// Soft caps of scores and logits if the file does not give them.
    float attention_cap = 0.0F;
    float output_cap = 0.0F;
    std::uint32_t alibi_layers = 0;                   ///< only for models with this number of layers; 0 = all
    float alibi = 0.0F;                               ///< default position bias of the scores (ALiBi)
    float layer_norm_epsilon = 1e-5F;                 ///< default epsilon of layer norms
    std::string_view width_key = "embedding_length";  ///< gives the width of the token embeddings
    bool gives_embeddings = false;
    bool without_heads = false;      ///< no layer has the attention that "attention.head_count" describes
    bool reads_encoder = false;      ///< its graph reads the output of another graph of the same model
    bool without_epsilon = false;    ///< RMS norms have epsilon 0: llama.cpp does not read the key
    bool without_flash = false;      ///< ggml disables flash attention
    bool aborts_with_flash = false;  ///< llama.cpp aborts unless flash attention is off
    bool older_forms = false;        ///< the graph forms of 2025-02 and earlier are also supported
    bool skips_attention = false;    ///< layers without key/value heads have no attention
    bool always_experts = false;     ///< for the others, all layers may be dense
    bool may_have_sections = false;  ///< RoPE has sections if the file gives them
    bool mask_lstrip = false;        ///< the token "<mask>" strips spaces before it
    YarnRule yarn = {};
    /// Weights, without ".weight", whose products the graph multiplies by the weight's scale
    /// ("blk.N.attn_q.scale") if the file has one; it does not read the scales of other weights.
    NameList scaled = kUsualScales;
    LoaderRules loader = {};
    MemoryRules memory = {};
};

/// Sorted by name.
std::span<const Architecture> architectures();
/// Null if the architecture is not in the table.
const Architecture* find_architecture(std::string_view name);
/// A row of defaults if the architecture is not in the table.
const Architecture& architecture_or_default(std::string_view name);

}  // namespace splitscope
