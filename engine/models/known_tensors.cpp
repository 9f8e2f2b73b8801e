// SPDX-License-Identifier: MIT
#include "engine/models/known_tensors.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/models/name_list.hpp"
#include "engine/models/trunk_blocks.hpp"

namespace splitscope {
namespace {

/// Of almost all architectures; LoaderRules::absent lists exceptions.
constexpr std::string_view kUsualTensors =
    "token_embd.weight output_norm.weight blk.attn_norm.weight blk.attn_q.weight blk.attn_k.weight "
    "blk.attn_v.weight blk.attn_qkv.weight blk.attn_output.weight blk.ffn_norm.weight blk.ffn_gate.weight "
    "blk.ffn_up.weight blk.ffn_down.weight";

constexpr std::string_view kSeparateBiases = "blk.attn_q.bias blk.attn_k.bias blk.attn_v.bias";

/// Of blocks without experts, and of those with experts.
constexpr std::string_view kDense =
    "blk.ffn_gate.weight blk.ffn_up.weight blk.ffn_down.weight blk.ffn_gate.bias blk.ffn_up.bias "
    "blk.ffn_down.bias";
constexpr std::string_view kSparse =
    "blk.ffn_gate_exps.weight blk.ffn_up_exps.weight blk.ffn_down_exps.weight blk.ffn_gate_up_exps.weight "
    "blk.ffn_gate_exps.bias blk.ffn_up_exps.bias blk.ffn_down_exps.bias blk.exp_probs_b.bias "
    "blk.ffn_latent_down.weight blk.ffn_latent_up.weight "
    "blk.ffn_gate_inp_shexp.weight blk.ffn_gate_shexp.weight blk.ffn_up_shexp.weight "
    "blk.ffn_down_shexp.weight";

/// Weights that may have a scale for their product, and one for their input.
constexpr std::string_view kScaledWeights =
    "blk.attn_q blk.attn_k blk.attn_v blk.attn_output blk.attn_qkv blk.attn_gate blk.ffn_gate blk.ffn_down "
    "blk.ffn_up blk.ffn_gate_shexp blk.ffn_down_shexp blk.ffn_up_shexp blk.ffn_gate_exps blk.ffn_down_exps "
    "blk.ffn_up_exps blk.ssm_in blk.ssm_out blk.ssm_alpha blk.ssm_beta blk.nextn.shared_head_head output";

constexpr std::string_view kRopeFactors = "rope_factors_long.weight rope_factors_short.weight";

constexpr std::string_view kBlock = "blk.";

/// Loaders do not ask for the parts if the block has the weight that replaces them.
struct FusedWeight {
    std::string_view whole;
    std::string_view parts;
};
constexpr auto kFusedWeights = std::to_array<FusedWeight>({
    {"attn_kv_b.weight", "blk.attn_k_b.weight blk.attn_v_b.weight"},
    {"attn_q_a.weight", "blk.attn_q.weight"},
    {"attn_qkv.weight", "blk.attn_k.weight blk.attn_q.weight blk.attn_v.weight"},
    {"layer_output_norm.weight", "blk.post_ffw_norm.weight"},
    {"ffn_gate_up_exps.weight", "blk.ffn_gate_exps.weight blk.ffn_up_exps.weight"},
});

}  // namespace

std::string kind_of_tensor(std::string_view name) {
    std::string kind;
    while (!name.empty()) {
        const std::size_t end = std::min(name.find('.'), name.size() - 1) + 1;
        const std::string_view part = name.substr(0, end);
        // The number of a block follows its word.
        const bool number = !kind.empty() && std::isdigit(static_cast<unsigned char>(part[0])) != 0;
        if (!number) kind += part;
        name.remove_prefix(end);
    }
    return kind;
}

std::optional<std::string> scaled_weight(std::string_view tensor) {
    for (const std::string_view suffix : {".scale", ".input_scale"}) {
        if (!tensor.ends_with(suffix)) continue;
        tensor.remove_suffix(suffix.size());
        if (lists(kScaledWeights, kind_of_tensor(tensor))) return std::string(tensor) + ".weight";
        break;
    }
    return std::nullopt;
}

bool loader_names(const Architecture& architecture, std::string_view kind) {
    const LoaderRules& rules = architecture.loader;
    if (lists(kSeparateBiases, kind)) return rules.qkv_biases;
    if (kind == "blk.attn_qkv.bias") return rules.fused_qkv_bias;
    if (kind == "output.weight") {
        const OutputWeight output = architecture.memory.output;
        if (output == OutputWeight::none) return lists(rules.required, kind);
        return output == OutputWeight::tied || output == OutputWeight::duplicated;
    }
    if (lists(rules.required, kind) || lists(rules.optional, kind)) return true;
    return lists(kUsualTensors, kind) && !lists(rules.absent, kind);
}

KnownTensors::KnownTensors(const GgufFile& file, const Architecture& architecture)
    : file_(file), architecture_(architecture) {
    const std::string prefix = file.string_value("general.architecture").value_or("") + ".";
    first_predicting_ = trunk_blocks(file);
    has_experts_ = file.unsigned_value(prefix + "expert_count").value_or(0) > 0;
    leading_dense_ = file.unsigned_value(prefix + "leading_dense_block_count").value_or(0);
    scales_long_ = file.string_value(prefix + "rope.scaling.type").value_or("") == "longrope";
}

bool KnownTensors::beside(std::string_view name, std::string_view part) const {
    const std::size_t end = name.find('.', kBlock.size());
    return end != std::string_view::npos &&
           file_.find_tensor(std::string(name.substr(0, end + 1)).append(part)).has_value();
}

bool KnownTensors::is_predicting(std::string_view name) const {
    const auto block = block_number(name);
    return block && *block >= first_predicting_;
}

bool KnownTensors::loads(std::string_view name) const {
    if (!is_predicting(name)) return true;
    const auto weight = scaled_weight(name);
    return lists(architecture_.loader.loaded_predicting, kind_of_tensor(weight ? *weight : name));
}

/// Of the output layer, only NVFP4 weights have scales; of prediction blocks, weights that are loaded.
bool KnownTensors::knows_scale(std::string_view kind, const std::string& weight) const {
    const auto found = file_.find_tensor(weight);
    if (!found || lists(architecture_.loader.absent, kind) || !loads(weight)) return false;
    return weight != "output.weight" || file_.tensors()[*found].type == ElementType::nvfp4;
}

/// Whether a block has experts does not depend on its tensors where it is one for prediction.
bool KnownTensors::knows_feed_forward(const GgufTensor& tensor, std::string_view kind) const {
    if (architecture_.loader.mixes_experts) return true;
    if (is_predicting(tensor.name)) {
        const bool sparse = has_experts_ && !architecture_.loader.dense_predicting;
        if (kind == "blk.ffn_gate_inp.weight" || lists(kSparse, kind)) return sparse;
        return !(sparse && lists(kDense, kind));
    }
    if (kind == "blk.ffn_gate_inp.weight") return has_experts_;
    const bool sparse = beside(tensor.name, "ffn_gate_inp.weight");
    if (kind == "blk.ffn_gate_shexp.weight" &&
        !(beside(tensor.name, "ffn_up_shexp.weight") && beside(tensor.name, "ffn_down_shexp.weight")))
        return false;
    return lists(kSparse, kind) ? sparse : !(lists(kDense, kind) && sparse);
}

bool KnownTensors::is_of_block_without_indexer(std::string_view name, std::string_view kind) const {
    if (architecture_.memory.indexer != IndexerBlocks::after_dense || !kind.starts_with("blk.indexer."))
        return false;
    return block_number(name).value_or(0) < leading_dense_;
}

/// The attention, the state and the feed-forward of most blocks are in different blocks where the
/// feed-forwards have blocks of their own.
bool KnownTensors::is_of_separate_block(std::string_view name, std::string_view kind) const {
    if (!architecture_.memory.feeds_alone || is_predicting(name)) return false;
    const bool feeds = beside(name, "ffn_down.weight") || beside(name, "ffn_gate_inp.weight");
    const bool recurrent = lists(architecture_.loader.recurrent_only, kind);
    if (kind.starts_with("blk.ffn_") || kind == "blk.exp_probs_b.bias") return !feeds;
    return feeds && (recurrent || (kind.starts_with("blk.attn_") && kind != "blk.attn_norm.weight"));
}

/// Blocks of hybrid models have either a recurrent state or attention; those for prediction have attention.
bool KnownTensors::is_of_other_block(std::string_view name, std::string_view kind) const {
    const LoaderRules& rules = architecture_.loader;
    if (lists(rules.sparse_only, kind) && !beside(name, "ffn_gate_inp.weight")) return true;
    if (is_of_block_without_indexer(name, kind)) return true;
    if (is_predicting(name)) return lists(rules.recurrent_only, kind) || lists(rules.trunk_only, kind);
    if (rules.recurrent_only.empty()) return false;
    constexpr std::size_t kPrefix = kBlock.size();
    const bool recurrent = beside(name, rules.recurrent_only.split().front().substr(kPrefix));
    return lists(recurrent ? rules.attention_only : rules.recurrent_only, kind);
}

bool KnownTensors::is_replaced(std::string_view name, std::string_view kind) const {
    return !is_predicting(name) && std::ranges::any_of(kFusedWeights, [&](const FusedWeight& fused) {
        return lists(fused.parts, kind) && beside(name, fused.whole);
    });
}

/// Some architectures ask for the factors that their kind of scaling uses.
bool KnownTensors::knows_rope_factors(std::string_view kind) const {
    const bool either = loader_names(architecture_, "rope_freqs.weight") &&
                        loader_names(architecture_, "rope_factors_long.weight");
    return !either || lists(kRopeFactors, kind) == scales_long_;
}

bool KnownTensors::knows(const GgufTensor& tensor) const {
    const std::string kind = kind_of_tensor(tensor.name);
    const LoaderRules& rules = architecture_.loader;
    if (is_predicting(tensor.name)) {
        if (rules.predicting.empty()) return false;
        if (lists(rules.predicting, kind)) return true;
    }
    if (const auto weight = scaled_weight(tensor.name)) return knows_scale(kind, *weight);
    if (!loader_names(architecture_, kind) || is_of_other_block(tensor.name, kind) ||
        is_of_separate_block(tensor.name, kind) || is_replaced(tensor.name, kind))
        return false;
    if (lists(kRopeFactors, kind) || kind == "rope_freqs.weight") return knows_rope_factors(kind);
    return knows_feed_forward(tensor, kind);
}

}  // namespace splitscope
