// SPDX-License-Identifier: MIT
#include "engine/reports/report_plans.hpp"

namespace splitscope {

std::optional<ReportPlans> plan_for_report(const Session& session, bool search, const JobContext& job) {
    if (!session.file->model) return std::nullopt;
    ReportPlans plans;
    plans.plan = plan_session(session, job);
    plans.choice = choice_of(session);
    if (search) plans.suggestion = suggest_for(session, {}, job);
    return plans;
}

}  // namespace splitscope
