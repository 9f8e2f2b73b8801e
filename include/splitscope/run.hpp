// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/execution/debugger.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/session/live_run.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// A node that was just computed.
struct NodeValues {
    const Analysis& analysis;
    TensorId node;
    /// Of the whole tensor with its strides (Tensor::nb). Kept as long as somebody holds it.
    std::shared_ptr<const std::vector<std::byte>> bytes;

    const Tensor& tensor() const { return (*analysis.graph)[node]; }
};

/// A run that stands still after a node.
class StandingRun {
 public:
    StandingRun(Debugger& debugger, const DebugStop& stop) : debugger_(debugger), stop_(stop) {}

    const DebugStop& stop() const { return stop_; }
    /// The values of any tensor of the graph as they are now; Tensor::name, or NAME@OP#N. Throws
    /// Error(unknown).
    TensorCapture tensor(std::string_view text);
    /// Overwrites them: what is computed from then on reads the new ones. Throws Error(range) for another
    /// number of bytes.
    void write(std::string_view text, std::span<const std::byte> bytes);

 private:
    Debugger& debugger_;
    const DebugStop& stop_;
};

/// What a run that stands still does next.
enum class Go : std::uint8_t {
    on,          ///< to the next breakpoint
    step_node,   ///< one node
    step_split,  ///< to the end of the split
    end          ///< no further; RunResult::cancelled is set
};

/// What is told of a run, all of it on the thread that called run(). An exception ends the run and comes out
/// of run().
struct RunEvents {
    std::function<void(const RunStep&)> on_token;
    /// Every node, views left out; slow. Not together with breakpoints.
    std::function<void(const NodeValues&)> on_node;
    std::function<void(const BackendMessage&)> on_message;
    std::vector<Breakpoint> breakpoints;
    std::function<Go(StandingRun&)> on_stop;
    bool want_logits = false;             ///< RunStep::logits and RunResult::logits are filled
    std::function<void()> while_waiting;  ///< called 20 times a second; an exception ends the run
};

/// Generates text by running the session's schedule; the model computes on threads of its own. Throws Error,
/// and what the events throw. A run stopped by the job returns what it has, with RunResult::cancelled set.
RunResult run(const Session& session, const RunOptions& options, const RunEvents& events = {},
              const JobContext& job = {});

}  // namespace splitscope
