// SPDX-License-Identifier: MIT
#include "engine/planning/remedies.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/planning/messages.hpp"
#include "engine/session/model_placement.hpp"

namespace splitscope {
namespace {

/// The integer at this place of a message's arguments.
std::uint32_t number_in(const Message& message, std::size_t i) {
    return static_cast<std::uint32_t>(std::visit([](auto value) { return static_cast<std::uint64_t>(value); },
                                                 std::get<Integer>(message.arguments().at(i)).value));
}

/// The overrides without those that the finding names.
std::optional<Remedy> without_rule(const Finding& finding, const Session& session) {
    Remedy remedy{msg::kTryRemoveRule, session};
    auto& rules = remedy.changed.model_options.overrides;
    const auto named = [&](const OverrideRule& rule) {
        return finding.what == Message(msg::kOverrideNoEffect(rule.pattern, rule.target));
    };
    const auto found = std::ranges::find_if(rules, named);
    if (found == rules.end()) return std::nullopt;
    rules.erase(found);
    return remedy;
}

Remedy without_cpu_experts(const Session& session) {
    Remedy remedy{msg::kTryNoCpuExperts, session};
    remedy.changed.model_options.cpu_experts = false;
    remedy.changed.model_options.cpu_expert_blocks = 0;
    return remedy;
}

/// The number of blocks that was planned to fit, if one was.
std::optional<Remedy> with_experts_on_cpu(const Finding& finding, const Session& session) {
    if (finding.remedy.text() != &msg::kKeepExpertsOf) return std::nullopt;
    const auto blocks = number_in(finding.remedy, 0);
    Remedy remedy{msg::kTryExpertsOf(blocks), session};
    remedy.changed.model_options.cpu_expert_blocks = blocks;
    return remedy;
}

std::optional<Remedy> with_flash_attention_where_it_runs(const Session& session) {
    ModelOptions options = session.model_options;
    if (!options.flash_attention || options.flash_attention_if_supported) return std::nullopt;
    // Quantised values cannot do without it.
    const auto values = options.cache_type_v ? options.cache_type_v : options.cache_type;
    if (values && traits_of(*values).quantised) return std::nullopt;
    options.flash_attention_if_supported = true;
    Remedy remedy{msg::kTryFlashAuto, session};
    remedy.changed.model_options = std::move(options);
    return remedy;
}

std::optional<Remedy> without_pipelining(const Session& session) {
    if (session.machine.parallel) {
        Remedy remedy{msg::kTryNotParallel, session};
        remedy.changed.machine.parallel = false;
        return remedy;
    }
    const std::int32_t layers = accelerated_layers(session);
    if (layers <= 0) return std::nullopt;
    Remedy remedy{msg::kTryOneLayerLess, session};
    remedy.changed.model_options.gpu_layers = layers - 1;
    return remedy;
}

std::optional<Remedy> without_op_offload(const Session& session) {
    if (!session.machine.op_offload) return std::nullopt;
    Remedy remedy{msg::kTryNoOpOffload, session};
    remedy.changed.machine.op_offload = false;
    return remedy;
}

/// The remedy that was estimated to be the fastest; without an estimate, the one that ends the uploads.
std::optional<Remedy> against_uploads(const Finding& finding, const Session& session) {
    const MessageText* const remedy = finding.remedy.text();
    if (remedy == &msg::kUploadingIsFastest) return std::nullopt;
    if (remedy != &msg::kUseMicroBatch) return without_op_offload(session);
    Remedy larger{msg::kTryMicroBatch, session};
    larger.changed.model_options.batch = number_in(finding.remedy, 0);
    larger.changed.model_options.logical_batch = number_in(finding.remedy, 1);
    return larger;
}

std::optional<Remedy> against_cache_uploads(const Finding& finding, const Session& session) {
    if (session.model_options.kv_offload) {
        return finding.remedy.text() == &msg::kMoveLayersOrRules ? std::nullopt
                                                                 : against_uploads(finding, session);
    }
    Remedy remedy{msg::kTryCachesOnDevices, session};
    remedy.changed.model_options.kv_offload = true;
    return remedy;
}

}  // namespace

std::optional<Remedy> remedy_of(const Finding& finding, const Session& session) {
    if (!session.file || !session.file->model) return std::nullopt;
    const std::string_view rule = finding.rule;
    if (rule == "override-matches-nothing") return without_rule(finding, session);
    if (rule == "cpu-experts-no-effect") return without_cpu_experts(session);
    if (rule == "does-not-fit") return with_experts_on_cpu(finding, session);
    if (rule == "attention-unsupported") return with_flash_attention_where_it_runs(session);
    if (rule == "pipelining-multiplies-inputs") return without_pipelining(session);
    if (rule == "caches-uploaded") return against_cache_uploads(finding, session);
    if (rule == "weights-uploaded") return against_uploads(finding, session);
    return std::nullopt;
}

bool is_searched_for(const Finding& finding) {
    return finding.rule == "does-not-fit";
}

}  // namespace splitscope
