// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/shown.hpp"

#include <utility>

#include "ui/models/plan_figures.hpp"

namespace splitscope::ui {

int Shown::position(TensorId tensor) const {
    return tensor.valid() && tensor.index() < position_of.size() ? position_of[tensor.index()] : -1;
}

SplitId Shown::split(TensorId tensor) const {
    const int place = position(tensor);
    if (place < 0 || analysis->schedule->splits.empty()) return {};
    return analysis->schedule->split_of_position(static_cast<std::size_t>(place));
}

std::shared_ptr<const Shown> derive_shown(std::shared_ptr<const Analysis> analysis, const JobContext& job) {
    auto shown = std::make_shared<Shown>();
    shown->analysis = std::move(analysis);
    job.check();
    shown->plan = plan_of(*shown->analysis, job);
    shown->summary = std::make_shared<const Summary>(planned_summary(*shown->analysis, shown->plan.get()));
    shown->findings = lint(*shown->analysis, *shown->summary, shown->plan.get());
    shown->replay = std::make_shared<Replay>(shown->analysis->schedule);
    shown->replay->seek(shown->decision_count());
    const Graph& graph = *shown->analysis->graph;
    shown->position_of.assign(graph.tensors.size(), -1);
    for (std::size_t p = 0; p < graph.nodes.size(); ++p)
        shown->position_of[graph.nodes[p].index()] = static_cast<int>(p);
    return shown;
}

}  // namespace splitscope::ui
