// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "recorder/agent.hpp"
#include "recorder/derived_splits.hpp"
#include "recorder/graph_snapshot.hpp"
#include "recorder/memory_numbers.hpp"
#include "recorder/real_functions.hpp"
#include "recorder/text_sink.hpp"

namespace splitscope::recorder {

/// The purpose of scheduling a graph.
enum class Purpose : std::uint8_t { split, reserve, decode };

/// Records the input and the decisions of a program's schedulers. Only reads; after an unexpected error it
/// writes a note and stops. Thread-safe.
class Recorder {
 public:
    /// The single instance; null unless the environment requests a recording or a debugger.
    static Recorder* active();

    explicit Recorder(std::unique_ptr<TextSink> sink) : sink_(std::move(sink)) {}
    /// Reports every graph to the agent, which outlives it, and leaves the recording of computations to it.
    explicit Recorder(Agent& agent);

    void scheduler_made(Scheduler scheduler, const Backend* backends, const BufferType* buffer_types,
                        int count, bool parallel, bool op_offload);

    /// Called around scheduling calls. Calls nest; the outermost determines the purpose.
    void begin(Scheduler scheduler, ComputeGraph graph, Purpose purpose);
    /// Call when the scheduler has decided, so that assignments can be read. `scheduled` is the graph for the
    /// allocator, or null if unknown.
    void decided(ComputeGraph scheduled);
    /// Sizes of compute buffers, per backend, that the scheduling call reported without allocating them.
    void measured(const std::size_t* sizes);
    void end();

    void support_answered(Backend backend, TensorPtr node, bool answer);
    void offload_answered(Backend backend, TensorPtr node, bool answer);
    void computed(ComputeGraph split, std::chrono::nanoseconds took);

 private:
    struct SchedulerFacts {
        int id = 0;
        std::vector<Backend> backends;
        std::vector<BufferType> buffer_types;
    };
    /// A graph that this thread is scheduling.
    struct Pending {
        int depth = 0;
        bool ignored = false;
        Scheduler scheduler = nullptr;
        const SchedulerFacts* facts = nullptr;
        Purpose purpose = Purpose::split;
        int known = -1;  ///< number of the equivalent recorded graph; -1 = none
        std::uint64_t fingerprint = 0;
        GraphSnapshot before;
        std::vector<std::string> supports;  ///< per backend: '0' or '1' per node
        std::vector<std::string> offloads;
        std::vector<std::pair<int, int>> assigned;  ///< tensor, backend
        bool read = false;
        std::vector<int> backend;  ///< per tensor
        std::vector<RewiredSource> rewired;
        std::vector<RecordedSplit> splits;
        bool has_splits = false;
        std::vector<std::size_t> sizes;  ///< of compute buffers, per backend; empty = not measured

        /// Whether answers of backends belong to a new graph.
        bool is_asking() const { return depth > 0 && !ignored && known < 0 && !read; }
    };
    struct Computed {
        int graph = 0;
        int split = 0;
    };

    /// Of this thread; null during thread exit.
    static Pending* pending();
    static void note_answer(std::vector<std::string> Pending::*answers, Backend backend, TensorPtr node,
                            bool answer);

    bool ready();
    bool choose_layout(TensorPtr tensor);
    void stop(const std::string& why);
    void ask_before(Pending& p);
    void read_decisions(Pending& p);
    int number_for(const Pending& p);
    void write_graph(Pending& p);
    /// Adds the types of the tensors' buffers to `types`.
    void write_tensors(const Pending& p, std::vector<BufferType>& types, std::string& lines,
                       std::string& text);
    void write_support(const Pending& p, const std::vector<BufferType>& types, std::string& lines,
                       std::string& text);
    static void write_decisions(const Pending& p, std::string& lines);
    void write_compute_sizes(const Pending& p, std::string& lines) const;
    void write_sizes(const Pending& p, const std::vector<BufferType>& types, std::string& lines,
                     std::string& text);
    static int index_of(const SchedulerFacts& facts, Backend backend);

    std::mutex mutex_;
    std::unique_ptr<TextSink> sink_;
    Agent* agent_ = nullptr;
    bool stopped_ = false;
    std::optional<Api> api_;
    std::optional<TensorLayout> layout_;
    std::unordered_map<Scheduler, std::unique_ptr<SchedulerFacts>> schedulers_;
    std::vector<std::unique_ptr<SchedulerFacts>> replaced_;  ///< may still be referenced by pending graphs
    MemoryNumbers memory_;
    std::map<std::pair<int, std::uint64_t>, int> known_;  ///< scheduler and fingerprint → graph
    int graph_count_ = 0;
    std::unordered_map<TensorPtr, Computed> computing_;  ///< nodes of the graphs being computed
    std::vector<int> computations_;                      ///< written, per graph
};

}  // namespace splitscope::recorder
