// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
    std::vector<std::int32_t> prompt_tokens;  ///< fed as they are when not empty, instead of the text
    /// The first tokens of the answer, fed instead of chosen: for comparing with a recorded run.
    std::vector<std::int32_t> forced_tokens;
    std::uint32_t tokens = 32;  ///< how many to generate at most
    SamplingOptions sampling;
    std::uint32_t threads = 0;   ///< 0 = the number of cores
    bool stop_at_end = true;     ///< stop when the model says it is finished
    bool time_nodes = false;     ///< records have one event per node
    KindOptions kind_options{};  ///< settings of the session's kinds of backend
};

/// One decoding step, told while it happens.
struct RunStep {
    std::int32_t token = 0;
    std::string piece;          ///< bytes of the token's text; may be part of a UTF-8 sequence
    std::vector<float> logits;  ///< that the token was chosen from; filled only when asked for
    std::shared_ptr<const Execution> execution;
};

struct RunResult {
    std::vector<std::int32_t> prompt_tokens;
    std::vector<std::int32_t> tokens;
    std::string text;
    bool cancelled = false;
    Message note;                             ///< why the CPU stood in for a real device; else empty
    Message ended_early;                      ///< why fewer tokens than asked for were generated; else empty
    bool failed = false;                      ///< the logits were not numbers
    std::shared_ptr<const Analysis> prefill;  ///< the schedule the prompt ran on
    std::shared_ptr<const Analysis> decode;   ///< the schedule the last token ran on
    std::shared_ptr<const Execution> prefill_execution;
    std::shared_ptr<const Execution> decode_execution;  ///< of the last token
    /// Of all tokens after the first that ran on `decode`, on average; null when there was none.
    std::shared_ptr<const MeanExecution> tokens_execution;
    /// Without what the run stood still.
    std::chrono::nanoseconds prefill_time{};
    std::chrono::nanoseconds decode_time{};
    /// Logits that each token was chosen from, when RunObserver::want_logits was set.
    std::vector<std::vector<float>> logits;
    /// One row per token of the prompt, for models that give embeddings instead of generating.
    std::vector<std::vector<float>> embeddings;
};

struct RunObserver {
    std::function<void(const RunStep&)> on_token;
    bool want_logits = false;
    /// Called with the bytes of every node after it was computed, and the analysis that it is a node of;
    /// views are left out. Slow: each node is computed by itself.
    std::function<void(const Analysis&, TensorId, std::vector<std::byte>)> on_node;
    /// What backends report while they work.
    std::function<void(const BackendMessage&)> on_message{};
    /// Stops, steps and looks into the run; then on_node is not called.
    std::shared_ptr<Debugger> debugger;
};

/// Why this session cannot be run live, or nothing when it can.
std::optional<Message> why_not_runnable(const Session& session);

/// Generates text by really running the session's schedule. Backends of the machine that are simulated are
/// computed by stand-ins on the CPU that keep their own memory, so every split and copy happens. A cancelled
/// run returns what it has with `cancelled` set.
RunResult run_model(const Session& session, const RunOptions& options, const RunObserver& observer = {},
                    const JobContext& job = {});

}  // namespace splitscope
