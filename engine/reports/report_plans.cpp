// SPDX-License-Identifier: MIT
#include "engine/reports/report_plans.hpp"

namespace splitscope {

std::optional<ReportPlans> plan_for_report(const Session& session, bool search, const JobContext& job) {
    if (!session.file->model) return std::nullopt;
    ReportPlans plans;
    plans.plan = plan_session(session, job);
    const ModelOptions& options = session.model_options;
    plans.choice = {plans.plan.layout->layers.accelerated(),
                    options.cpu_experts ? plans.plan.layout->blocks : options.cpu_expert_blocks,
                    options.kv_offload};
    if (search) plans.suggestion = suggest_for(session, {}, job);
    return plans;
}

}  // namespace splitscope
