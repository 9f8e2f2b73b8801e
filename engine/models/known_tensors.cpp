// SPDX-License-Identifier: MIT
#include "engine/models/known_tensors.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

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
    "blk.ffn_gate_inp_shexp.weight blk.ffn_gate_shexp.weight blk.ffn_up_shexp.weight "
    "blk.ffn_down_shexp.weight";

/// Weights that may have a scale for their product, and one for their input.
constexpr std::string_view kScaledWeights =
    "blk.attn_q blk.attn_k blk.attn_v blk.attn_output blk.attn_qkv blk.attn_gate blk.ffn_gate blk.ffn_down "
    "blk.ffn_up blk.ffn_gate_shexp blk.ffn_down_shexp blk.ffn_up_shexp blk.ffn_gate_exps blk.ffn_down_exps "
    "blk.ffn_up_exps blk.ssm_in blk.ssm_out blk.ssm_alpha blk.ssm_beta output";

constexpr std::string_view kRopeFactors = "rope_factors_long.weight rope_factors_short.weight";

constexpr std::string_view kBlock = "blk.";

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
    scales_long_ = file.string_value(prefix + "rope.scaling.type").value_or("") == "longrope";
}

bool KnownTensors::beside(std::string_view name, std::string_view part) const {
    const std::size_t end = name.find('.', kBlock.size());
    return end != std::string_view::npos &&
           file_.find_tensor(std::string(name.substr(0, end + 1)).append(part)).has_value();
}

bool KnownTensors::is_predicting(std::string_view name) const {
    if (!name.starts_with(kBlock)) return false;
    std::uint64_t block = 0;
    name.remove_prefix(kBlock.size());
    const auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), block);
    return status == std::errc() && block >= first_predicting_;
}

bool KnownTensors::loads(std::string_view name) const {
    return !is_predicting(name) || lists(architecture_.loader.loaded_predicting, kind_of_tensor(name));
}

/// Of the output layer, only NVFP4 weights have scales; those of prediction blocks are never loaded.
bool KnownTensors::knows_scale(std::string_view kind, const std::string& weight) const {
    const auto found = file_.find_tensor(weight);
    if (!found || lists(architecture_.loader.absent, kind) || is_predicting(weight)) return false;
    return weight != "output.weight" || file_.tensors()[*found].type == ElementType::nvfp4;
}

bool KnownTensors::knows_feed_forward(const GgufTensor& tensor, std::string_view kind) const {
    if (architecture_.loader.mixes_experts) return true;
    if (kind == "blk.ffn_gate_inp.weight") return has_experts_;
    const bool sparse = beside(tensor.name, "ffn_gate_inp.weight");
    if (kind == "blk.ffn_gate_shexp.weight" &&
        !(beside(tensor.name, "ffn_up_shexp.weight") && beside(tensor.name, "ffn_down_shexp.weight")))
        return false;
    return lists(kSparse, kind) ? sparse : !(lists(kDense, kind) && sparse);
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
    if (!loader_names(architecture_, kind)) return false;
    if (lists(kRopeFactors, kind) || kind == "rope_freqs.weight") return knows_rope_factors(kind);
    return knows_feed_forward(tensor, kind);
}

}  // namespace splitscope
