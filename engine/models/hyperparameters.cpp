// SPDX-License-Identifier: MIT
#include "engine/models/hyperparameters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/formats/gguf_place.hpp"
#include "engine/formats/messages.hpp"
#include "engine/models/keys.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/name_list.hpp"
#include "engine/models/trunk_blocks.hpp"
#include "engine/models/vocabulary.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {
namespace {

/// RoPE mode numbers in operations.
std::int32_t mode_of(RopeKind kind) {
    switch (kind) {
        case RopeKind::halves:
            return 2;
        case RopeKind::sections:
            return 8;
        case RopeKind::interleaved:
            return 40;
        case RopeKind::none:
        case RopeKind::pairs:
            break;
    }
    return 0;
}

std::uint64_t table_rows(const GgufFile& file) {
    const auto found = file.find_tensor("token_embd.weight");
    return found ? static_cast<std::uint64_t>(std::max<std::int64_t>(file.tensors()[*found].ne[1], 0)) : 0;
}

std::uint32_t vocabulary_of(const GgufFile& file, const Keys& keys) {
    // llama.cpp counts the tokens listed. Headers without weights may list fewer and state their number.
    const auto* tokens = array_of<std::string>(file, "tokenizer.ggml.tokens");
    const auto stated = keys.number("vocab_size");
    if (tokens != nullptr && (!stated || file.has_data() || table_rows(file) == tokens->size()))
        return static_cast<std::uint32_t>(std::min<std::size_t>(tokens->size(), kMaxExtent));
    if (stated) return *stated;
    for (const char* name : {"token_embd.weight", "output.weight"}) {
        if (const auto found = file.find_tensor(name)) {
            return static_cast<std::uint32_t>(std::clamp<std::int64_t>(
                file.tensors()[*found].ne[1], 0, std::numeric_limits<std::int32_t>::max()));
        }
    }
    return 0;
}

void read_heads(const Keys& keys, const Architecture& row, Hyperparameters& h) {
    const bool mixed = row.caches == CacheKinds::hybrid || row.skips_attention;
    h.heads = keys.per_layer("attention.head_count", h.shape.layers, {});
    if (h.heads.empty()) keys.refuse("attention.head_count", msg::kMissingOrZero);
    h.kv_heads = keys.per_layer("attention.head_count_kv", h.shape.layers, h.heads);
    h.shape.heads = std::ranges::max(h.heads);
    h.shape.kv_heads = std::ranges::max(h.kv_heads);
    // Layers may all be without attention.
    if (mixed && h.shape.heads == 0 && h.shape.kv_heads == 0) return;
    // llama.cpp takes the width of heads from the first layer.
    const bool latent = keys.has("attention.key_length_mla");
    if (h.shape.heads == 0 || (h.heads[0] == 0 && h.shape.kv_heads > 0 && !latent))
        keys.refuse("attention.head_count", msg::kMissingOrZero);
    const std::uint32_t head_dim = h.shape.embedding / (h.heads[0] > 0 ? h.heads[0] : h.shape.heads);
    h.head_dim_k = keys.number_or("attention.key_length", head_dim);
    h.head_dim_v = keys.number_or("attention.value_length", head_dim);
    if (h.head_dim_k == 0 || (h.head_dim_v == 0 && !latent))
        keys.refuse("attention.key_length", msg::kHeadsWithoutWidth);
    h.window_head_dim_k = keys.number_or("attention.key_length_swa", h.head_dim_k);
    h.window_head_dim_v = keys.number_or("attention.value_length_swa", h.head_dim_v);
    for (std::size_t l = 0; l < h.heads.size(); ++l) {
        const bool absent = mixed && h.kv_heads[l] == 0;
        if (!absent && h.heads[l] == 0) keys.refuse("attention.head_count", msg::kMissingOrZero);
        if (!absent && (h.kv_heads[l] == 0 || h.heads[l] % h.kv_heads[l] != 0)) {
            keys.refuse("attention.head_count_kv", msg::kHeadsCannotShare(h.heads[l], h.kv_heads[l], l));
        }
        const std::uint64_t widest =
            std::max({h.head_dim_k, h.head_dim_v, h.window_head_dim_k, h.window_head_dim_v});
        if (widest * h.heads[l] > kMaxExtent)
            keys.refuse("attention.head_count", msg::kRowsTooLong(widest * h.heads[l]));
    }
}

void read_caps(const Keys& keys, const Architecture& row, Hyperparameters& h) {
    if (row.attention_cap != 0.0F)
        h.attention_soft_cap = keys.decimal("attn_logit_softcapping", row.attention_cap);
    const bool biased = row.alibi_layers == 0 || row.alibi_layers == h.shape.layers;
    h.alibi_bias = keys.decimal("attention.max_alibi_bias", biased ? row.alibi : 0.0F);
    const float cap = keys.decimal("final_logit_softcapping", row.output_cap);
    if (cap != 0.0F || row.caps_output_at_zero) h.output_soft_cap = cap;
}

/// The most experts that a block uses.
std::uint32_t experts_used(const Keys& keys, const Architecture& row, Hyperparameters& h) {
    constexpr std::string_view key = "expert_used_count";
    if (!row.chooses_experts_by_block || !keys.has_array(key)) return keys.number_or(key, 0);
    h.experts_used_by_block = keys.per_layer(key, h.shape.layers, {});
    return std::ranges::max(h.experts_used_by_block);
}

void read_experts(const Keys& keys, const Architecture& row, Hyperparameters& h) {
    h.experts = row.always_experts ? keys.required("expert_count", kMaxExperts)
                                   : keys.number("expert_count", kMaxExperts).value_or(0);
    h.experts_used = experts_used(keys, row, h);
    if (h.experts_used > h.experts) keys.refuse("expert_used_count", msg::kMoreThanExperts);
    if (h.experts > 0 && h.experts_used == 0) keys.refuse("expert_used_count", msg::kMissingOrZero);
    if (std::uint64_t{h.experts_used} * h.shape.layers > kMaxExpertUses)
        keys.refuse("expert_used_count", msg::kTooManyExpertUses(h.experts_used, h.shape.layers));
    h.expert_groups = keys.number_or("expert_group_count", 0);
    h.expert_groups_used = keys.number_or("expert_group_used_count", 0);
    if (h.expert_groups > 1 && (h.experts % h.expert_groups != 0 || h.experts / h.expert_groups < 2 ||
                                h.expert_groups_used == 0 || h.expert_groups_used >= h.expert_groups))
        keys.refuse("expert_group_count", msg::kGroupsDoNotDivide);
    h.leading_dense = keys.number_or("leading_dense_block_count", 0);
}

void read_sections(const Keys& keys, const Architecture& row, Hyperparameters& h) {
    const auto sections = keys.numbers("rope.dimension_sections");
    for (std::size_t i = 0; i < std::min(sections.size(), h.rope.sections.size()); ++i)
        h.rope.sections[i] = static_cast<std::int32_t>(sections[i]);
    // Of some architectures, only multimodal models have them.
    const bool has_sections = std::ranges::any_of(h.rope.sections, [](std::int32_t s) { return s > 0; });
    if (has_sections && row.may_have_sections) h.rope_kind = RopeKind::sections;
}

/// YaRN scales attention with the context extension. The operation applies this itself, so the parameter
/// compensates for the unwanted part.
void read_yarn(const Keys& keys, const YarnRule& rule, Hyperparameters& h) {
    if (rule.reads_betas) {
        h.rope.beta_fast = keys.decimal("rope.scaling.yarn_beta_fast", rule.beta_fast);
        h.rope.beta_slow = keys.decimal("rope.scaling.yarn_beta_slow", h.rope.beta_slow);
        h.yarn_log_multiplier = keys.decimal("rope.scaling.yarn_log_multiplier", 0.0F);
    }
    if (rule.reads_factor)
        h.rope.ext_factor = keys.decimal("rope.scaling.yarn_ext_factor", h.rope.ext_factor);
    if (rule.multiplier_is_tenth) h.yarn_log_multiplier /= 0.1F;
    if (h.rope.ext_factor == 0.0F) return;
    const float stretch = 1.0F / h.rope.scale;
    const auto grown = [&](float multiplier) {
        return stretch <= 1.0F ? 1.0F : 0.1F * multiplier * std::log(stretch) + 1.0F;
    };
    float factor = grown(1.0F);
    if (h.yarn_log_multiplier != 0.0F) {
        const bool own = rule.scales_attention && h.yarn_log_multiplier != 1.0F;
        factor = grown(own ? h.yarn_log_multiplier : 1.0F) / grown(h.yarn_log_multiplier);
    }
    h.rope.attn_factor *= factor / (1.0F + 0.1F * std::log(stretch));
}

void read_rope(const Keys& keys, const Architecture& row, Hyperparameters& h) {
    h.rope_kind = row.rope;
    if (row.rope == RopeKind::none || h.shape.heads == 0) return;
    h.rope.dims = static_cast<std::int32_t>(keys.number_or("rope.dimension_count", h.head_dim_k));
    h.window_rope_dims = static_cast<std::int32_t>(
        keys.number_or("rope.dimension_count_swa", static_cast<std::uint32_t>(h.rope.dims)));
    for (const std::int32_t dims : {h.rope.dims, h.window_rope_dims}) {
        const auto most = static_cast<std::int32_t>(std::max(h.head_dim_k, h.window_head_dim_k));
        if (dims <= 0 || dims > most || dims % 2 != 0)
            keys.refuse("rope.dimension_count", msg::kNotEvenUpTo(dims, most));
    }
    const auto width = static_cast<std::int32_t>(h.head_dim_k);
    if (row.loader.rotates_whole_heads && h.rope.dims != width)
        keys.refuse("rope.dimension_count", msg::kKeyValue(h.rope.dims, width));
    read_sections(keys, row, h);
    h.rope.mode = mode_of(h.rope_kind);
    h.rope.original_context =
        static_cast<std::int32_t>(keys.number_or("rope.scaling.original_context_length", h.shape.context));
    h.rope.base = keys.decimal("rope.freq_base", 10000.0F);
    const std::string scaling = keys.text("rope.scaling.type", "linear");
    const float factor = keys.decimal("rope.scaling.factor", keys.decimal("rope.scale_linear", 0.0F));
    const float scale = factor == 0.0F ? 1.0F : 1.0F / factor;
    h.rope.scale = scaling == "none" ? 1.0F : scale;
    const WindowScaling of_window = row.window.scaling;
    h.window_rope_plain = of_window == WindowScaling::plain;
    h.window_rope_scale = of_window == WindowScaling::given    ? scale
                          : of_window == WindowScaling::shared ? h.rope.scale
                                                               : 1.0F;
    h.window_rope_base = row.window.base == WindowBase::own ? 10000.0F : h.rope.base;
    if (row.window.base != WindowBase::shared)
        h.window_rope_base = keys.decimal("rope.freq_base_swa", h.window_rope_base);
    h.rope.ext_factor = scaling == "yarn" ? 1.0F : 0.0F;
    h.rope.attn_factor = keys.decimal("rope.scaling.attn_factor", 1.0F);
    read_yarn(keys, row.yarn, h);
}

/// Which layers have a sliding window mostly depends on the architecture; files give its width.
void read_window(const Keys& keys, const WindowRule& rule, Hyperparameters& h) {
    if (rule.kind == WindowKind::none) return;
    const std::uint32_t attention_layers = h.shape.layers - h.predicting_blocks;
    if (rule.layers > 0 && rule.layers != attention_layers) return;
    constexpr std::string_view kWidth = "attention.sliding_window";
    h.window = keys.number_or(kWidth, rule.width);
    if (h.window == 0 && rule.required) keys.refuse(kWidth, msg::kMissingOrZero);
    if (h.window == 0 && !(rule.kept_at_zero && keys.has(kWidth))) return;
    if (rule.forced_width > 0) h.window = rule.forced_width;
    h.window_kind = rule.kind;
    constexpr std::string_view kPattern = "attention.sliding_window_pattern";
    if (rule.all) {
        h.sliding.assign(h.shape.layers, true);
    } else if (keys.has_array(kPattern)) {
        h.sliding = keys.flags(kPattern, h.shape.layers);
    } else {
        const std::uint32_t period = keys.number_or(kPattern, rule.period);
        for (std::uint32_t l = 0; l < h.shape.layers; ++l) {
            const bool full = period > 0 && (rule.full_first ? l % period == 0 : l % period == period - 1);
            h.sliding.push_back(!full && l + h.predicting_blocks < h.shape.layers);
        }
    }
    if (std::ranges::find(h.sliding, true) != h.sliding.end()) return;
    // llama.cpp requires caches of both kinds.
    if (rule.kind != WindowKind::symmetric) keys.refuse(kPattern, msg::kNoLayerSlides);
    h.window_kind = WindowKind::none;
    h.window = 0;
}

}  // namespace

std::uint32_t Hyperparameters::widest_v_row() const {
    std::uint32_t widest = 0;
    for (std::size_t l = 0; l < kv_heads.size(); ++l) widest = std::max(widest, v_row(l));
    return widest;
}

std::string architecture_of(const GgufFile& file) {
    auto name = file.string_value("general.architecture");
    if (!name || name->empty()) {
        throw Error(ErrorKind::bad_file, msg::kArchitectureNotNamed,
                    place_of_key(file.path(), "general.architecture"), msg::kConvertAgain);
    }
    return *name;
}

bool embeds_text(const GgufFile& file, Generation generation) {
    if (generation != Generation::g2026_08) return false;
    const Architecture& row = architecture_or_default(architecture_of(file));
    return row.gives_embeddings && !row.vocodes;
}

Hyperparameters read_hyperparameters(const GgufFile& file) {
    const Keys keys(file);
    Hyperparameters h;
    h.shape.architecture = architecture_of(file);
    const Architecture& row = architecture_or_default(h.shape.architecture);
    h.caches = row.caches;
    h.shape.layers = keys.required("block_count", kMaxLayers);
    h.shape.embedding = keys.required(row.width_key);
    const auto context = keys.number("context_length");
    if (!context) keys.refuse("context_length", msg::kKeyMissing);
    h.shape.context = *context;
    h.shape.vocabulary = vocabulary_of(file, keys);
    if (keys.number_or("nextn_predict_layers", 0) > 0)
        h.predicting_blocks = h.shape.layers - static_cast<std::uint32_t>(trunk_blocks(file));
    if (h.predicting_blocks >= h.shape.layers) keys.refuse("nextn_predict_layers", msg::kNoBlockLeft);
    h.rms_epsilon = row.without_epsilon ? 0.0F : keys.decimal("attention.layer_norm_rms_epsilon", 1e-5F);
    h.layer_norm_epsilon = keys.decimal("attention.layer_norm_epsilon", row.layer_norm_epsilon);
    if (row.caches == CacheKinds::latent && !keys.has("attention.key_length_mla"))
        h.caches = CacheKinds::attention;
    h.causal = !row.never_causal && keys.flag("attention.causal", true);
    read_experts(keys, row, h);
    if (row.caches == CacheKinds::recurrent || row.caches == CacheKinds::hybrid) {
        const auto state = [&](std::string_view key) {
            // Graphs divide by these.
            return lists(row.loader.keys, key) ? keys.required(key, kMaxStateExtent)
                                               : keys.number(key, kMaxStateExtent).value_or(0);
        };
        h.ssm_kernel = state("ssm.conv_kernel");
        h.ssm_inner = state("ssm.inner_size");
        h.ssm_state = state("ssm.state_size");
        h.ssm_dt_rank = state("ssm.time_step_rank");
        if (row.caches == CacheKinds::recurrent) return h;
    }
    if (row.without_heads) return h;
    read_heads(keys, row, h);
    read_caps(keys, row, h);
    read_rope(keys, row, h);
    read_window(keys, row.window, h);
    if (!row.window.own_dims)
        h.rope.dims = h.window_rope_dims = h.slides(0) ? h.window_rope_dims : h.rope.dims;
    return h;
}

}  // namespace splitscope
