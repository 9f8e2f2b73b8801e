// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/models/loader_rules.hpp"
#include "engine/models/memory_rules.hpp"
#include "engine/models/name_list.hpp"
#include "engine/tensor/op.hpp"

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
constexpr bool has_sections(RopeKind kind) {
    return kind == RopeKind::sections || kind == RopeKind::interleaved;
}

/// Sliding-window types: the last cells, the cells of the same chunk, or equally many on both sides.
enum class WindowKind : std::uint8_t { none, standard, chunked, symmetric };

/// Base of the RoPE of layers that slide.
enum class WindowBase : std::uint8_t {
    given,  ///< "rope.freq_base_swa", by default that of the other layers
    own,    ///< "rope.freq_base_swa", by default 10000
    shared  ///< that of the other layers, whatever the key says
};

/// Scaling of the RoPE of layers that slide.
enum class WindowScaling : std::uint8_t {
    given,   ///< by "rope.scaling.factor", even if the type of scaling is "none"
    shared,  ///< as in the other layers
    off,     ///< frequencies are not scaled; the rest of YaRN applies
    plain    ///< neither scaling nor YaRN
};

/// Which layers have a sliding window if the file only gives its width; "attention.sliding_window_pattern"
/// overrides it.
struct WindowRule {
    WindowKind kind = WindowKind::none;
    std::uint32_t period = 0;  ///< all but one layer of each period slide; 0 = given by the file, 1 = none
    std::uint32_t layers = 0;  ///< only for models with this number of layers; 0 = all
    std::uint32_t width = 0;   ///< default width; 0 = no sliding window
    std::uint32_t forced_width = 0;  ///< overrides the width of the file unless that is 0
    bool full_first = false;         ///< the full-attention layer is the first of a period, not the last
    bool kept_at_zero = false;       ///< layers slide even if the file says that the width is 0
    bool required = false;           ///< llama.cpp aborts without a window
    WindowBase base = WindowBase::given;
    WindowScaling scaling = WindowScaling::given;
    /// Layers that slide rotate "rope.dimension_count_swa" elements; otherwise all layers as many as the
    /// first.
    bool own_dims = false;
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

/// How a reranker scores a sequence: a classifier reads its first token, the last one or the mean of all.
struct RankingRule {
    bool from_mean = false;
    bool from_last = false;  ///< the scores are normalised by a soft-max, too
    UnaryKind activation = UnaryKind::tanh;
};

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
    /// Default soft cap of the scores; 0 = they are not capped.
    float attention_cap = 0.0F;
    float output_cap = 0.0F;                          ///< default soft cap of the logits; 0 = none
    bool caps_output_at_zero = false;                 ///< a soft cap of 0 is applied to the logits too
    std::uint32_t alibi_layers = 0;                   ///< only for models with this number of layers; 0 = all
    float alibi = 0.0F;                               ///< default position bias of the scores (ALiBi)
    float layer_norm_epsilon = 1e-5F;                 ///< default epsilon of layer norms
    bool never_causal = false;                        ///< whatever "attention.causal" says
    std::string_view width_key = "embedding_length";  ///< gives the width of the token embeddings
    bool gives_embeddings = false;
    bool vocodes = false;  ///< the embeddings describe sound and are not computed with --embeddings
    RankingRule ranking = {};
    bool without_heads = false;      ///< no layer has the attention that "attention.head_count" describes
    bool reads_encoder = false;      ///< its graph reads the output of another graph of the same model
    bool without_epsilon = false;    ///< RMS norms have epsilon 0: llama.cpp does not read the key
    bool without_flash = false;      ///< ggml disables flash attention
    bool aborts_with_flash = false;  ///< llama.cpp aborts unless flash attention is off
    bool older_forms = false;        ///< the graph forms of 2025-02 and earlier are also supported
    bool skips_attention = false;    ///< layers without key/value heads have no attention
    bool chooses_experts_by_block = false;  ///< "expert_used_count" may differ between blocks
    bool always_experts = false;            ///< for the others, all layers may be dense
    bool may_have_sections = false;         ///< RoPE has sections if the file gives them
    bool mask_lstrip = false;               ///< the token "<mask>" strips spaces before it
    YarnRule yarn = {};
    /// Weights, without ".weight", whose products the graph multiplies by the weight's scale
    /// ("blk.N.attn_q.scale") if the file has one; it does not read the scales of other weights.
    NameList scaled = kUsualScales;
    /// Operations that llama.cpp replaces by several others unless every block's device computes its own.
    std::span<const Op> fused = {};
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
