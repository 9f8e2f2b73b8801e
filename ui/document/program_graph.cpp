// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/program_graph.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/session/summary.hpp"

namespace splitscope::ui {

std::shared_ptr<const ProgramGraph> derive_program_graph(std::shared_ptr<const AttachedGraph> graph,
                                                         const std::filesystem::path& path,
                                                         const BackendKinds& kinds, const JobContext& job) {
    const CapturedGraph& captured = *graph->captured;
    auto file = std::make_shared<OpenedFile>();
    file->path = path;
    file->graph = graph->graph;
    file->machine = captured.machine;
    file->generation = graph->generation;
    file->recorded = captured.recorded;
    file->remarks = captured.remarks;
    auto derived = std::make_shared<ProgramGraph>();
    Session session = default_session(std::move(file));
    session.kinds = kinds;
    derived->analysis = analyse_recorded(session, job);
    auto shown = std::make_shared<Shown>(*derive_shown(derived->analysis.theirs, job));
    if (derived->analysis.ours != derived->analysis.theirs) {
        // The views show the recorded schedule; findings state differences of the simulation.
        const Analysis& ours = *derived->analysis.ours;
        for (Finding& row : lint(ours, summarise(ours), nullptr)) {
            if (row.rule == "elsewhere-than-recorded") shown->findings.push_back(std::move(row));
        }
    }
    derived->session = {std::move(session), std::move(shown)};
    derived->graph = std::move(graph);
    return derived;
}

bool same_graph(const AttachedGraph& a, const AttachedGraph& b) {
    if (&a == &b) return true;
    const RecordedSchedule& one = a.captured->recorded;
    const RecordedSchedule& other = b.captured->recorded;
    const auto same_split = [](const Split& x, const Split& y) {
        return x.backend == y.backend && x.start == y.start && x.end == y.end && x.inputs == y.inputs;
    };
    const auto same_tensor = [](const Tensor& x, const Tensor& y) {
        return x.op == y.op && x.type == y.type && x.ne == y.ne && x.nb == y.nb && x.src == y.src &&
               x.view_offs == y.view_offs && x.name == y.name;
    };
    return a.graph->nodes.size() == b.graph->nodes.size() && one.backends == other.backends &&
           one.backend == other.backend && std::ranges::equal(one.splits, other.splits, same_split) &&
           std::ranges::equal(a.graph->tensors, b.graph->tensors, same_tensor);
}

Execution execution_of(const Computation& computation, const Schedule& schedule) {
    // A backend may compute the nodes of a split in an order of its own.
    const std::vector<TensorId> order = nodes_in_order(schedule);
    constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> position(schedule.graph->tensors.size(), kNone);
    for (std::size_t p = 0; p < order.size(); ++p) position[order[p].index()] = p;
    const auto position_of = [&](TensorId node) {
        return node.valid() && node.index() < position.size() ? position[node.index()] : kNone;
    };
    Execution execution;
    execution.status = computation.status == 0 ? Status::success : Status::failed;
    execution.duration = computation.took;
    for (const AttachEvent& seen : computation.events) {
        ExecutionEvent event;
        event.start = std::max(seen.start - computation.start, std::chrono::nanoseconds(0));
        event.end = event.start + seen.took;
        event.split = seen.split;
        if (seen.is_copy) {
            event.kind = ExecutionEventKind::copy;
            event.tensor = seen.first;
            event.bytes = seen.bytes;
        } else {
            event.first_node = position_of(seen.first);
            event.last_node = position_of(seen.last.valid() ? seen.last : seen.first);
            if (event.first_node == kNone || event.last_node == kNone) continue;
            if (event.first_node > event.last_node) std::swap(event.first_node, event.last_node);
            // Views are passed on with adjacent nodes.
            const auto is_view = [&](std::size_t node) {
                return is_view_op((*schedule.graph)[order[node]].op);
            };
            while (event.first_node < event.last_node && is_view(event.first_node)) ++event.first_node;
            while (event.first_node < event.last_node && is_view(event.last_node)) --event.last_node;
            if (!event.split.valid()) event.split = schedule.split_of_position(event.first_node);
        }
        if (!event.split.valid() || event.split.index() >= schedule.splits.size()) continue;
        event.backend = schedule.splits[event.split.index()].backend;
        execution.events.push_back(event);
    }
    std::ranges::stable_sort(execution.events, {}, &ExecutionEvent::start);
    return execution;
}

}  // namespace splitscope::ui
