// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>

#include "engine/attach/program_view.hpp"
#include "engine/execution/execution.hpp"
#include "engine/session/analyse_recorded.hpp"
#include "ui/document/document.hpp"

namespace splitscope::ui {

/// A graph of a program as the views show it, beside what our scheduler makes of it. Immutable.
struct LivingGraph {
    std::shared_ptr<const AttachedGraph> graph;
    RecordedAnalysis analysis;
    Document::Living living;
};

/// `path`: where the graph would be found again.
std::shared_ptr<const LivingGraph> derive_living(std::shared_ptr<const AttachedGraph> graph,
                                                 const std::filesystem::path& path, const BackendKinds& kinds,
                                                 const JobContext& job);

/// Whether tensors have the same numbers and meanings in both, and lie alike: what is known of one holds for
/// the other.
bool same_graph(const AttachedGraph& a, const AttachedGraph& b);

/// What a program was seen to do, as the record of a run of the schedule that the views show.
Execution execution_of(const Computation& computation, const Schedule& schedule);

}  // namespace splitscope::ui
