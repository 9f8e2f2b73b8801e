// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/interface/machine.hpp"
#include "engine/memory/allocation_plan.hpp"
#include "engine/models/model.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// A file the user opened: a model (GGUF) or a captured graph (JSON).
struct OpenedFile {
    std::filesystem::path path;
    std::shared_ptr<const Model> model;  ///< null for a graph file
    std::shared_ptr<const Graph> graph;  ///< the graph of a graph file; null for a model
    std::optional<Machine> machine;      ///< found beside a graph file (machine.json), if any

    std::string title() const;
};

/// Which graph of a model to look at.
enum class GraphKind : std::uint8_t { decode, prefill };

/// How a model is turned into a graph and where its layers go.
struct ModelOptions {
    GraphKind kind = GraphKind::decode;
    std::uint32_t context = 0;     ///< cells of the KV cache; 0 = the model's own length, at most 4096
    std::uint32_t batch = 32;      ///< tokens of a prefill graph
    std::int32_t gpu_layers = -1;  ///< layers on the accelerators, the output layer counts as one; -1 = half
    bool flash_attention = false;
    /// Element type of the KV cache; none = F32 while the whole cache stays below 16 MiB,
    /// else F16.
    std::optional<ElementType> cache_type;
    friend bool operator==(const ModelOptions&, const ModelOptions&) = default;
};

/// The whole input (design.md §3): small, editable, and everything else is derived from it.
struct Session {
    std::shared_ptr<const OpenedFile> file;
    ModelOptions model_options;
    Machine machine;
    Generation generation = Generation::g2024_10;
};

/// Everything derived from a session without computing. Immutable snapshot.
struct Analysis {
    Session session;
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Machine> machine;  ///< the session's, with the buffers the graph needs
    std::shared_ptr<const Schedule> schedule;
    std::shared_ptr<const AllocationPlan> plan;
    std::shared_ptr<const ModelGraph> model_graph;  ///< null for a graph file
};

/// Opens a model or graph file; which one is told by its content. Throws Error naming file, place and remedy.
std::shared_ptr<const OpenedFile> open_file(const std::filesystem::path& path, const JobContext& job = {});

/// A sensible first session for a file: its own machine if it came with one, else a simulated GPU and the
/// CPU.
Session default_session(std::shared_ptr<const OpenedFile> file);

/// "Simulated GPU + CPU": what is shown when nothing else is described.
Machine default_machine();

/// Builds the graph, schedules it and plans its memory. A scheduling error is not thrown: it is in
/// Analysis::schedule->error, with the decisions up to there.
std::shared_ptr<const Analysis> analyse(const Session& session, const JobContext& job = {});

}  // namespace splitscope
