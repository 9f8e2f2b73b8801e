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
#include "engine/scheduler/recorded.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// One of the graphs in a file that holds several.
struct GraphInFile {
    std::string title;
    std::size_t nodes = 0;
    std::size_t splits = 0;
    std::size_t times = 1;  ///< how often the program scheduled it
};

/// A file the user opened: a model (GGUF), a graph (JSON), or something a graph was found in (a scheduler's
/// log, a recording, a DOT dump).
struct OpenedFile {
    std::filesystem::path path;
    std::shared_ptr<const Model> model;    ///< null for a graph file
    std::shared_ptr<const Graph> graph;    ///< the graph of a graph file; null for a model
    std::optional<Machine> machine;        ///< found beside a graph file (machine.json) or told by the file
    std::optional<Generation> generation;  ///< of the scheduler that wrote the file, if it tells
    std::optional<RecordedSchedule> recorded;  ///< what that scheduler decided
    std::vector<GraphInFile> graphs;           ///< empty when the file holds one at most
    std::size_t graph_number = 0;              ///< index in `graphs` of the one opened
    std::vector<std::string> remarks;          ///< what the file does not say and had to be assumed

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

/// Opens a model, graph, scheduler's log, recording or DOT dump; which one is told by its content. `number`
/// chooses among the graphs of a file that holds several (from 0; without it the last decode). "-" reads
/// standard input. Throws Error naming file, place and remedy.
std::shared_ptr<const OpenedFile> open_file(const std::filesystem::path& path, const JobContext& job = {},
                                            std::optional<std::size_t> number = std::nullopt);

/// A sensible first session for a file: its own machine if it came with one, else a simulated GPU and the
/// CPU.
Session default_session(std::shared_ptr<const OpenedFile> file);

/// "Simulated GPU + CPU": what is shown when nothing else is described.
Machine default_machine();

/// Builds the graph, schedules it and plans its memory. A scheduling error is not thrown: it is in
/// Analysis::schedule->error, with the decisions up to there.
std::shared_ptr<const Analysis> analyse(const Session& session, const JobContext& job = {});

}  // namespace splitscope
