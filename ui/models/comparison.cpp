// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/comparison.hpp"

#include "engine/session/compare_generations.hpp"
#include "engine/session/compare_sessions.hpp"
#include "engine/session/open_session.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {

Comparison compare_with_generation(std::shared_ptr<const Analysis> analysis, Generation other,
                                   const JobContext& job) {
    const Session& session = analysis->session;
    ComparedGenerations compared = compare_generations(session, session.generation, other, job);
    Comparison result;
    result.name_a = to_text(name_of(session.generation));
    result.name_b = to_text(name_of(other));
    result.summary_a = summarise(*compared.a);
    result.summary_b = summarise(*compared.b);
    result.elsewhere = compared.comparison.elsewhere;
    result.first_split = compared.comparison.first_split;
    for (const TensorDifference& d : compared.comparison.tensors) {
        result.tensors.push_back({d.tensor, d.tensor, d.pass, d.decision_a, d.decision_b, d.elsewhere()});
    }
    result.open_tensor = match_tensors(*compared.a->identities, *analysis->identities, job);
    result.a = std::move(compared.a);
    result.b = std::move(compared.b);
    return result;
}

Comparison compare_with_file(std::shared_ptr<const Analysis> analysis, const std::filesystem::path& path,
                             const JobContext& job) {
    const Session other = open_session(path, job);
    Comparison result;
    result.name_a = QStringLiteral("A");
    result.name_b = to_text(path.filename().string());
    result.b = analyse(other, job);
    result.a = std::move(analysis);
    const SessionComparison compared = compare_sessions(*result.a, *result.b, job);
    result.elsewhere = compared.elsewhere;
    for (const PairDifference& d : compared.pairs) {
        result.tensors.push_back({d.a, d.b, d.pass, d.decision_a, d.decision_b, d.elsewhere});
    }
    for (const TensorId node : compared.only_a) result.tensors.push_back({node, {}, {}, {}, {}, false});
    for (const TensorId node : compared.only_b) result.tensors.push_back({{}, node, {}, {}, {}, false});
    for (std::size_t t = 0; t < result.a->graph->tensors.size(); ++t) result.open_tensor.emplace_back(t);
    result.summary_a = summarise(*result.a);
    result.summary_b = summarise(*result.b);
    return result;
}

}  // namespace splitscope::ui
