// SPDX-License-Identifier: MIT
#include "engine/library/messages.hpp"
#include "splitscope/plan.hpp"

namespace splitscope {

namespace {

void require_model(const Session& session) {
    if (!session.file->model)
        throw Error(ErrorKind::usage, msg::kNothingToPlace, session.file->path, msg::kOpenModel);
}

}  // namespace

ModelPlan plan(const Session& session, const JobContext& job) {
    require_model(session);
    return plan_session(session, job);
}

Suggestion suggest(const Session& session, const SuggestOptions& options, const JobContext& job) {
    require_model(session);
    return suggest_for(session, options, job);
}

std::vector<Finding> lint(const Session& session, const JobContext& job) {
    const auto analysis = analyse(session, job);
    if (!session.file->model) return lint(*analysis);
    const ModelPlan plan = plan_session(session, job);
    return lint(*analysis, &plan);
}

}  // namespace splitscope
