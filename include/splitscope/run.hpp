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

/// Values of a node that was just computed.
struct NodeValues {
    const Analysis& analysis;
    TensorId node;
    /// The whole tensor, with strides Tensor::nb. Valid as long as the pointer is held.
    std::shared_ptr<const std::vector<std::byte>> bytes;

    const Tensor& tensor() const { return (*analysis.graph)[node]; }
};

/// A run paused after a node.
class PausedRun {
 public:
    PausedRun(Debugger& debugger, const DebugStop& stop) : debugger_(debugger), stop_(stop) {}

    const DebugStop& stop() const { return stop_; }
    /// Current values of a tensor of the graph, by Tensor::name or NAME@OP#N. Throws Error(unknown).
    TensorCapture tensor(std::string_view text);
    /// Overwrites the values; later nodes read the new ones. Throws Error(range) for a wrong number of bytes,
    /// Error(unknown), and Error(unallocated) for a tensor without memory in this run.
    void write(std::string_view text, std::span<const std::byte> bytes);

 private:
    Debugger& debugger_;
    const DebugStop& stop_;
};

/// How a paused run continues.
enum class Go : std::uint8_t {
    on,          ///< continue to the next breakpoint
    step_node,   ///< step one node
    step_split,  ///< step to the end of the split
    end          ///< end the run; RunResult::cancelled is set
};

/// Callbacks of a run, called on the thread that called run(). An exception ends the run and is rethrown by
/// run().
struct RunEvents {
    std::function<void(const RunStep&)> on_token;
    /// Called for every node except views; slow. Cannot be combined with breakpoints.
    std::function<void(const NodeValues&)> on_node;
    std::function<void(const BackendMessage&)> on_message;
    /// run() throws Error(unknown) for a breakpoint that no node of the run's graphs matches.
    std::vector<Breakpoint> breakpoints;
    std::function<Go(PausedRun&)> on_stop;
    bool want_logits = false;             ///< RunStep::logits and RunResult::logits are filled
    std::function<void()> while_waiting;  ///< called 20 times a second; an exception ends the run
};

/// Generates text by running the session's schedule; the model is computed on separate threads. Throws Error,
/// and exceptions of the callbacks. A run stopped by the job returns its partial result with
/// RunResult::cancelled set.
RunResult run(const Session& session, const RunOptions& options, const RunEvents& events = {},
              const JobContext& job = {});

}  // namespace splitscope
