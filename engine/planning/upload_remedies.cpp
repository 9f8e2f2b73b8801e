// SPDX-License-Identifier: MIT
#include "engine/planning/upload_remedies.hpp"

#include <algorithm>

#include "engine/messages/format_number.hpp"
#include "engine/planning/messages.hpp"

namespace splitscope {
namespace {

/// Tokens of the largest micro-batch to try, unless larger batches are given: the default batch.
constexpr std::uint32_t kLargestMicroBatch = 2048;

/// Whether no device lacks more memory than before, with the same files beside the model.
bool fits_as_well(const ModelPlan& changed, const ModelPlan& before) {
    for (std::size_t d = 0; d < before.devices.size(); ++d) {
        DevicePlan device = changed.devices[d];
        device.companions = before.devices[d].companions;
        if (device.lacking() > before.devices[d].lacking()) return false;
    }
    return true;
}

/// Smaller gains are within the error of the estimate.
constexpr double kWorthwhile = 1.02;

}  // namespace

void compare_upload_remedies(ModelPlan& plan, const Model& model, const Hardware& hardware,
                             Generation generation, const JobContext& job) {
    const double before = plan.prompt_tokens_per_second();
    if (before <= 0 || plan.prompt->uploaded_weight_bytes == 0 || !plan.layout->flags.op_offload) return;
    const JobContext quiet(job.stop_token());
    ModelPlanner planner(model.file(), &model, hardware, generation, ModelPlanner::Detail::figures);
    double best = before;
    Message remedy = msg::kUploadingIsFastest;
    const auto is_best = [&](const PlacementFlags& flags) {
        const ModelPlan changed = planner.plan(flags, quiet);
        const double rate = changed.prompt_tokens_per_second();
        if (rate <= best || rate < kWorthwhile * before || !fits_as_well(changed, plan)) return false;
        best = rate;
        return true;
    };
    const PlacementFlags& given = plan.layout->flags;
    const std::uint32_t most = std::max(given.batch, kLargestMicroBatch);
    for (std::uint32_t tokens = 2 * plan.prompt->tokens; tokens <= most; tokens *= 2) {
        PlacementFlags flags = given;
        flags.micro_batch = tokens;
        flags.batch = std::max(flags.batch, tokens);
        if (is_best(flags)) remedy = msg::kUseMicroBatch(tokens, flags.batch, best, before);
    }
    PlacementFlags flags = given;
    flags.op_offload = false;
    if (is_best(flags)) remedy = msg::kTurnOffloadOff(best, before);
    plan.upload_remedy = std::move(remedy);
}

}  // namespace splitscope
