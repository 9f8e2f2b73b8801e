// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
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

/// One graph of a file with several graphs.
struct GraphInFile {
    std::string title;
    std::size_t nodes = 0;
    std::size_t splits = 0;
    std::size_t times = 1;  ///< number of times the program scheduled it
};

/// An opened file: a model (GGUF), a graph (JSON), or a source of graphs (scheduler log, recording, DOT
/// dump).
struct OpenedFile {
    std::filesystem::path path;
    std::shared_ptr<const Model> model;    ///< null for a graph file
    std::shared_ptr<const Graph> graph;    ///< the graph of a graph file; null for a model
    std::optional<Machine> machine;        ///< found beside a graph file (machine.json), or part of the file
    std::optional<Generation> generation;  ///< of the scheduler that wrote the file, if known
    std::optional<RecordedSchedule> recorded;  ///< the decisions of that scheduler
    std::vector<GraphInFile> graphs;           ///< empty unless the file has several
    std::size_t graph_number = 0;              ///< index in `graphs` of the one opened
    std::vector<Message> remarks;              ///< what the file lacks, and what was assumed instead

    std::string title() const;
};

/// The graph of a model to show.
enum class GraphKind : std::uint8_t { decode, prefill };

struct ModelLayout;

/// How to build and place a model's graph: the switches of placement.md §10, except offloading and
/// pipelining, which belong to the machine. The defaults divide a model between an accelerator and the CPU;
/// default_options() returns those of llama.cpp's programs.
struct ModelOptions {
    GraphKind kind = GraphKind::decode;
    std::uint32_t context = 0;  ///< cells of the KV cache; 0 = the model's own length, at most 4096
    std::uint32_t batch = 32;   ///< tokens computed at once (micro-batch): those of a prefill graph
    GpuLayers gpu_layers = GpuLayers::half();
    bool flash_attention = false;
    /// Element type of the KV cache; none = F32 if the whole cache is below 16 MiB, else F16.
    std::optional<ElementType> cache_type = std::nullopt;
    std::optional<ElementType> cache_type_v = std::nullopt;  ///< of values; none = as cache_type
    /// Disable flash attention if a block's device does not support it ("auto").
    bool flash_attention_if_supported = false;
    std::uint32_t logical_batch = 2048;  ///< batch: tokens submitted at once; limits micro-batch and results
    std::uint32_t sequences = 1;         ///< sequences that memory is reserved for
    bool unified_cache = false;          ///< the sequences share one cache
    std::uint32_t results_per_sequence = 0;         ///< result rows kept per sequence; 0 = one per token
    bool embeddings = false;                        ///< compute embeddings, as of embedding models
    std::optional<Pooling> pooling = std::nullopt;  ///< of embeddings; none = as the file says
    bool full_window_cache = false;                 ///< sliding-window layers keep the whole context
    std::vector<std::string> accelerators = {};     ///< names of backends, or "none"; empty = all
    SplitMode split_mode = SplitMode::layer;
    std::int32_t main_gpu = 0;                 ///< the accelerator used with SplitMode::none
    std::vector<float> tensor_split = {};      ///< shares of the accelerators; empty = by free memory
    std::vector<OverrideRule> overrides = {};  ///< the first match wins
    bool cpu_experts = false;                  ///< all experts stay on the CPU
    std::uint32_t cpu_expert_blocks = 0;       ///< first blocks whose experts stay on the CPU
    bool kv_offload = true;                    ///< caches are on their blocks' devices, not on the CPU
    bool memory_map = true;                    ///< use weights on the CPU from the mapped file
    bool repack = true;                        ///< repack weights on the CPU if it has kernels for that
    bool pinned_host = true;                   ///< allow pinned memory for weights on the CPU
    friend bool operator==(const ModelOptions&, const ModelOptions&) = default;
};

/// The complete user input: small and editable. Everything else is derived from it.
struct Session {
    std::shared_ptr<const OpenedFile> file;
    ModelOptions model_options;
    Machine machine;
    /// Known memory sizes and rates of the machine's backends, by name.
    std::map<std::string, DeviceFacts> devices;
    Generation generation = Generation::g2024_10;
    /// The backend kinds that compute for the machine's devices; null = simulated only. Not saved: each
    /// program provides its own.
    BackendKinds kinds = nullptr;
};

/// Everything derived from a session without computing. Immutable.
struct Analysis {
    Session session;
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const TensorIdentities> identities;  ///< of the graph's tensors
    std::shared_ptr<const Machine> machine;              ///< the session's machine, with the graph's buffers
    std::shared_ptr<const Schedule> schedule;
    std::shared_ptr<const AllocationPlan> plan;
    std::shared_ptr<const ModelGraph> model_graph;  ///< null for a graph file
    std::shared_ptr<const ModelLayout> layout;  ///< placement of weights and caches; null for a graph file
    std::vector<Message> notes;                 ///< what was decided automatically, such as flash attention
};

/// Opens a model, graph, scheduler log, recording or DOT dump, detected by content. `number` selects a graph
/// of a file with several (from 0; default: the last decode graph). "-" reads standard input. Throws Error
/// with file, place and remedy.
std::shared_ptr<const OpenedFile> open_file(const std::filesystem::path& path, const JobContext& job = {},
                                            std::optional<std::size_t> number = std::nullopt);

/// The default machine file of a graph file: machine.json beside graph.json, NAME.machine.json beside
/// NAME.graph.json; empty for other names.
std::optional<std::filesystem::path> machine_path_beside(const std::filesystem::path& graph_file);

/// Throws Error(usage) if writing `target` would overwrite the opened file or its machine file.
void require_other_file(const std::filesystem::path& target, const OpenedFile& opened);

/// The initial session for a file: with the file's machine if it has one, else with a simulated GPU and the
/// CPU.
Session default_session(std::shared_ptr<const OpenedFile> file);

/// "Simulated GPU + CPU", the machine of files without one.
Machine default_machine();

/// Builds the graph, schedules it and plans its memory. Scheduling errors are returned in
/// Analysis::schedule->error, with the decisions so far.
std::shared_ptr<const Analysis> analyse(const Session& session, const JobContext& job = {});

}  // namespace splitscope
