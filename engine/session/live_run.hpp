// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/execution/execution.hpp"
#include "engine/execution/execution_sums.hpp"
#include "engine/messages/message.hpp"
#include "engine/models/sampling.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

class Debugger;

struct RunOptions {
    std::string prompt;
    /// Formats the prompt with the file's chat template, as a user message after `system_prompt` if that is
    /// not empty.
    bool chat = false;
    std::string system_prompt;
    std::vector<std::int32_t> prompt_tokens;  ///< used instead of the text if not empty
    /// The first tokens to generate, used instead of sampled ones: repeats a recorded run.
    std::vector<std::int32_t> forced_tokens;
    std::uint32_t tokens = 32;  ///< maximum number of tokens to generate
    SamplingOptions sampling;
    std::uint32_t threads = 0;  ///< 0 = the number of cores
    bool stop_at_end = true;    ///< stop at an end-of-generation token
    bool time_nodes = false;    ///< records have one event per node
    /// Devices may compute several nodes with one kernel. Never with timed nodes, RunObserver::on_node or
    /// where a debugger may stop.
    bool fuse = true;
    KindOptions kind_options{};  ///< settings of the session's kinds of backend
};

/// One decode step, reported as it happens.
struct RunStep {
    std::int32_t token = 0;
    /// Bytes of the token's text; may be part of a UTF-8 sequence. "[7]" for token 7 without a tokenizer.
    std::string piece;
    std::vector<float> logits;  ///< from which the token was sampled; only if requested
    std::shared_ptr<const Execution> execution;
};

struct RunResult {
    std::string prompt;  ///< the text that was tokenized; empty when tokens were given
    std::vector<std::int32_t> prompt_tokens;
    std::vector<std::int32_t> tokens;
    std::string text;
    bool cancelled = false;
    /// Enabled breakpoints of RunObserver::debugger that never stopped it, by id.
    std::vector<int> unmet_breakpoints;
    std::vector<Message> notes;  ///< where the run is not what one would expect
    /// Devices of the session's machine, other than CPUs, for which the CPU computed: times are the CPU's.
    std::vector<BackendId> stand_ins;
    Message ended_early;                      ///< why fewer tokens were generated than requested; else empty
    bool failed = false;                      ///< the logits were not finite
    std::shared_ptr<const Analysis> prefill;  ///< the schedule the prompt's last micro-batch ran on
    std::shared_ptr<const Analysis> decode;   ///< the schedule the last token ran on
    std::shared_ptr<const Execution> prefill_execution;  ///< of that micro-batch
    std::size_t prefill_tokens = 0;                      ///< in it; of a decoder after an encoder, 1
    std::shared_ptr<const Execution> decode_execution;   ///< of the last token
    /// Mean over all tokens after the first that ran on `decode`; null if there was none.
    std::shared_ptr<const MeanExecution> tokens_execution;
    /// Without time spent paused.
    std::chrono::nanoseconds prefill_time{};
    std::chrono::nanoseconds decode_time{};
    /// Tokens computed in `decode_time`: the prompt gives the logits of the first of `tokens`.
    std::size_t decoded_tokens = 0;
    /// Logits of each token, if RunObserver::want_logits is set.
    std::vector<std::vector<float>> logits;
    /// One row per prompt token, for embedding models.
    std::vector<std::vector<float>> embeddings;
};

struct RunObserver {
    std::function<void(const RunStep&)> on_token;
    bool want_logits = false;
    /// Called after each computed node with its bytes and its analysis; not for views. Slow, because nodes
    /// are computed one by one.
    std::function<void(const Analysis&, TensorId, std::vector<std::byte>)> on_node;
    /// Called before the first graph with RunResult::stand_ins.
    std::function<void(const std::vector<BackendId>&)> on_stand_ins{};
    /// Called with each new graph before it is computed.
    std::function<void(const std::shared_ptr<const Analysis>&)> on_graph{};
    /// Called when all further graphs have the nodes of earlier ones: before the prompt is computed if that
    /// is known then, else after the first decoded token or at the end. May be called more than once.
    std::function<void()> on_all_graphs{};
    /// Messages of backends during the run.
    std::function<void(const BackendMessage&)> on_message{};
    /// Pauses, steps and inspects the run; on_node is then not called.
    std::shared_ptr<Debugger> debugger;
};

/// Why the session cannot be run; empty if it can.
std::optional<Message> why_not_runnable(const Session& session);
/// What to do about a reason of why_not_runnable().
Message how_to_run(const Message& reason);

/// Token ids spread over the vocabulary, always the same ones: for runs in which only their number matters.
std::vector<std::int32_t> spread_tokens(const Model& model, std::int32_t count);

/// Generates text by executing the session's schedule. The CPU, with separate memory, computes for simulated
/// backends, so that all splits and copies happen. A cancelled run returns its partial result with
/// `cancelled` set.
RunResult run_model(const Session& session, const RunOptions& options, const RunObserver& observer = {},
                    const JobContext& job = {});

}  // namespace splitscope
