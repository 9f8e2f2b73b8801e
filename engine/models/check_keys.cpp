// SPDX-License-Identifier: MIT
#include "engine/models/check_keys.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>

#include "engine/formats/gguf_place.hpp"
#include "engine/formats/messages.hpp"
#include "engine/models/architectures.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/name_list.hpp"
#include "engine/models/selective_keys.hpp"
#include "engine/models/trunk_blocks.hpp"
#include "engine/models/vocabulary.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {
namespace {

// Keys after the name of the architecture. llama.cpp converts no type into another.
constexpr std::string_view kDecimalKeys =
    "activation.situ_beta activation.situ_linear_beta attention.clamp_kqv attention.compress_rope_freq_base "
    "attention.group_norm_epsilon attention.layer_norm_epsilon attention.layer_norm_rms_epsilon "
    "attention.max_alibi_bias attention.output_scale attention.scale attention.temperature_scale "
    "attn_logit_softcapping embedding_scale expert_group_scale expert_weights_scale final_logit_softcapping "
    "hyper_connection.epsilon hyper_connection.magnitude kda.gate_lower_bound logit_scale residual_scale "
    "rope.freq_base rope.freq_base_swa rope.scale_linear rope.scaling.attn_factor rope.scaling.factor "
    "rope.scaling.yarn_beta_fast rope.scaling.yarn_beta_slow rope.scaling.yarn_ext_factor "
    "rope.scaling.yarn_log_multiplier router_logit_softcapping";
constexpr std::string_view kFlagKeys =
    "attention.causal expert_weights_norm kda.safe_gate rope.scaling.finetuned use_parallel_residual";
constexpr std::string_view kTextKeys = "rope.scaling.type";
constexpr std::string_view kNumberKeys =
    "attention.decay_lora_rank attention.gate_lora_rank attention.group_norm_groups attention.iclr_lora_rank "
    "attention.indexer.block_size attention.indexer.head_count attention.indexer.key_length "
    "attention.indexer.local_blocks attention.indexer.top_k attention.key_length attention.key_length_mla "
    "attention.key_length_mla_swa attention.key_length_swa attention.kv_lora_rank attention.kv_lora_rank_swa "
    "attention.output_group_count attention.output_lora_rank attention.q_lora_rank "
    "attention.relative_buckets_count attention.shared_kv_layers attention.sliding_window "
    "attention.value_length attention.value_length_mla attention.value_length_mla_swa "
    "attention.value_length_swa attention.value_residual_mix_lora_rank attn_res.block_size block_count "
    "context_length convnext.block_count convnext.embedding_length embedding_length "
    "embedding_length_per_layer_input expert_count expert_gating_func expert_group_count "
    "expert_group_used_count expert_latent_length expert_shared_count expert_shared_feed_forward_length "
    "experts_per_group features_length full_attention_interval hash_layer_count hrm.h_cycles hrm.l_cycles "
    "hrm.layers_per_stack hyper_connection.count hyper_connection.low_rank "
    "hyper_connection.sinkhorn_iterations interleave_moe_layer_step kda.head_dim leading_dense_block_count "
    "moe_every_n_layers nextn_predict_layers ple.conv_kernel ple.eos_token_id ple.heads_per_ngram "
    "ple.image_token_id ple.ngram_size pooling_type posnet.block_count posnet.embedding_length "
    "rescale_every_n_layers rope.dimension_count rope.dimension_count_swa "
    "rope.scaling.original_context_length shortconv.l_cache ssm.conv_kernel ssm.group_count ssm.inner_size "
    "ssm.state_size ssm.time_step_rank time_decay_extra_dim time_mix_extra_dim token_shift_count vocab_size "
    "wkv.head_size";
/// A number, or one for each layer.
constexpr std::string_view kLayerKeys =
    "attention.compress_ratios attention.head_count attention.head_count_kv expert_feed_forward_length "
    "expert_used_count feed_forward_length";
constexpr std::string_view kLayerDecimalKeys = "swiglu_clamp_exp swiglu_clamp_shexp";
/// Of a vocabulary; "none" has no tokens.
constexpr std::string_view kVocabularies = "llama gpt2 bert t5 rwkv plamo2 gemma4 hybriddna whitespace test";
constexpr std::string_view kNoVocabularies = "no_vocab none";
constexpr std::size_t kRopeSections = 4;
constexpr std::size_t kMaxPattern = 512;

using ArrayPointer = std::shared_ptr<const GgufArray>;

/// As llama.cpp names the types; in the order of GgufValue.
constexpr std::array<std::string_view, 13> kKeyTypes = {"u8",  "i8",  "u16", "i16",  "u32", "i32", "u64",
                                                        "i64", "f32", "f64", "bool", "str", "arr"};
static_assert(kKeyTypes.size() == std::variant_size_v<GgufValue>);

class KeyCheck {
 public:
    KeyCheck(const GgufFile& file, const std::string& architecture)
        : file_(file), prefix_(architecture + "."), architecture_(architecture_or_default(architecture)) {}

    void run() const {
        const std::uint64_t layers = file_.unsigned_value(prefix_ + "block_count").value_or(0);
        for (const auto& [key, value] : file_.metadata()) {
            if (key.starts_with("xielu.")) require_type<float>(key, value);
            if (!key.starts_with(prefix_)) continue;
            const std::string_view name = std::string_view(key).substr(prefix_.size());
            if (!reads_key(architecture_, name)) continue;
            const bool of_layers = lists(kLayerKeys, name) || lists(kLayerDecimalKeys, name);
            if (of_layers && std::holds_alternative<ArrayPointer>(value))
                require_entries(key, value, layers);
            else if (lists(kNumberKeys, name) || lists(kLayerKeys, name))
                require_type<std::uint32_t>(key, value);
            else if (lists(kDecimalKeys, name) || lists(kLayerDecimalKeys, name))
                require_type<float>(key, value);
            else if (lists(kFlagKeys, name))
                require_type<bool>(key, value);
            else if (lists(kTextKeys, name))
                require_type<std::string>(key, value);
            else if (name == "attention.sliding_window_pattern")
                check_pattern(key, value, layers);
            else if (name == "rope.dimension_sections")
                require_entries(key, value, kRopeSections);
        }
        // Descriptions without weights may do without a vocabulary.
        if (file_.has_data()) check_vocabulary();
    }

 private:
    [[noreturn]] void refuse(std::string_view key, Message problem) const {
        throw Error(ErrorKind::bad_file, std::move(problem), place_of_key(file_.path(), std::string(key)),
                    msg::kConvertAgain);
    }

    template <class T>
    void require_type(std::string_view key, const GgufValue& value) const {
        if (std::holds_alternative<T>(value)) return;
        refuse(key, msg::kKeyOfOtherType(kKeyTypes[value.index()], kKeyTypes[GgufValue(T()).index()]));
    }

    /// A period, or any number of flags.
    void check_pattern(std::string_view key, const GgufValue& value, std::uint64_t layers) const {
        const std::uint64_t trunk = trunk_blocks(file_);
        if (layers > kMaxLayers || !architecture_.window.reads_pattern(static_cast<std::uint32_t>(trunk)))
            return;
        const auto* array = std::get_if<ArrayPointer>(&value);
        if (array == nullptr) return require_type<std::uint32_t>(key, value);
        std::visit(
            [&](const auto& values) {
                using Element = typename std::decay_t<decltype(values)>::value_type;
                constexpr bool counts = std::is_same_v<Element, bool> ||
                                        std::is_same_v<Element, std::uint32_t> ||
                                        std::is_same_v<Element, std::int32_t>;
                if constexpr (!counts)
                    refuse(key, msg::kKeyOfOtherType(kKeyTypes[GgufValue(Element()).index()],
                                                     kKeyTypes[GgufValue(bool()).index()]));
                if (values.size() > kMaxPattern) refuse(key, msg::kTooManyInList(values.size(), kMaxPattern));
            },
            (*array)->values);
    }

    void require_entries(std::string_view key, const GgufValue& value, std::uint64_t wanted) const {
        const auto* array = std::get_if<ArrayPointer>(&value);
        if (array == nullptr) refuse(key, msg::kKeyOfOtherType(kKeyTypes[value.index()], kKeyTypes.back()));
        const std::size_t entries =
            std::visit([](const auto& values) { return values.size(); }, (*array)->values);
        if (entries != wanted) refuse(key, msg::kKeyEntries(entries, wanted));
    }

    void check_vocabulary() const {
        constexpr std::string_view kModel = "tokenizer.ggml.model";
        constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
        const GgufValue* model = file_.find(kModel);
        if (model == nullptr) refuse(kModel, msg::kKeyMissing);
        require_type<std::string>(kModel, *model);
        const auto& name = std::get<std::string>(*model);
        if (lists(kNoVocabularies, name)) return;
        if (name.empty() || !lists(kVocabularies, name)) refuse(kModel, msg::kUnknownVocabulary);
        const auto* tokens = array_of<std::string>(file_, kTokens);
        if (tokens == nullptr || tokens->empty()) refuse(kTokens, msg::kNoTokens);
        require_for_tokens<float>("tokenizer.ggml.scores", tokens->size());
        require_for_tokens<std::int32_t>("tokenizer.ggml.token_type", tokens->size());
    }

    /// More entries than tokens are ignored.
    template <class T>
    void require_for_tokens(std::string_view key, std::size_t tokens) const {
        const GgufValue* value = file_.find(key);
        if (value == nullptr) return;
        const auto* entries = array_of<T>(file_, key);
        if (entries == nullptr) refuse(key, msg::kEntryOutOfRange);
        if (entries->size() < tokens) refuse(key, msg::kKeyEntries(entries->size(), tokens));
    }

    const GgufFile& file_;
    const std::string prefix_;
    const Architecture& architecture_;
};

}  // namespace

void check_keys(const GgufFile& file, const std::string& architecture) {
    KeyCheck(file, architecture).run();
}

}  // namespace splitscope
