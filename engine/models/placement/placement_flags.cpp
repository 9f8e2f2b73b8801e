// SPDX-License-Identifier: MIT
#include "engine/models/placement/placement_flags.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/models/placement/messages.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/support/name_pattern.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kExperts = R"(\.ffn_(up|down|gate|gate_up)_(ch|)exps)";

/// In cells.
std::uint32_t padded_context(std::uint64_t context) {
    constexpr std::uint64_t most = std::uint64_t{1} << 31;
    return static_cast<std::uint32_t>(std::min(round_up<std::uint64_t>(context, kCellMultiple), most));
}

}  // namespace

LayerRule layer_rule_of(Generation generation) {
    return generation == Generation::g2026_08 ? LayerRule::output_first : LayerRule::blocks_first;
}

NamePattern override_pattern(const OverrideRule& rule) {
    try {
        return NamePattern::regex(rule.pattern);
    } catch (const Error& error) {
        throw Error(ErrorKind::usage, msg::kNotRegularExpression(rule.pattern, error.problem()), rule.origin,
                    msg::kUseEcmaScript);
    }
}

std::vector<OverrideRule> parse_overrides(std::string_view text) {
    std::vector<OverrideRule> rules;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        const std::string part(text.substr(0, comma));
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == part.size()) {
            throw Error(ErrorKind::usage, msg::kNotOverride(part), "--override-tensor", msg::kWriteOverride);
        }
        OverrideRule rule{part.substr(0, equals), part.substr(equals + 1), "--override-tensor"};
        override_pattern(rule);
        rules.push_back(std::move(rule));
    }
    return rules;
}

OverrideRule cpu_experts_rule() {
    return {std::string(kExperts), "CPU", "--cpu-moe"};
}

std::vector<OverrideRule> cpu_experts_rules(std::uint32_t blocks) {
    std::vector<OverrideRule> rules;
    for (std::uint32_t k = 0; k < blocks; ++k)
        rules.push_back({fmt::format("blk\\.{}{}", k, kExperts), "CPU", "--n-cpu-moe"});
    return rules;
}

void add_cpu_experts(std::vector<OverrideRule>& rules, bool all, std::uint32_t blocks) {
    if (all) rules.push_back(cpu_experts_rule());
    for (OverrideRule& rule : cpu_experts_rules(blocks)) rules.push_back(std::move(rule));
}

ContextSize context_size(const PlacementFlags& flags, std::uint32_t trained_context, bool causal) {
    ContextSize size;
    const std::uint32_t sequences = std::max(flags.sequences, 1U);
    std::uint32_t context = std::max(flags.context > 0 ? flags.context : trained_context, 1U);
    size.batch = std::max(flags.batch, 1U);
    if (causal) size.batch = std::min(context, size.batch);
    size.micro_batch = flags.micro_batch == 0 ? size.batch : std::min(size.batch, flags.micro_batch);
    context = padded_context(context);
    if (flags.unified_cache) {
        size.cells = context;
    } else {
        size.cells = padded_context(context / sequences);
        size.streams = sequences;
    }
    return size;
}

}  // namespace splitscope
