// SPDX-License-Identifier: MIT
#include "engine/models/hyperparameters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "engine/formats/gguf_place.hpp"
#include "engine/formats/messages.hpp"
#include "engine/models/limits.hpp"
#include "engine/models/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

/// Each expert that is used makes nodes of its own; the reference engine takes 512.
constexpr std::uint64_t kMaxExperts = 1024;
constexpr std::uint64_t kMaxExpertUses = 65536;
constexpr std::uint64_t kMaxStateExtent = std::uint64_t{1} << 20;
/// Rotary positions turn the two halves of a head against each other.
constexpr std::int32_t kRopeHalves = 2;

class Keys {
 public:
    explicit Keys(const GgufFile& file) : file_(file), prefix_(architecture_of(file) + ".") {}

    std::optional<std::uint32_t> number(std::string_view key, std::uint64_t most = kMaxExtent) const {
        const auto value = file_.unsigned_value(prefix_ + std::string(key));
        if (value && *value > most) refuse(key, msg::kMoreThan(*value, most));
        return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
    }
    std::uint32_t required(std::string_view key, std::uint64_t most = kMaxExtent) const {
        const auto value = number(key, most);
        if (!value) refuse(key, msg::kKeyMissing);
        if (*value == 0) refuse(key, msg::kKeyZero);
        return *value;
    }
    float decimal(std::string_view key, float otherwise) const {
        const auto value = file_.float_value(prefix_ + std::string(key));
        if (value && !std::isfinite(*value)) refuse(key, msg::kNotFinite);
        return value ? static_cast<float>(*value) : otherwise;
    }
    /// One number for all layers, or an array with one per layer.
    std::vector<std::uint32_t> per_layer(std::string_view key, std::uint32_t layers,
                                         const std::vector<std::uint32_t>& otherwise) const {
        const GgufValue* value = file_.find(prefix_ + std::string(key));
        if (value == nullptr) return otherwise;
        const auto* array = std::get_if<std::shared_ptr<const GgufArray>>(value);
        if (array == nullptr) return std::vector<std::uint32_t>(layers, *number(key));
        auto numbers = std::visit(
            [&](const auto& values) {
                std::vector<std::uint32_t> out;
                using Element = typename std::decay_t<decltype(values)>::value_type;
                if constexpr (std::is_integral_v<Element> && !std::is_same_v<Element, bool>) {
                    for (const Element v : values) {
                        if (v < Element{} || static_cast<std::uint64_t>(v) > kMaxExtent)
                            refuse(key, msg::kEntryOutOfRange);
                        out.push_back(static_cast<std::uint32_t>(v));
                    }
                }
                return out;
            },
            (*array)->values);
        if (numbers.size() < layers) refuse(key, msg::kEntriesForLayers(numbers.size(), layers));
        numbers.resize(layers);
        return numbers;
    }
    [[noreturn]] void refuse(std::string_view key, Message problem) const {
        throw Error(ErrorKind::bad_file, std::move(problem),
                    place_of_key(file_.path(), prefix_ + std::string(key)), msg::kConvertAgain);
    }

 private:
    const GgufFile& file_;
    std::string prefix_;
};

std::uint32_t vocabulary_of(const GgufFile& file, const Keys& keys) {
    if (const auto stated = keys.number("vocab_size")) return *stated;
    if (const auto embedding = file.find_tensor("token_embd.weight")) {
        return static_cast<std::uint32_t>(std::clamp<std::int64_t>(file.tensors()[*embedding].ne[1], 0,
                                                                   std::numeric_limits<std::int32_t>::max()));
    }
    return 0;
}

void read_attention(const Keys& keys, Hyperparameters& h) {
    h.heads = keys.per_layer("attention.head_count", h.shape.layers, {});
    if (h.heads.empty() || h.heads[0] == 0) keys.refuse("attention.head_count", msg::kMissingOrZero);
    h.kv_heads = keys.per_layer("attention.head_count_kv", h.shape.layers, h.heads);
    h.shape.heads = h.heads[0];
    h.shape.kv_heads = h.kv_heads[0];
    const std::uint32_t head_dim = h.shape.embedding / h.heads[0];
    h.head_dim_k = keys.number("attention.key_length").value_or(head_dim);
    h.head_dim_v = keys.number("attention.value_length").value_or(head_dim);
    if (h.head_dim_k == 0 || h.head_dim_v == 0) keys.refuse("attention.key_length", msg::kHeadsWithoutWidth);
    for (std::size_t l = 0; l < h.heads.size(); ++l) {
        if (h.kv_heads[l] == 0 || h.heads[l] % h.kv_heads[l] != 0) {
            keys.refuse("attention.head_count_kv", msg::kHeadsCannotShare(h.heads[l], h.kv_heads[l], l));
        }
        const std::uint64_t row = std::uint64_t{std::max(h.head_dim_k, h.head_dim_v)} * h.heads[l];
        if (row > kMaxExtent) keys.refuse("attention.head_count", msg::kRowsTooLong(row));
    }
    h.attention_soft_cap = keys.decimal("attn_logit_softcapping", 0.0F);
    h.output_soft_cap = keys.decimal("final_logit_softcapping", 0.0F);
}

void read_rope(const GgufFile& file, const Keys& keys, Hyperparameters& h) {
    h.rope.dims = static_cast<std::int32_t>(keys.number("rope.dimension_count").value_or(h.head_dim_k));
    if (h.rope.dims <= 0 || h.rope.dims > static_cast<std::int32_t>(h.head_dim_k) || h.rope.dims % 2 != 0) {
        keys.refuse("rope.dimension_count", msg::kNotEvenUpTo(h.rope.dims, h.head_dim_k));
    }
    // Only the llama family rotates neighbouring pairs.
    h.rope.mode = h.shape.architecture == "llama" ? 0 : kRopeHalves;
    h.rope.original_context = static_cast<std::int32_t>(
        keys.number("rope.scaling.original_context_length").value_or(h.shape.context));
    h.rope.base = keys.decimal("rope.freq_base", 10000.0F);
    const std::string scaling =
        file.string_value(h.shape.architecture + ".rope.scaling.type").value_or("linear");
    const float factor = keys.decimal("rope.scaling.factor", keys.decimal("rope.scale_linear", 0.0F));
    h.rope.scale = factor == 0.0F || scaling == "none" ? 1.0F : 1.0F / factor;
    h.rope.ext_factor = scaling == "yarn" ? 1.0F : 0.0F;
    h.rope.attn_factor = keys.decimal("rope.scaling.attn_factor", 1.0F);
}

/// Which layers slide is a property of the architecture; files give only the width of the window.
void read_window(const Keys& keys, Hyperparameters& h) {
    h.window_rope_base = h.rope.base;
    h.window_rope_scale = h.rope.scale;
    const std::string& architecture = h.shape.architecture;
    if (architecture == "gemma2") {
        h.window = keys.number("attention.sliding_window").value_or(4096);
        h.window_period = 2;
    } else if (architecture == "gemma3") {
        h.window = keys.number("attention.sliding_window").value_or(0);
        h.window_period = 6;
        h.window_rope_base = keys.decimal("rope.freq_base_swa", 10000.0F);
        h.window_rope_scale = 1.0F;
    } else if (architecture == "gpt-oss") {
        h.window = keys.required("attention.sliding_window");
        h.window_period = 2;
    }
}

}  // namespace

std::string architecture_of(const GgufFile& file) {
    auto name = file.string_value("general.architecture");
    if (!name || name->empty()) {
        throw Error(ErrorKind::bad_file, msg::kArchitectureNotNamed,
                    place_of_key(file.path(), "general.architecture"), msg::kConvertAgain);
    }
    return *name;
}

Hyperparameters read_hyperparameters(const GgufFile& file) {
    const Keys keys(file);
    Hyperparameters h;
    h.shape.architecture = architecture_of(file);
    h.shape.layers = keys.required("block_count", kMaxLayers);
    h.shape.embedding = keys.required("embedding_length");
    h.shape.context = keys.required("context_length");
    h.shape.vocabulary = vocabulary_of(file, keys);
    h.rms_epsilon = keys.decimal("attention.layer_norm_rms_epsilon", 1e-5F);
    h.layer_norm_epsilon = keys.decimal("attention.layer_norm_epsilon", 1e-5F);
    if (h.shape.architecture == "mamba") {
        h.ssm_kernel = keys.required("ssm.conv_kernel", kMaxStateExtent);
        h.ssm_inner = keys.required("ssm.inner_size", kMaxStateExtent);
        h.ssm_state = keys.required("ssm.state_size", kMaxStateExtent);
        h.ssm_dt_rank = keys.required("ssm.time_step_rank", kMaxStateExtent);
        return h;
    }
    read_attention(keys, h);
    // The others may have ordinary layers instead.
    const bool always_experts = h.shape.architecture == "gpt-oss";
    h.experts = always_experts ? keys.required("expert_count", kMaxExperts)
                               : keys.number("expert_count", kMaxExperts).value_or(0);
    h.experts_used = keys.number("expert_used_count").value_or(0);
    if (h.experts_used > h.experts) keys.refuse("expert_used_count", msg::kMoreThanExperts);
    if (h.experts > 0 && h.experts_used == 0) keys.refuse("expert_used_count", msg::kMissingOrZero);
    if (std::uint64_t{h.experts_used} * h.shape.layers > kMaxExpertUses)
        keys.refuse("expert_used_count", msg::kTooManyExpertUses(h.experts_used, h.shape.layers));
    read_rope(file, keys, h);
    read_window(keys, h);
    return h;
}

}  // namespace splitscope
