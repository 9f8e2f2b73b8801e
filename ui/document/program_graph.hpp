// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>

#include "engine/attach/program_view.hpp"
#include "engine/execution/execution.hpp"
#include "engine/session/analyse_recorded.hpp"
#include "ui/document/document.hpp"

namespace splitscope::ui {

/// A graph of a program as the views show it, with the simulated schedule. Immutable.
struct ProgramGraph {
    std::shared_ptr<const AttachedGraph> graph;
    RecordedAnalysis analysis;
    Document::ProgramSession session;
};

/// `path`: the file of the graph.
std::shared_ptr<const ProgramGraph> derive_program_graph(std::shared_ptr<const AttachedGraph> graph,
                                                         const std::filesystem::path& path,
                                                         const BackendKinds& kinds, const JobContext& job);

/// Whether both have the same tensors with the same numbers and layout, so that the analysis of one applies
/// to the other.
bool same_graph(const AttachedGraph& a, const AttachedGraph& b);

/// An observed computation of a program, as the record of a run of the displayed schedule.
Execution execution_of(const Computation& computation, const Schedule& schedule);

}  // namespace splitscope::ui
