// SPDX-License-Identifier: MIT
#include "engine/session/live_run.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "backends/interface/tensor_access.hpp"
#include "engine/execution/bound_schedule.hpp"
#include "engine/execution/debugger.hpp"
#include "engine/execution/executor.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/session/live_backends.hpp"
#include "engine/session/live_memory.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/simulate.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Cells are read in multiples of this (placement.md §6).
constexpr std::uint32_t kCellMultiple = 256;
/// Tokens of a prompt that are computed at once.
constexpr std::uint32_t kMicroBatch = 512;

/// A model being run: backends, memory that stays, and the graph in use.
class LiveModel {
 public:
    LiveModel(const Session& session, const RunOptions& options, const RunObserver& observer,
              const JobContext& job)
        : session_(session),
          model_(*session.file->model),
          context_(context_cells(session)),
          job_(job),
          on_node_(observer.on_node),
          debugger_(observer.debugger),
          backends_(
              session.machine, options.threads, [stop = job.stop_token()] { return stop.stop_requested(); },
              options.vulkan),
          executor_(backends_.all(), session.machine.parallel ? 4 : 1) {}

    /// Computes tokens at the given position and returns the logits of the last one (or the embeddings of
    /// all, row after row, for models that give these); the run is in last_execution(). Nothing when the run
    /// was stopped.
    std::optional<std::vector<float>> compute(std::span<const std::int32_t> tokens, std::uint32_t position) {
        prepare(static_cast<std::uint32_t>(tokens.size()), position);
        const BoundGraph& graph = bound_->graph();
        const BatchPosition batch{{tokens.begin(), tokens.end()}, position};
        for (const InputBinding& input : analysis_->model_graph->inputs) {
            const auto bytes = input_bytes(*analysis_->model_graph, input, batch);
            tensor_set({graph, input.tensor}, bytes);
        }
        std::optional<Debugger::Attachment> attachment;
        if (debugger_) attachment.emplace(*debugger_, analysis_->schedule, graph, job_);
        const EvalCallback callback = attachment ? attachment->callback() : node_callback(graph);
        auto execution = executor_.run(bound_->schedule(), graph, {callback, true}, job_);
        const Status status = execution.status;
        execution_ = std::make_shared<const Execution>(std::move(execution));
        if (status == Status::aborted) return std::nullopt;
        if (status != Status::success) {
            throw Error(ErrorKind::state, fmt::format("the computation ended with '{}'", name_of(status)),
                        model_.name(), "try fewer layers on the accelerator or a smaller context");
        }
        return read_logits(graph);
    }

    const std::shared_ptr<const Analysis>& analysis() const { return analysis_; }
    const std::shared_ptr<const Execution>& last_execution() const { return execution_; }
    std::uint32_t context() const { return context_; }
    const std::string& note() const { return backends_.note(); }

 private:
    /// The graph for this many tokens at this position; kept as long as it serves.
    void prepare(std::uint32_t tokens, std::uint32_t position) {
        const std::uint32_t used = position + tokens;
        const std::uint32_t cells =
            std::min((used + kCellMultiple - 1) / kCellMultiple * kCellMultiple, context_);
        ModelGraphOptions options = graph_options(session_);
        // The older form writes the place in the cache into the graph, so each step has a graph of its own.
        const bool reusable = options.form == GraphForm::g2026_08;
        // Recurrent states are cleared by the graph of the first batch only.
        options.starts_sequence = position == 0;
        if (reusable && bound_ && tokens == tokens_ && cells == cells_ && options.starts_sequence == starts_)
            return;

        auto analysis = std::make_shared<Analysis>();
        analysis->session = session_;
        options.tokens = tokens;
        options.cells = cells;
        options.first_cell = position;
        PlacedModel placed = place_model(session_, options);
        auto model_graph = std::make_shared<const ModelGraph>(std::move(placed.graph));
        analysis->graph = std::shared_ptr<const Graph>(model_graph, &model_graph->graph);
        analysis->machine = std::make_shared<const Machine>(std::move(placed.machine));
        analysis->model_graph = model_graph;
        validate(*analysis->machine, *analysis->graph);
        Simulation simulation = simulate(analysis->graph, analysis->machine, session_.generation, job_);
        analysis->schedule = std::move(simulation.schedule);
        analysis->plan = std::move(simulation.plan);
        if (analysis->schedule->error) {
            throw Error(analysis->schedule->error->kind, analysis->schedule->error->message, model_.name(),
                        "change the machine or the assignments");
        }
        if (analysis->plan->error) {
            throw Error(ErrorKind::memory, *analysis->plan->error, model_.name(),
                        "change the machine or the context");
        }

        bound_.reset();
        if (!memory_) memory_.emplace(model_, *model_graph, *analysis->machine, backends_.all(), job_);
        compute_buffers_.ensure(*analysis->plan, backends_.all());
        input_memory_.emplace(*analysis->graph, *backends_.all().back());
        bound_.emplace(analysis->schedule, *analysis->plan, compute_buffers_, [&](TensorId id) {
            const TensorPlace* input = input_memory_->find(id);
            return input != nullptr ? *input : memory_->place_of(*analysis->graph, id);
        });
        analysis_ = std::move(analysis);
        tokens_ = tokens;
        cells_ = cells;
        starts_ = options.starts_sequence;
    }

    std::vector<float> read_logits(const BoundGraph& graph) const {
        const TensorId id = analysis_->model_graph->logits;
        const Tensor& t = graph[id];
        std::vector<std::byte> bytes(byte_size(t));
        tensor_get({graph, id}, bytes);
        std::vector<float> values(bytes.size() / sizeof(float));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }

    /// Shows every computed node while the graph runs, or nothing when nobody wants to see them.
    EvalCallback node_callback(const BoundGraph& graph) const {
        if (!on_node_) return {};
        return [this, &graph](TensorId node, bool ask) {
            const Tensor& t = graph[node];
            if (ask) return t.op != Op::none && !is_view_op(t.op) && element_count(t) > 0;
            std::vector<std::byte> bytes(byte_size(t));
            tensor_get({graph, node}, bytes);
            on_node_(*analysis_->graph, node, bytes);
            return true;
        };
    }

    const Session& session_;
    const Model& model_;
    std::uint32_t context_;
    JobContext job_;
    std::function<void(const Graph&, TensorId, std::span<const std::byte>)> on_node_;
    std::shared_ptr<Debugger> debugger_;
    LiveBackends backends_;
    Executor executor_;
    std::optional<LiveMemory> memory_;
    std::optional<InputMemory> input_memory_;
    ComputeBuffers compute_buffers_;
    std::optional<BoundSchedule> bound_;
    std::shared_ptr<const Analysis> analysis_;
    std::shared_ptr<const Execution> execution_;
    std::uint32_t tokens_ = 0;
    std::uint32_t cells_ = 0;
    bool starts_ = false;
};

std::vector<std::int32_t> prompt_tokens(const Model& model, const RunOptions& options) {
    if (!options.prompt_tokens.empty()) {
        const auto vocabulary = static_cast<std::int64_t>(model.shape().vocabulary);
        for (const std::int32_t token : options.prompt_tokens) {
            if (token < 0 || token >= vocabulary) {
                throw Error(ErrorKind::range,
                            fmt::format("token {} is not in the vocabulary of {}", token, vocabulary),
                            "prompt", "use token ids of this model");
            }
        }
        return options.prompt_tokens;
    }
    auto tokens = model.tokenizer()->encode(options.prompt);
    if (tokens.empty()) {
        throw Error(ErrorKind::usage, "the prompt has no tokens", "prompt", "write at least one word");
    }
    return tokens;
}

/// Feeds the prompt in micro-batches; the logits after its last token, or nothing when it was stopped.
std::optional<std::vector<float>> feed_prompt(LiveModel& live, const std::vector<std::int32_t>& tokens,
                                              std::size_t batch) {
    std::optional<std::vector<float>> logits;
    for (std::size_t at = 0; at < tokens.size(); at += batch) {
        const std::size_t count = std::min(batch, tokens.size() - at);
        logits = live.compute({tokens.data() + at, count}, static_cast<std::uint32_t>(at));
        if (!logits) return std::nullopt;
    }
    return logits;
}

}  // namespace

std::optional<std::string> why_not_runnable(const Session& session) {
    if (!session.file) return "Nothing is open.";
    if (!session.file->model) return "A captured graph has no weights, so there is nothing to compute.";
    return session.file->model->why_not_runnable();
}

RunResult run_model(const Session& session, const RunOptions& options, const RunObserver& observer,
                    const JobContext& job) {
    if (const auto reason = why_not_runnable(session)) {
        throw Error(ErrorKind::unsupported, *reason, session.file ? session.file->path.string() : "run",
                    "open a complete model file");
    }
    validate(session.machine);
    using Clock = std::chrono::steady_clock;
    const Model& model = *session.file->model;
    RunResult result;
    result.prompt_tokens = prompt_tokens(model, options);
    LiveModel live(session, options, observer, job);
    result.note = live.note();
    if (result.prompt_tokens.size() > live.context()) {
        throw Error(ErrorKind::limit,
                    fmt::format("the prompt has {} tokens and the context {}", result.prompt_tokens.size(),
                                live.context()),
                    "prompt", "shorten the prompt or raise the context");
    }

    auto begin = Clock::now();
    // Where all tokens see each other they have to be computed together.
    const bool embeds = model.gives_embeddings();
    auto logits = feed_prompt(live, result.prompt_tokens, embeds ? result.prompt_tokens.size() : kMicroBatch);
    result.prefill_time = Clock::now() - begin;
    result.prefill = live.analysis();
    result.prefill_execution = live.last_execution();
    result.cancelled = !logits.has_value();
    if (embeds) {
        const std::size_t width = model.shape().embedding;
        for (std::size_t at = 0; logits && at + width <= logits->size(); at += width)
            result.embeddings.emplace_back(logits->data() + at, logits->data() + at + width);
        return result;
    }

    Sampler sampler(options.sampling);
    auto position = static_cast<std::uint32_t>(result.prompt_tokens.size());
    begin = Clock::now();
    while (logits && result.tokens.size() < options.tokens) {
        const std::size_t index = result.tokens.size();
        const bool forced = index < options.forced_tokens.size();
        const std::int32_t token = forced ? options.forced_tokens[index] : sampler.sample(*logits);
        if (!forced && options.stop_at_end && model.tokenizer()->is_end(token)) break;
        result.tokens.push_back(token);
        RunStep step{token, model.tokenizer()->piece(token), {}, live.last_execution()};
        result.text += step.piece;
        if (observer.want_logits) {
            result.logits.push_back(*logits);
            step.logits = std::move(*logits);
        }
        const bool more = result.tokens.size() < options.tokens && position < live.context();
        if (more) {
            logits = live.compute({&token, 1}, position++);
            result.cancelled = !logits.has_value();
            result.decode = live.analysis();
            result.decode_execution = live.last_execution();
        }
        if (observer.on_token) observer.on_token(step);
        if (!more) break;
    }
    result.decode_time = Clock::now() - begin;
    return result;
}

}  // namespace splitscope
