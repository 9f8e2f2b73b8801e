// SPDX-License-Identifier: MIT
#include "engine/planning/fitting.hpp"

#include <algorithm>

#include "engine/models/placement/weight_rule.hpp"
#include "engine/planning/messages.hpp"

namespace splitscope {
namespace {

constexpr std::uint64_t kUsualMargin = std::uint64_t{1} << 30;

}  // namespace

Message fitting_notice(const ModelPlan& plan, const GivenSwitches& given, Program program,
                       Generation generation) {
    const bool fits_itself = generation == Generation::g2026_08 && program != Program::llama_bench;
    const bool fitting = fits_itself && given.fit.value_or(true);
    const std::uint64_t margin = fitting ? given.fit_margin.value_or(kUsualMargin) : kUsualMargin;
    const ModelLayout& layout = *plan.layout;
    const auto short_of_margin = std::ranges::find_if(plan.devices, [&](const DevicePlan& device) {
        const bool accelerates = layout.machine.backends[device.backend.index()].device == DeviceKind::gpu;
        return accelerates && device.memory > 0 && device.total() > 0 &&
               device.total() + margin > device.memory;
    });
    if (short_of_margin == plan.devices.end()) return {};
    if (!fitting)
        return plan.verdict.fits() ? msg::kLittleLeft(short_of_margin->left(), short_of_margin->name, margin)
                                   : Message();
    if (given.leaves_nothing_to_fit()) return msg::kFittingGivesUp(short_of_margin->name, margin);
    const Message parts = has_experts(layout) ? Message(msg::kExpertsMoveFirst) : Message(msg::kLayersMove);
    return given.context ? msg::kFittingMovesLayers(short_of_margin->name, margin, parts)
                         : msg::kFittingLowersContext(short_of_margin->name, margin, parts);
}

}  // namespace splitscope
