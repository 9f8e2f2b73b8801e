// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/interface/registry.hpp"
#include "engine/memory/allocation_plan.hpp"
#include "engine/messages/message.hpp"
#include "engine/models/model.hpp"
#include "engine/models/placement/hardware.hpp"
#include "engine/models/placement/placement_flags.hpp"
#include "engine/scheduler/recorded.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/support/job.hpp"
#include "engine/tensor/tensor_identity.hpp"

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
    std::vector<Message> remarks;              ///< what the file does not say and had to be assumed

    std::string title() const;
};

/// Which graph of a model to look at.
enum class GraphKind : std::uint8_t { decode, prefill };

struct ModelLayout;

/// ModelOptions::gpu_layers that stands for all of them.
constexpr std::int32_t kAllLayers = -2;

/// How a model is turned into a graph and where its parts go: the switches of placement.md §10. What is not
/// here is in the machine: offloading of operations, and whether pipelining is forced. The defaults divide a
/// model between an accelerator and the CPU; default_options() has those of llama.cpp's programs.
struct ModelOptions {
    GraphKind kind = GraphKind::decode;
    std::uint32_t context = 0;     ///< cells of the KV cache; 0 = the model's own length, at most 4096
    std::uint32_t batch = 32;      ///< tokens computed at once (micro-batch): those of a prefill graph
    std::int32_t gpu_layers = -1;  ///< layers on the accelerators, the output layer counts as one; -1 = half
    bool flash_attention = false;
    /// Element type of the KV cache; none = F32 while the whole cache stays below 16 MiB,
    /// else F16.
    std::optional<ElementType> cache_type = std::nullopt;
    std::optional<ElementType> cache_type_v = std::nullopt;  ///< of values; none = as cache_type
    /// Flash attention is switched off again where a block's device does not run it ("auto").
    bool flash_attention_if_supported = false;
    std::uint32_t logical_batch = 2048;      ///< tokens given at once; bounds the micro-batch and the results
    std::uint32_t sequences = 1;             ///< that memory is reserved for
    bool unified_cache = false;              ///< the sequences share one cache
    std::uint32_t results_per_sequence = 0;  ///< rows of results kept of each; 0 = of every token
    bool full_window_cache = false;          ///< layers with a sliding window keep the whole context
    std::vector<std::string> accelerators = {};  ///< names of backends, or "none"; empty = all that there are
    SplitMode split_mode = SplitMode::layer;
    std::int32_t main_gpu = 0;                 ///< the accelerator of SplitMode::none
    std::vector<float> tensor_split = {};      ///< shares of the accelerators; empty = by free memory
    std::vector<OverrideRule> overrides = {};  ///< the first that matches a tensor's name decides
    bool cpu_experts = false;                  ///< all experts stay on the CPU
    std::uint32_t cpu_expert_blocks = 0;       ///< those of the first so many blocks do
    bool kv_offload = true;                    ///< caches lie where their blocks are, not on the CPU
    bool memory_map = true;                    ///< weights of the CPU are pages of the file
    bool repack = true;                        ///< the CPU interleaves weights where it has kernels for it
    bool pinned_host = true;                   ///< weights of the CPU may lie in pinned memory
    friend bool operator==(const ModelOptions&, const ModelOptions&) = default;
};

/// The whole input: small, editable, and everything else is derived from it.
struct Session {
    std::shared_ptr<const OpenedFile> file;
    ModelOptions model_options;
    Machine machine;
    /// Memory and rates of the machine's backends by their names, where they are known.
    std::map<std::string, DeviceFacts> devices;
    Generation generation = Generation::g2024_10;
    /// The kinds of backend that compute for the machine's devices; null = all of them are only described.
    /// Not saved: a program gives its own to the sessions that it opens.
    BackendKinds kinds = nullptr;
};

/// Everything derived from a session without computing. Immutable snapshot.
struct Analysis {
    Session session;
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const TensorIdentities> identities;  ///< of the graph's tensors
    std::shared_ptr<const Machine> machine;              ///< the session's, with the buffers the graph needs
    std::shared_ptr<const Schedule> schedule;
    std::shared_ptr<const AllocationPlan> plan;
    std::shared_ptr<const ModelGraph> model_graph;  ///< null for a graph file
    std::shared_ptr<const ModelLayout> layout;  ///< where its weights and caches are; null for a graph file
    std::vector<Message> notes;                 ///< what was decided on the way, for people
};

/// Opens a model, graph, scheduler's log, recording or DOT dump; which one is told by its content. `number`
/// chooses among the graphs of a file that holds several (from 0; without it the last decode). "-" reads
/// standard input. Throws Error naming file, place and remedy.
std::shared_ptr<const OpenedFile> open_file(const std::filesystem::path& path, const JobContext& job = {},
                                            std::optional<std::size_t> number = std::nullopt);

/// Where the machine of a graph file is looked for: machine.json beside graph.json, NAME.machine.json beside
/// NAME.graph.json; nothing for files of other names.
std::optional<std::filesystem::path> machine_path_beside(const std::filesystem::path& graph_file);

/// Throws Error(usage) when writing to `target` would replace what was opened, or the machine found beside
/// it.
void require_other_file(const std::filesystem::path& target, const OpenedFile& opened);

/// A sensible first session for a file: its own machine if it came with one, else a simulated GPU and the
/// CPU.
Session default_session(std::shared_ptr<const OpenedFile> file);

/// "Simulated GPU + CPU": what is shown when nothing else is described.
Machine default_machine();

/// Builds the graph, schedules it and plans its memory. A scheduling error is not thrown: it is in
/// Analysis::schedule->error, with the decisions up to there.
std::shared_ptr<const Analysis> analyse(const Session& session, const JobContext& job = {});

}  // namespace splitscope
