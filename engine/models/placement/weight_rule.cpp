// SPDX-License-Identifier: MIT
#include "engine/models/placement/weight_rule.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "engine/messages/messages.hpp"
#include "engine/models/placement/messages.hpp"
#include "engine/support/name_pattern.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kExpertBlocks = "--n-cpu-moe";

}  // namespace

std::optional<WeightRule> rule_of_weight(const ModelLayout& layout, std::size_t file_tensor) {
    const auto placed = std::ranges::find_if(layout.weights, [&](const PlacedWeight& weight) {
        return weight.file_tensor == file_tensor && weight.rule >= 0;
    });
    if (placed == layout.weights.end()) return std::nullopt;
    const OverrideRule& rule = layout.rules[static_cast<std::size_t>(placed->rule)].rule;
    WeightRule found;
    if (rule.origin == kExpertBlocks) {
        found = {msg::kKeptByExpertBlocks(cpu_expert_blocks(layout)), msg::kLowerExpertBlocks(placed->layer)};
    } else if (rule.origin == cpu_experts_rule().origin) {
        found = {msg::kKeptByCpuExperts, msg::kFewerExpertBlocks(placed->layer)};
    } else {
        found = {msg::kPlacedByOverride(rule.pattern, rule.target),
                 msg::kRemoveOverride(rule.pattern, rule.target)};
    }
    const Machine& machine = layout.machine;
    const BackendId cpu = layout.layers.cpu();
    const bool on_cpu =
        rule.target == machine.buffer_types[machine.backends[cpu.index()].buffer_type.index()].name;
    const BackendId owner = on_cpu ? cpu : layout.buffers[placed->buffer].owner;
    const BackendId of_layer = placed->layer < 0 ? cpu : layout.layers.backend_of(placed->layer);
    if (owner == of_layer) {
        found.remedy = on_cpu && placed->layer >= 0
                           ? Message::list({std::move(found.remedy), msg::kLayerOnDeviceToo}, msg::kSpace)
                           : Message();
    }
    return found;
}

bool keeps_experts(const OverrideRule& rule) {
    return rule.origin == kExpertBlocks || rule.origin == cpu_experts_rule().origin;
}

/// There is one rule per block.
std::size_t cpu_expert_blocks(const ModelLayout& layout) {
    std::set<std::string> patterns;
    for (const RuleUse& use : layout.rules)
        if (use.rule.origin == kExpertBlocks) patterns.insert(use.rule.pattern);
    return patterns.size();
}

bool has_experts(const ModelLayout& layout) {
    const NamePattern experts = override_pattern(cpu_experts_rule());
    return std::ranges::any_of(layout.weight_buffers,
                               [&](const auto& entry) { return experts.matches(entry.first.first); });
}

bool holds_experts(const ModelLayout& layout, BackendId backend) {
    if (backend == layout.layers.cpu()) return false;
    const NamePattern experts = override_pattern(cpu_experts_rule());
    return std::ranges::any_of(layout.weight_buffers, [&](const auto& entry) {
        return layout.buffers[entry.second].owner == backend && experts.matches(entry.first.first);
    });
}

}  // namespace splitscope
