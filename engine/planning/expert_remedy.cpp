// SPDX-License-Identifier: MIT
#include "engine/planning/expert_remedy.hpp"

#include <algorithm>

#include "engine/models/placement/weight_rule.hpp"
#include "engine/planning/messages.hpp"
#include "engine/planning/suggest.hpp"

namespace splitscope {
namespace {

/// The flags with N of --n-cpu-moe, in the place of its rules.
PlacementFlags with_expert_blocks(PlacementFlags flags, std::uint32_t blocks) {
    const std::vector<OverrideRule> rules = cpu_experts_rules(blocks);
    const auto place = std::ranges::find_if(flags.overrides, keeps_experts) - flags.overrides.begin();
    std::erase_if(flags.overrides, keeps_experts);
    flags.overrides.insert(flags.overrides.begin() + place, rules.begin(), rules.end());
    return flags;
}

/// Whether every device keeps suggest()'s margin free, with the same files beside the model.
bool fits_beside(ModelPlan changed, const ModelPlan& before) {
    if (!changed.fits()) return false;
    for (std::size_t d = 0; d < before.devices.size(); ++d)
        changed.devices[d].companions = before.devices[d].companions;
    return fits_with_margin(changed, SuggestOptions().margin);
}

}  // namespace

void find_expert_remedy(ModelPlan& plan, const Model& model, const Hardware& hardware, Generation generation,
                        const JobContext& job) {
    const ModelLayout& layout = *plan.layout;
    const bool lacks = std::ranges::any_of(plan.devices, [&](const DevicePlan& device) {
        return device.lacking() > 0 && holds_experts(layout, device.backend);
    });
    if (!lacks) return;
    const JobContext quiet(job.stop_token());
    ModelPlanner planner(model.file(), &model, hardware, generation, ModelPlanner::Detail::figures);
    const auto fits = [&](std::uint32_t blocks) {
        return fits_beside(planner.plan(with_expert_blocks(layout.flags, blocks), quiet), plan);
    };
    auto least = static_cast<std::uint32_t>(cpu_expert_blocks(layout)) + 1;
    auto most = static_cast<std::uint32_t>(layout.blocks);
    if (least > most || !fits(most)) return;
    while (least < most) {
        const std::uint32_t middle = least + (most - least) / 2;
        if (fits(middle)) {
            most = middle;
        } else {
            least = middle + 1;
        }
    }
    plan.expert_remedy = msg::kKeepExpertsOf(most);
}

}  // namespace splitscope
