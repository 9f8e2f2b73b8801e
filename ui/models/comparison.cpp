// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/comparison.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <limits>
#include <utility>

#include "engine/formats/gguf.hpp"
#include "engine/models/model.hpp"
#include "engine/session/compare_generations.hpp"
#include "engine/session/compare_sessions.hpp"
#include "engine/session/open_session.hpp"
#include "engine/session/replay_on_model.hpp"
#include "ui/models/plan_figures.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

struct ComparisonText {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::Comparison)
};

QString graph_text(const Analysis& analysis) {
    QString nodes = ComparisonText::tr("%1 nodes").arg(count_text(analysis.graph->nodes.size()));
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

/// The recorded backends and splits on the simulated machine, with missing devices added.
Analysis recorded_side(const Analysis& ours, const RecordedSchedule& recorded) {
    Analysis side = ours;
    auto machine = std::make_shared<Machine>(*ours.machine);
    std::vector<BackendId> ids;
    for (const std::string& name : recorded.backends) {
        const auto found = std::ranges::find(machine->backends, name, &MachineBackend::name);
        ids.emplace_back(static_cast<std::size_t>(found - machine->backends.begin()));
        if (found == machine->backends.end()) machine->backends.emplace_back().name = name;
    }
    const auto on_machine = [&](BackendId id) { return id.valid() ? ids[id.index()] : BackendId(); };
    auto schedule = std::make_shared<Schedule>(*ours.schedule);
    schedule->decisions.clear();
    schedule->error.reset();
    schedule->backend.clear();
    for (const BackendId id : recorded.backend) schedule->backend.push_back(on_machine(id));
    schedule->backend.resize(ours.schedule->backend.size());
    schedule->splits = recorded.splits;
    for (Split& split : schedule->splits) split.backend = on_machine(split.backend);
    schedule->machine = machine;
    side.machine = machine;
    side.schedule = schedule;
    return side;
}

/// The simulated schedule of the graph built from the model.
Analysis replayed_side(const Analysis& opened, const ModelReplay& replay, const JobContext& job) {
    Analysis side;
    side.session = opened.session;
    side.schedule = replay.schedule;
    side.graph = replay.schedule->graph;
    side.machine = replay.schedule->machine;
    side.identities = std::make_shared<const TensorIdentities>(side.graph, job);
    return side;
}

QString replay_text(const ModelReplay& replay, const std::filesystem::path& model) {
    QString text =
        ComparisonText::tr(
            "The recorded nodes compared with the graph built from %1: %2, flash attention %3, %4.")
            .arg(to_text(model.filename().string()),
                 replay.tokens == 1 ? ComparisonText::tr("1 token")
                                    : ComparisonText::tr("%1 tokens").arg(count_text(replay.tokens)),
                 replay.flash_attention ? ComparisonText::tr("on") : ComparisonText::tr("off"),
                 replay.gpu_layers == 1
                     ? ComparisonText::tr("1 layer on devices")
                     : ComparisonText::tr("%1 layers on devices")
                           .arg(count_text(static_cast<std::uint64_t>(replay.gpu_layers))));
    if (replay.different_nodes.empty())
        return text + QLatin1Char(' ') +
               ComparisonText::tr("Both have the same %1 operations in the same order.")
                   .arg(count_text(replay.nodes));
    const GraphDifference& first = replay.different_nodes.front();
    return text + QLatin1Char(' ') +
           ComparisonText::tr("%1 of %2 nodes differ, first node %3: recorded %4, built %5.")
               .arg(count_text(replay.different_nodes.size()), count_text(replay.nodes),
                    count_text(first.position),
                    first.recorded.empty() ? ComparisonText::tr("none") : to_text(first.recorded),
                    first.built.empty() ? ComparisonText::tr("none") : to_text(first.built));
}

}  // namespace

std::optional<std::size_t> Comparison::first_decision() const {
    std::optional<std::size_t> first;
    const auto when = [&](std::size_t t) {
        const ComparedTensor& tensor = tensors[t];
        const std::size_t never = std::numeric_limits<std::size_t>::max();
        return std::pair(*tensor.pass,
                         std::min(tensor.decision_a.value_or(never), tensor.decision_b.value_or(never)));
    };
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        if (tensors[t].pass && (!first || when(t) < when(*first))) first = t;
    }
    return first;
}

Comparison compare_with_recorded(std::shared_ptr<const Analysis> analysis, const std::filesystem::path& model,
                                 const JobContext& job) {
    const RecordedSchedule& recorded = *analysis->session.file->recorded;
    Comparison result;
    result.name_a = ComparisonText::tr("simulated");
    result.name_b = ComparisonText::tr("recorded");
    RecordedComparison compared;
    RecordedSchedule theirs = recorded;
    Comparison::Recorded told;
    if (model.empty()) {
        result.a = analysis;
        compared = splitscope::compare_with_recorded(*analysis->schedule, recorded);
        for (std::size_t t = 0; t < analysis->graph->tensors.size(); ++t) result.open_tensor.emplace_back(t);
        result.built =
            ComparisonText::tr(
                "Both sides have the graph of the file (%1); “recorded” refers to the program's decisions.")
                .arg(graph_text(*analysis));
    } else {
        const auto made = make_model(GgufFile::open(model, job), job);
        ModelReplay replay = replay_on_model(analysis->session, *made, job);
        result.a = std::make_shared<const Analysis>(replayed_side(*analysis, replay, job));
        compared = replay.decisions;
        theirs = replay.recorded;
        told.same_nodes = replay.different_nodes.empty();
        result.open_tensor = match_tensors(*result.a->identities, *analysis->identities, job);
        result.open_is_compared = false;
        result.built = replay_text(replay, model);
    }
    result.b = std::make_shared<const Analysis>(recorded_side(*result.a, theirs));
    told.compared = compared.compared;
    told.splits = compared.recorded_splits;
    for (const RecordedDifference& d : compared.elsewhere)
        result.tensors.push_back({d.tensor, d.tensor, {}, {}, {}, true});
    result.elsewhere = compared.elsewhere.size();
    result.first_split = compared.first_split;
    result.recorded = told;
    return result;
}

Comparison compare_with_generation(std::shared_ptr<const Analysis> analysis,
                                   std::shared_ptr<const ModelPlan> plan, Generation other,
                                   const JobContext& job) {
    const Session& session = analysis->session;
    ComparedGenerations compared = compare_generations(session, session.generation, other, job);
    Comparison result;
    result.name_a = to_text(name_of(session.generation));
    result.name_b = to_text(name_of(other));
    result.plan_b = other == session.generation ? plan : plan_of(*compared.b, job);
    result.plan_a = std::move(plan);
    result.summary_a = planned_summary(*compared.a, result.plan_a.get());
    result.summary_b = planned_summary(*compared.b, result.plan_b.get());
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

Comparison compare_with_file(std::shared_ptr<const Analysis> analysis, std::shared_ptr<const ModelPlan> plan,
                             const std::filesystem::path& path, const JobContext& job) {
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
    result.plan_a = std::move(plan);
    result.plan_b = plan_of(*result.b, job);
    if (result.plan_a && result.plan_b)
        result.switches = different_switches(result.a->session, result.b->session);
    result.summary_a = planned_summary(*result.a, result.plan_a.get());
    result.summary_b = planned_summary(*result.b, result.plan_b.get());
    result.open_is_compared = true;
    result.built =
        side_text(result.name_a, *result.a) + QStringLiteral(" · ") + side_text(result.name_b, *result.b);
    return result;
}

}  // namespace splitscope::ui
