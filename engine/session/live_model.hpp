// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/execution/bound_schedule.hpp"
#include "engine/execution/executor.hpp"
#include "engine/session/live_backends.hpp"
#include "engine/session/live_memory.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/placed_graph.hpp"

namespace splitscope {

enum class Observation : std::uint8_t;

/// A running model: backends, persistent memory, and the current graph.
class LiveModel {
 public:
    /// `session` has a model and must outlive the object. `positions`: maximum number of tokens; the rest of
    /// the session's context is not allocated.
    LiveModel(const Session& session, const RunOptions& options, std::uint64_t positions,
              const RunObserver& observer, const JobContext& job);

    /// Loads the weights and prepares the graphs of the first batch of a prompt and, if tokens are generated
    /// after it, of the first of them. Otherwise that happens when they are computed. Returns whether these
    /// are all graphs of the run, apart from cache sizes. Errors as prepare(), and those of backends that
    /// prepare kernels.
    bool load(std::size_t prompt, bool generates);
    /// Prepares the graph for these tokens at this position, with inputs set. Valid until the next call.
    /// Errors: memory, and those of scheduling.
    const BoundGraph& prepare(std::span<const std::int32_t> tokens, std::uint32_t position);
    /// Computes tokens at this position. Returns the logits of the last one, or for embedding models the
    /// embeddings of all, row by row, valid until the next call; see last_execution() for the record. Empty
    /// if the run was stopped. Models with an encoder get their whole prompt at once, at position 0.
    std::optional<std::span<const float>> compute(std::span<const std::int32_t> tokens,
                                                  std::uint32_t position);

    /// The logits of the last prepared token, after its graph was computed elsewhere.
    std::vector<float> logits() const;

    const std::shared_ptr<const Analysis>& analysis() const { return current_->analysis; }
    const std::shared_ptr<const Execution>& last_execution() const { return execution_; }
    /// Most tokens of a prompt per graph: the session's micro-batch, or all for models that need whole
    /// prompts.
    std::uint32_t batch() const { return prompt_tokens_at_once(*layout_); }
    /// Number of tokens for which memory is allocated.
    std::uint32_t context() const { return context_; }
    const Message& note() const { return backends_.note(); }
    const std::vector<BackendId>& stand_ins() const { return backends_.stand_ins(); }
    std::span<Backend* const> backends() const { return backends_.all(); }

 private:
    /// A graph in memory, and what it was built for.
    struct Prepared {
        std::shared_ptr<const Analysis> analysis;
        std::optional<InputMemory> input_memory;
        std::optional<BoundSchedule> bound;
        std::optional<SplitPlans> plans;  ///< of bound
        std::uint32_t tokens = 0;
        std::uint32_t cells = 0;
        bool starts = false;
        bool encodes = false;

        void clear();
    };

    bool reuses_graphs() const;
    void build(std::uint32_t tokens, std::uint32_t position);
    /// Does the setup of the current graph's first run ahead of time.
    void prepare_run();
    std::optional<std::span<const float>> compute_graph(std::span<const std::int32_t> tokens,
                                                        std::uint32_t position);
    /// Of computations of the current graph with a debugger.
    Observation observation() const;
    [[noreturn]] void fail(Status status) const;
    /// The last row, or all for embedding models.
    std::span<const float> last_logits(std::span<const float> rows) const;
    /// Calls the observer for every computed node; empty without an observer.
    EvalCallback node_callback(const BoundGraph& graph) const;

    const Session& session_;
    const Model& model_;
    Hardware hardware_;
    std::uint32_t context_;
    std::shared_ptr<const ModelLayout> layout_;
    JobContext job_;
    std::function<void(const Analysis&, TensorId, std::vector<std::byte>)> on_node_;
    std::function<void(const std::shared_ptr<const Analysis>&)> on_graph_;
    std::shared_ptr<Debugger> debugger_;
    bool time_nodes_;
    bool fuse_;
    std::stop_source end_early_;  ///< stops the current computation, so that it can be repeated
    LiveBackends backends_;
    Executor executor_;
    /// Of the decoder's graphs and of the encoder's.
    std::array<std::optional<LiveMemory>, 2> memory_;
    ComputeBuffers compute_buffers_;
    /// Of several tokens and of one, both in the same memory, so that generating does not rebuild its graph.
    std::array<Prepared, 2> prepared_;
    Prepared* current_ = prepared_.data();
    std::shared_ptr<const Execution> execution_;
    std::vector<float> logits_;         ///< all rows
    bool encodes_ = false;              ///< builds the encoder's graph
    std::vector<float> encoded_;        ///< output of the encoder for the prompt
    std::vector<std::int32_t> tokens_;  ///< of the sequence so far
    std::uint32_t prompt_ = 0;          ///< number of tokens that it read
};

/// The beginning of a run.
struct RunPrompt {
    std::string text;  ///< empty when tokens were given
    std::vector<std::int32_t> tokens;
};
/// The given tokens, or those of the text, formatted with the file's chat template if requested. Errors:
/// range, usage, and those of chat_prompt().
RunPrompt prompt_of(const Model& model, const RunOptions& options, const JobContext& job);

}  // namespace splitscope
