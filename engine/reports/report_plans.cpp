// SPDX-License-Identifier: MIT
#include "engine/reports/report_plans.hpp"

#include "engine/session/model_placement.hpp"

namespace splitscope {

std::optional<ReportPlans> plan_for_report(const Session& session, bool search, const JobContext& job) {
    if (!session.file->model) return std::nullopt;
    ReportPlans plans;
    plans.plan = plan_session(session, job);
    const ModelOptions& options = session.model_options;
    plans.choice = {plans.plan.layout->layers.accelerated(),
                    options.cpu_experts ? plans.plan.layout->blocks : options.cpu_expert_blocks,
                    options.kv_offload};
    if (!search) return plans;
    // These are what is searched; everything else stays as the session has it.
    Session free = session;
    free.model_options.cpu_experts = false;
    free.model_options.cpu_expert_blocks = 0;
    const Model& model = *session.file->model;
    plans.suggestion =
        suggest(model.file(), &model, hardware_of(free), placement_flags(free), session.generation, {}, job);
    return plans;
}

}  // namespace splitscope
