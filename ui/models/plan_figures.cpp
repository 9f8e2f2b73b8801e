// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/plan_figures.hpp"

#include <utility>

#include "engine/models/model.hpp"
#include "engine/support/error.hpp"

namespace splitscope::ui {

std::shared_ptr<const ModelPlan> plan_of(const Analysis& analysis, const JobContext& job) {
    if (!analysis.model_graph) return nullptr;
    try {
        return std::make_shared<const ModelPlan>(
            plan_session(analysis.session, JobContext(job.stop_token())));
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::cancelled) throw;
        ModelPlan none;
        none.verdict = Verdict::not_known(error, analysis.session.file->model->file());
        return std::make_shared<const ModelPlan>(std::move(none));
    }
}

Summary planned_summary(const Analysis& analysis, const ModelPlan* plan) {
    Summary summary = splitscope::summarise(analysis);
    if (plan != nullptr) apply_plan_figures(summary, *plan);
    return summary;
}

}  // namespace splitscope::ui
