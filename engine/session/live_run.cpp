// SPDX-License-Identifier: MIT
#include "engine/session/live_run.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "engine/execution/debugger.hpp"
#include "engine/execution/messages.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/models/placement/cache_types.hpp"
#include "engine/session/live_model.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

/// Computes the prompt in micro-batches. Returns the last token's logits, or empty if stopped.
std::optional<std::span<const float>> feed_prompt(LiveModel& live, const std::vector<std::int32_t>& tokens,
                                                  std::size_t batch) {
    std::optional<std::span<const float>> logits;
    for (std::size_t at = 0; at < tokens.size(); at += batch) {
        const std::size_t count = std::min(batch, tokens.size() - at);
        logits = live.compute({tokens.data() + at, count}, static_cast<std::uint32_t>(at));
        if (!logits) return std::nullopt;
    }
    return logits;
}

/// Without a branch, so that the compiler uses vectors: each token has a logit per word of the vocabulary.
bool has_nan(std::span<const float> values) {
    unsigned found = 0;
    for (const float value : values) found |= static_cast<unsigned>(std::isnan(value));
    return found != 0;
}

/// The token's text, or its id in brackets if the model has no tokenizer.
std::string text_of(const Model& model, std::int32_t token) {
    const Tokenizer* tokenizer = model.tokenizer();
    return tokenizer != nullptr ? tokenizer->piece(token) : fmt::format("[{}]", token);
}

bool ends_generation(const Model& model, std::int32_t token) {
    return model.tokenizer() != nullptr && model.tokenizer()->is_end(token);
}

/// Whether the logits of a batch are those of its first token (LiveModel::last_logits()).
bool reads_first_row(const ModelGraph& graph) {
    return !graph.caches.empty() && graph.graph[graph.logits].ne[1] > graph.options.outputs;
}

RunResult generate(const Session& session, const RunOptions& options, const RunObserver& observer,
                   const JobContext& job) {
    if (const auto reason = why_not_runnable(session)) {
        throw Error(ErrorKind::unsupported, *reason,
                    session.file ? ErrorPlace(session.file->path) : ErrorPlace(msg::kPlaceRun),
                    how_to_run(*reason));
    }
    validate(session.machine);
    using Clock = std::chrono::steady_clock;
    const Model& model = *session.file->model;
    RunResult result;
    RunPrompt prompt = prompt_of(model, options, job);
    result.prompt = std::move(prompt.text);
    result.prompt_tokens = std::move(prompt.tokens);
    LiveModel live(session, options, std::uint64_t{result.prompt_tokens.size()} + options.tokens, observer,
                   job);
    if (!live.note().empty()) result.notes.push_back(live.note());
    result.stand_ins = live.stand_ins();
    if (observer.on_stand_ins) observer.on_stand_ins(result.stand_ins);
    if (result.prompt_tokens.size() > live.context()) {
        throw Error(ErrorKind::limit, msg::kPromptTooLong(result.prompt_tokens.size(), live.context()),
                    msg::kPlacePrompt, msg::kShortenPrompt);
    }

    const auto all_graphs = [&] {
        if (observer.on_all_graphs) observer.on_all_graphs();
    };
    if (live.load(result.prompt_tokens.size(), options.tokens > 1)) all_graphs();
    const auto paused_time = [&] {
        return observer.debugger ? observer.debugger->paused_time() : std::chrono::nanoseconds{};
    };
    auto begin = Clock::now();
    auto paused_before = paused_time();
    const auto since_begin = [&] { return Clock::now() - begin - (paused_time() - paused_before); };
    auto logits = feed_prompt(live, result.prompt_tokens, live.batch());
    result.prefill_time = since_begin();
    result.prefill = live.analysis();
    result.prefill_execution = live.last_execution();
    result.prefill_tokens = result.prefill->model_graph->options.tokens;
    result.cancelled = !logits.has_value();
    if (model.gives_embeddings()) {
        const ModelGraph& built = *result.prefill->model_graph;
        const auto width = static_cast<std::size_t>(built.graph[built.logits].ne[0]);
        for (std::size_t at = 0; logits && at + width <= logits->size(); at += width)
            result.embeddings.emplace_back(logits->data() + at, logits->data() + at + width);
        if (!result.cancelled) all_graphs();
        return result;
    }

    if (reads_first_row(*result.prefill->model_graph)) result.notes.emplace_back(msg::kReadsFirstRow());
    Sampler sampler(options.sampling);
    auto position = static_cast<std::uint32_t>(result.prompt_tokens.size());
    begin = Clock::now();
    paused_before = paused_time();
    ExecutionSums sums;
    while (logits && result.tokens.size() < options.tokens) {
        const std::size_t index = result.tokens.size();
        if (has_nan(*logits)) {
            result.failed = true;
            result.ended_early = msg::kLogitsNotNumbers(index);
            break;
        }
        const bool forced = index < options.forced_tokens.size();
        const std::int32_t token = forced ? options.forced_tokens[index] : sampler.sample(*logits);
        if (!forced && options.stop_at_end && ends_generation(model, token)) break;
        result.tokens.push_back(token);
        RunStep step{token, text_of(model, token), {}, live.last_execution()};
        result.text += step.piece;
        if (observer.want_logits) {
            step.logits.assign(logits->begin(), logits->end());
            result.logits.push_back(step.logits);
        }
        if (observer.on_token) observer.on_token(step);
        const bool more = result.tokens.size() < options.tokens && position < live.context();
        if (more) {
            try {
                logits = live.compute({&token, 1}, position++);
            } catch (const Cancelled&) {
                // Stopped between graphs: return the partial result.
                result.cancelled = true;
                break;
            }
            result.cancelled = !logits.has_value();
            result.decode = live.analysis();
            result.decode_execution = live.last_execution();
            if (logits) {
                if (++result.decoded_tokens == 1) all_graphs();
                sums.add(result.decode->schedule, *result.decode_execution);
            }
        }
        if (!more) {
            if (result.tokens.size() < options.tokens) result.ended_early = msg::kContextFull(live.context());
            break;
        }
    }
    result.decode_time = since_begin();
    if (!result.cancelled && !result.failed) all_graphs();
    // An interrupted token may have replaced the schedule.
    if (result.decode && sums.schedule() == result.decode->schedule) result.tokens_execution = sums.mean();
    return result;
}

}  // namespace

std::optional<Message> why_not_runnable(const Session& session) {
    if (!session.file) return msg::kNothingOpen;
    if (!session.file->model) return msg::kNoWeights;
    if (auto reason = session.file->model->why_not_runnable()) return reason;
    if (auto reason = why_impossible(session.file->model->file(), placement_flags(session)))
        return msg::kNoSuchCaches(*reason);
    return std::nullopt;
}

Message how_to_run(const Message& reason) {
    return reason.text() == &msg::kNoSuchCaches ? msg::kChooseOtherCaches : msg::kOpenCompleteModel;
}

std::vector<std::int32_t> spread_tokens(const Model& model, std::int32_t count) {
    const std::int64_t vocabulary = model.shape().vocabulary;
    std::vector<std::int32_t> tokens;
    for (std::int32_t i = 0; i < count; ++i)
        tokens.push_back(static_cast<std::int32_t>(vocabulary * i / count));
    return tokens;
}

RunResult run_model(const Session& session, const RunOptions& options, const RunObserver& observer,
                    const JobContext& job) {
    RunResult result = generate(session, options, observer, job);
    if (!observer.debugger) return result;
    for (const Breakpoint& breakpoint : observer.debugger->breakpoints())
        if (breakpoint.enabled && breakpoint.hits == 0) result.unmet_breakpoints.push_back(breakpoint.id);
    return result;
}

}  // namespace splitscope
