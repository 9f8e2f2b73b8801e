// SPDX-License-Identifier: MIT
#include "recorder/stop_plan.hpp"

#include <algorithm>
#include <utility>

namespace splitscope::recorder {

bool StopPlan::applies_to(std::uint64_t computation) const {
    return std::ranges::any_of(rules, [&](const StopRule& rule) { return rule.applies_to(computation); });
}

bool StopPlan::wants(int node, std::uint64_t computation) const {
    return std::ranges::any_of(
        rules, [&](const StopRule& rule) { return rule.applies_to(computation) && rule.wants(node); });
}

std::optional<StopPlan> read_stop_plan(channel::BodyReader body) {
    StopPlan plan;
    plan.epoch = body.get<std::uint32_t>();
    plan.graph = body.get<std::int32_t>();
    constexpr std::size_t kMin = 44;
    const std::uint32_t count = body.get_count(kMin);
    for (std::uint32_t i = 0; i < count; ++i) {
        StopRule rule;
        rule.breakpoint = body.get<std::uint32_t>();
        rule.values = body.get<channel::Values>();
        rule.low = body.get<double>();
        rule.high = body.get<double>();
        rule.computation = body.get<std::uint64_t>();
        rule.ignored = body.get<std::uint64_t>();
        rule.nodes = body.get_text();
        if (rule.values > channel::Values::outside) return std::nullopt;
        plan.rules.push_back(std::move(rule));
    }
    if (!body.whole()) return std::nullopt;
    return plan;
}

}  // namespace splitscope::recorder
