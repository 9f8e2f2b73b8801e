// SPDX-License-Identifier: MIT
#include "engine/session/live_model.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "backends/interface/tensor_access.hpp"
#include "engine/execution/debugger.hpp"
#include "engine/execution/messages.hpp"
#include "engine/execution/require_supported.hpp"
#include "engine/models/chat_template.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/support/error.hpp"
#include "engine/support/mapping_guard.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Number of cells is a multiple of this (placement.md §6).
constexpr std::uint32_t kAttendedCellMultiple = 256;
/// Kernels with wide registers are up to twice as slow on rows that begin within a cache line.
constexpr std::uint64_t kCacheLine = 64;

std::uint32_t cells_for(std::uint32_t used, std::uint32_t most) {
    return std::min((used + kAttendedCellMultiple - 1) / kAttendedCellMultiple * kAttendedCellMultiple, most);
}

std::uint32_t cells_of_run(const Session& session, std::uint64_t positions) {
    const std::uint32_t all = context_cells(session);
    const std::uint64_t used = (std::max<std::uint64_t>(positions, 1) - 1) / kAttendedCellMultiple + 1;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(all, used * kAttendedCellMultiple));
}

/// The analysed layout with the cells that the run needs, and window caches for its batches.
std::shared_ptr<const ModelLayout> layout_of_run(const Session& session, const Hardware& hardware,
                                                 std::uint32_t cells, const JobContext& job) {
    PlacementFlags flags = placement_flags(session);
    flags.context = cells;
    if (session.file->model->needs_whole_prompt()) {
        flags.micro_batch = cells;
        flags.batch = std::max(flags.batch, cells);
    }
    flags.sequences = 1;
    // Weights are read in place from the file.
    flags.repack = false;
    // The older form has fixed positions in the graph and cannot reuse cells cyclically.
    flags.full_window_cache = session.generation != Generation::g2026_08;
    const Model& model = *session.file->model;
    auto layout = std::make_shared<ModelLayout>(
        *decide_layout(model.file(), &model, hardware, flags, session.generation, job).layout);
    for (MachineBufferType& type : layout->machine.buffer_types)
        if (type.is_host) type.alignment = std::max(type.alignment, kCacheLine);
    return layout;
}

std::string chat_text(const Model& model, const RunOptions& options, const JobContext& job) {
    std::vector<ChatMessage> messages;
    if (!options.system_prompt.empty()) messages.push_back({"system", options.system_prompt});
    messages.push_back({"user", options.prompt});
    return chat_prompt(model.file(), messages, std::chrono::system_clock::now(), job);
}

/// Templates and tokenizers both add the token that begins a text: once suffices.
std::vector<std::int32_t> chat_tokens(const Tokenizer& tokenizer, std::string_view text) {
    const std::vector<std::int32_t> written = tokenizer.encode(text, {false, true});
    std::vector<std::int32_t> tokens = tokenizer.encode(text, {true, true});
    const bool twice = tokens.size() > written.size() && tokens.size() > 1 && tokens[0] == tokens[1] &&
                       !written.empty() && written.front() == tokens[0];
    if (twice) tokens.erase(tokens.begin());
    return tokens;
}

}  // namespace

LiveModel::LiveModel(const Session& session, const RunOptions& options, std::uint64_t positions,
                     const RunObserver& observer, const JobContext& job)
    : session_(session),
      model_(*session.file->model),
      hardware_(hardware_of(session)),
      context_(cells_of_run(session, positions)),
      layout_(layout_of_run(session, hardware_, context_, job)),
      job_(job),
      on_node_(observer.on_node),
      on_graph_(observer.on_graph),
      debugger_(observer.debugger),
      time_nodes_(debugger_ ? debugger_->times_nodes() : options.time_nodes),
      fuse_(options.fuse),
      backends_(session.machine, session.kinds,
                {options.threads, [this] { return job_.stop_requested() || end_early_.stop_requested(); },
                 options.kind_options, observer.on_message}),
      executor_(backends_.all(), layout_->machine.parallel ? 4 : 1) {}

void LiveModel::Prepared::clear() {
    plans.reset();
    bound.reset();
    input_memory.reset();
    analysis.reset();
}

bool LiveModel::reuses_graphs() const {
    // The older form has the cache position in the graph, so each step needs a new graph.
    return worst_case_decode(*layout_, session_.generation).form == GraphForm::g2026_08;
}

bool LiveModel::load(std::size_t prompt, bool generates) {
    // An encoder's graph is followed by others.
    if (model_.decoder_start()) return false;
    const std::size_t first = std::min<std::size_t>(prompt, batch());
    build(static_cast<std::uint32_t>(first), 0);
    prepare_run();
    if (first < prompt) return false;
    if (!generates || prompt >= context_) return true;
    // A graph of one token would replace that of a prompt of one.
    if (!reuses_graphs() || first == 1) return false;
    build(1, static_cast<std::uint32_t>(prompt));
    prepare_run();
    return true;
}

void LiveModel::prepare_run() {
    // The older form's graph is built again for the first batch.
    if (on_node_ || time_nodes_ || !reuses_graphs()) return;
    if (debugger_ && observation() == Observation::always) return;
    const WantedTensor read{analysis()->model_graph->logits, {}};
    ExecutorOptions options;
    options.plans = &*current_->plans;
    options.fuse = fuse_;
    options.wanted = {&read, 1};
    executor_.prepare(current_->bound->schedule(), current_->bound->graph(), options, job_);
}

const BoundGraph& LiveModel::prepare(std::span<const std::int32_t> tokens, std::uint32_t position) {
    build(static_cast<std::uint32_t>(tokens.size()), position);
    const BoundGraph& graph = current_->bound->graph();
    tokens_.resize(position);
    const BatchPosition batch{{tokens.begin(), tokens.end()}, position, encoded_, tokens_};
    tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
    const ModelGraph& model_graph = *current_->analysis->model_graph;
    for (const InputBinding& input : model_graph.inputs) {
        const auto bytes = input_bytes(model_graph, input, batch);
        tensor_set({graph, input.tensor}, bytes);
    }
    return graph;
}

std::optional<std::span<const float>> LiveModel::compute(std::span<const std::int32_t> tokens,
                                                         std::uint32_t position) {
    const std::optional<std::int32_t> start = model_.decoder_start();
    if (!start) return compute_graph(tokens, position);
    // The decoder's text begins with a token of its own.
    if (position > 0) return compute_graph(tokens, position - prompt_ + 1);
    encodes_ = true;
    const auto rows = compute_graph(tokens, 0);
    encodes_ = false;
    if (!rows) return std::nullopt;
    encoded_.assign(rows->begin(), rows->end());
    prompt_ = static_cast<std::uint32_t>(tokens.size());
    return compute_graph({&*start, 1}, 0);
}

std::optional<std::span<const float>> LiveModel::compute_graph(std::span<const std::int32_t> tokens,
                                                               std::uint32_t position) {
    const BoundGraph* graph = nullptr;
    Execution execution;
    do {
        graph = &prepare(tokens, position);
        const TensorId wanted = analysis()->model_graph->logits;
        logits_.resize(static_cast<std::size_t>(element_count((*graph)[wanted])));
        const WantedTensor read{wanted, std::as_writable_bytes(std::span(logits_))};
        ExecutorOptions options{{}, true, time_nodes_, &*current_->plans, false, fuse_};
        options.wanted = {&read, 1};
        if (!debugger_) {
            options.callback = node_callback(*graph);
            execution = executor_.run(current_->bound->schedule(), *graph, options, job_);
            break;
        }
        end_early_ = std::stop_source();
        const std::stop_callback forward(job_.stop_token(), [this] { end_early_.request_stop(); });
        const Debugger::Attachment attachment(*debugger_, analysis()->schedule, *graph, job_, end_early_,
                                              observation());
        options.callback = attachment.callback();
        execution =
            executor_.run(current_->bound->schedule(), *graph, options, JobContext(end_early_.get_token()));
    } while (debugger_->take_rerun() && !job_.stop_requested());
    const Status status = execution.status;
    execution_ = std::make_shared<const Execution>(std::move(execution));
    if (status == Status::aborted) return std::nullopt;
    // If the mapped file was truncated, results computed from its weights are invalid.
    model_.file().require_readable();
    if (status != Status::success) fail(status);
    return last_logits(logits_);
}

Observation LiveModel::observation() const {
    const std::vector<Split>& splits = analysis()->schedule->splits;
    const auto is_fast = [&](const Split& split) {
        return backends_.all()[split.backend.index()]->prefers_whole_splits();
    };
    // Other engines may not stop early.
    const auto stops = [&](const Split& split) {
        return is_fast(split) || analysis()->machine->backends[split.backend.index()].kind.empty();
    };
    return std::ranges::any_of(splits, is_fast) && std::ranges::all_of(splits, stops) ? Observation::if_needed
                                                                                      : Observation::always;
}

/// A backend failed: the last computed node is the place.
void LiveModel::fail(Status status) const {
    const auto error = [&] {
        return Error(ErrorKind::state, msg::kComputationEnded(name_of(status)), model_.name(),
                     msg::kTryFewerLayers);
    };
    const auto& events = execution_->events;
    if (events.empty() || events.back().kind != ExecutionEventKind::compute) throw error();
    throw ComputeError(error(),
                       place_of(*analysis()->schedule, events.back(), nodes_in_order(*analysis()->schedule)));
}

/// The graph for this batch size and position; reused while it is valid.
void LiveModel::build(std::uint32_t tokens, std::uint32_t position) {
    const std::uint32_t used = position + tokens;
    const std::uint32_t cells = cells_for(used, context_);
    ModelGraphOptions options = worst_case_prompt(*layout_, session_.generation, tokens);
    // Only the first batch's graph clears recurrent states.
    options.starts_sequence = position == 0;
    options.reserves = false;
    options.first_cell = position;
    Prepared& graph = prepared_[tokens == 1 ? 1 : 0];
    if (reuses_graphs() && graph.bound && tokens == graph.tokens && cells == graph.cells &&
        options.starts_sequence == graph.starts && encodes_ == graph.encodes &&
        model_.same_graph(options, graph.analysis->model_graph->options)) {
        current_ = &graph;
        return;
    }

    auto analysis = std::make_shared<Analysis>();
    analysis->session = session_;
    options.encodes = encodes_;
    options.encoded = prompt_;
    options.outputs = encodes_ ? tokens : 1;
    options.embeddings = false;
    options.cells = cells;
    if (options.window_context > 0) options.window_cells = cells_for(used, options.window_context);
    // Manual assignments refer to the displayed graph; keep them only for that graph.
    PlacedGraph placed = place_graph(model_, hardware_, *layout_, options, session_.generation,
                                     session_.machine.assignments, job_);
    analysis->graph = placed.graph();
    analysis->identities = std::make_shared<const TensorIdentities>(analysis->graph, job_);
    analysis->machine = std::move(placed.machine);
    analysis->model_graph = std::move(placed.model_graph);
    analysis->layout = layout_;
    analysis->schedule = std::move(placed.simulation.schedule);
    analysis->plan = std::move(placed.simulation.plan);
    if (analysis->schedule->error) {
        throw Error(analysis->schedule->error->kind, analysis->schedule->error->message, model_.name(),
                    msg::kChangeMachineOrAssignments);
    }
    if (analysis->plan->error) {
        throw Error(ErrorKind::memory, *analysis->plan->error, model_.name(), msg::kChangeMachineOrContext);
    }

    require_supported(*analysis->schedule, backends_.all());

    graph.clear();
    // The other graph is in the buffers that would be replaced.
    if (!compute_buffers_.hold(*analysis->plan)) std::ranges::for_each(prepared_, &Prepared::clear);
    current_ = &graph;
    std::optional<LiveMemory>& memory = memory_[encodes_ ? 1 : 0];
    if (!memory) memory.emplace(model_, *analysis->model_graph, *analysis->machine, backends_.all(), job_);
    compute_buffers_.ensure(*analysis->plan, *analysis->schedule, backends_.all());
    graph.input_memory.emplace(*analysis->graph, *backends_.all().back());
    graph.bound.emplace(analysis->schedule, *analysis->plan, compute_buffers_, [&](TensorId id) {
        const TensorPlace* input = graph.input_memory->find(id);
        return input != nullptr ? *input : memory->place_of(*analysis->graph, id);
    });
    graph.plans.emplace();
    graph.analysis = std::move(analysis);
    graph.tokens = tokens;
    graph.cells = cells;
    graph.starts = options.starts_sequence;
    graph.encodes = encodes_;
    if (on_graph_) on_graph_(graph.analysis);
}

std::span<const float> LiveModel::last_logits(std::span<const float> rows) const {
    const Tensor& t = (*analysis()->graph)[analysis()->model_graph->logits];
    const auto row = static_cast<std::size_t>(t.ne[0]);
    const std::size_t wanted = model_.gives_embeddings() || current_->encodes ? rows.size() : row;
    // Without a cache all rows are asked for, and the last one predicts the next token. Other graphs that
    // return all rows are read from the beginning, as llama.cpp does.
    const std::size_t first = analysis()->model_graph->caches.empty() ? rows.size() - wanted : 0;
    return rows.subspan(first, wanted);
}

std::vector<float> LiveModel::logits() const {
    const BoundTensor bound{current_->bound->graph(), analysis()->model_graph->logits};
    std::vector<float> rows(static_cast<std::size_t>(element_count(bound.graph[bound.id])));
    tensor_get(bound, std::as_writable_bytes(std::span(rows)));
    const std::span<const float> last = last_logits(rows);
    return {last.begin(), last.end()};
}

EvalCallback LiveModel::node_callback(const BoundGraph& graph) const {
    if (!on_node_) return {};
    return [this, &graph](TensorId node, bool ask) {
        const Tensor& t = graph[node];
        if (ask) return t.op != Op::none && !is_view_op(t.op) && element_count(t) > 0;
        std::vector<std::byte> bytes(byte_size(t));
        tensor_get({graph, node}, bytes);
        on_node_(*analysis(), node, std::move(bytes));
        return true;
    };
}

RunPrompt prompt_of(const Model& model, const RunOptions& options, const JobContext& job) {
    if (!options.prompt_tokens.empty()) {
        const auto vocabulary = static_cast<std::int64_t>(model.shape().vocabulary);
        for (const std::int32_t token : options.prompt_tokens) {
            if (token < 0 || token >= vocabulary) {
                throw Error(ErrorKind::range, msg::kNoSuchToken(token, vocabulary), msg::kPlacePrompt,
                            msg::kUseTokensOfModel);
            }
        }
        return {{}, options.prompt_tokens};
    }
    if (model.tokenizer() == nullptr) {
        throw Error(ErrorKind::unsupported, model.why_no_tokenizer(), model.file().path(),
                    msg::kGiveTokenIds);
    }
    RunPrompt prompt{options.prompt, {}};
    if (options.chat) {
        prompt.text = chat_text(model, options, job);
        prompt.tokens = chat_tokens(*model.tokenizer(), prompt.text);
    } else {
        prompt.tokens = model.tokenizer()->encode(prompt.text);
    }
    if (prompt.tokens.empty()) {
        throw Error(ErrorKind::usage, msg::kEmptyPrompt, msg::kPlacePrompt, msg::kWriteWord);
    }
    return prompt;
}

}  // namespace splitscope
