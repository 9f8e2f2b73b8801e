// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/comparison.hpp"

#include <QCoreApplication>
#include <algorithm>

#include "engine/session/compare_generations.hpp"
#include "engine/session/compare_sessions.hpp"
#include "engine/session/open_session.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

struct ComparisonText {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::Comparison)
};

QString graph_text(const Analysis& analysis) {
    const QString nodes = ComparisonText::tr("%1 nodes").arg(count_text(analysis.graph->nodes.size()));
    if (!analysis.session.file->model) return nodes;
    return QStringLiteral("%1, %2").arg(analysis.session.model_options.kind == GraphKind::prefill
                                            ? ComparisonText::tr("prompt")
                                            : ComparisonText::tr("decode"),
                                        nodes);
}

bool same_nodes(const Graph& a, const Graph& b) {
    return a.tensors.size() == b.tensors.size() && a.nodes == b.nodes &&
           std::ranges::equal(a.tensors, b.tensors, [](const Tensor& x, const Tensor& y) {
               return x.name == y.name && x.op == y.op && x.ne == y.ne && x.src == y.src;
           });
}

/// How two generations schedule one graph, and whether the views show that graph.
QString generations_text(const Comparison& compared, const Analysis& shown) {
    const Generation older = std::min(compared.a->session.generation, compared.b->session.generation);
    const QString graph = graph_text(*compared.a);
    if (!shown.session.file->model)
        return ComparisonText::tr("Both schedule the graph of the file (%1).").arg(graph);
    if (compared.open_is_compared)
        return ComparisonText::tr(
                   "Both schedule the displayed graph (%1), with the same machine and options.")
            .arg(graph);
    return ComparisonText::tr(
               "Both schedule the graph in the form of %1 (%2), with the same machine and options. The views "
               "show the form of %3 (%4).")
        .arg(to_text(name_of(older)), graph, to_text(name_of(shown.session.generation)), graph_text(shown));
}

QString side_text(const QString& name, const Analysis& side) {
    return ComparisonText::tr("%1: %2, scheduler %3, %4")
        .arg(name, to_text(side.session.file->path.filename().string()),
             to_text(name_of(side.schedule->generation)), graph_text(side));
}

}  // namespace

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
    result.not_reached = compared.comparison.not_reached;
    result.first_split = compared.comparison.first_split;
    for (const TensorDifference& d : compared.comparison.tensors) {
        result.tensors.push_back({d.tensor, d.tensor, d.pass, d.decision_a, d.decision_b, d.elsewhere});
    }
    result.open_tensor = match_tensors(*compared.a->identities, *analysis->identities, job);
    result.a = std::move(compared.a);
    result.b = std::move(compared.b);
    result.open_is_compared = same_nodes(*result.a->graph, *analysis->graph);
    result.built = generations_text(result, *analysis);
    return result;
}

Comparison compare_with_file(std::shared_ptr<const Analysis> analysis, const std::filesystem::path& path,
                             const JobContext& job) {
    Session other = open_session(path, job);
    // A model is placed like the one it is compared with; a saved session keeps its options.
    if (other.file->model && other.file->path == path && analysis->session.file->model) {
        const auto file = other.file;
        other = analysis->session;
        other.file = file;
        other.machine.assignments.clear();
    }
    Comparison result;
    result.name_a = QStringLiteral("A");
    result.name_b = to_text(path.filename().string());
    result.b = analyse(other, job);
    result.a = std::move(analysis);
    const SessionComparison compared = compare_sessions(*result.a, *result.b, job);
    result.elsewhere = compared.elsewhere;
    result.not_reached = compared.not_reached;
    for (const PairDifference& d : compared.pairs) {
        result.tensors.push_back({d.a, d.b, d.pass, d.decision_a, d.decision_b, d.elsewhere});
    }
    for (const TensorId node : compared.only_a) result.tensors.push_back({node, {}, {}, {}, {}, false});
    for (const TensorId node : compared.only_b) result.tensors.push_back({{}, node, {}, {}, {}, false});
    for (std::size_t t = 0; t < result.a->graph->tensors.size(); ++t) result.open_tensor.emplace_back(t);
    result.summary_a = summarise(*result.a);
    result.summary_b = summarise(*result.b);
    result.open_is_compared = true;
    result.built =
        side_text(result.name_a, *result.a) + QStringLiteral(" · ") + side_text(result.name_b, *result.b);
    return result;
}

}  // namespace splitscope::ui
