// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attach/stop_condition.hpp"
#include "engine/execution/debugger.hpp"
#include "engine/execution/tensor_values.hpp"
#include "recorder/channel_protocol.hpp"

namespace splitscope {

/// Where a program stands still: behind a node, or before the first one. Immutable.
struct AttachStop {
    std::uint64_t number = 0;       ///< counts the stops
    std::uint64_t computation = 0;  ///< counts the graphs that were computed, from 1
    StopReason reason = StopReason::pause;
    int breakpoint = 0;  ///< its id, for StopReason::breakpoint
    std::uint64_t hits = 0;
    std::shared_ptr<const AttachedGraph> graph;
    TensorId tensor;           ///< none before the first node
    std::size_t position = 0;  ///< nodes that were handed to backends
    SplitId split;
    std::chrono::nanoseconds time{};  ///< since the program was attached
};

/// What a program was seen to do while it computed.
struct AttachEvent {
    bool is_copy = false;
    TensorId first;  ///< node, or the tensor that was copied
    TensorId last;   ///< node
    SplitId split;
    std::chrono::nanoseconds start{};  ///< since the program was attached
    std::chrono::nanoseconds took{};
    std::uint64_t bytes = 0;  ///< copied
};

/// One graph, computed once.
struct Computation {
    std::uint64_t number = 0;
    std::shared_ptr<const AttachedGraph> graph;  ///< null when it was not seen
    int status = 0;                              ///< of the engine; 0 = fine
    std::chrono::nanoseconds start{};
    std::chrono::nanoseconds took{};
    bool observed = false;  ///< node by node: times are those of a debugged run
    std::vector<AttachEvent> events;
};

/// What the program answered to a request.
struct ProgramReply {
    channel::Kind kind{};
    channel::Status status{};
    TensorId reused_by;
    std::uint64_t bytes_of_tensor = 0;
    std::string bytes;
    TensorStatistics statistics;
};

/// What the debugger knows of a program by what it says. A state machine without sockets or threads: bytes go
/// in, bytes to send come out.
class ProgramView {
 public:
    explicit ProgramView(std::string token) : token_(std::move(token)) {}

    /// Takes what arrived; returns what is to be answered. Throws Error(io) for what cannot be: then the
    /// channel is to be closed.
    std::string take(std::string_view bytes);
    /// Each returns what is to be sent, if anybody listens.
    std::string set_conditions(std::vector<StopCondition> conditions);
    std::string set_times(channel::Times times);
    std::string go(channel::Go how, int graph = -1, TensorId node = {});
    /// What a program is told that has just been heard of.
    std::string opening();

    bool is_attached() const { return attached_; }
    int process() const { return process_; }
    const std::string& library() const { return library_; }
    /// What the agent says it cannot do; empty = nothing.
    const std::string& refusal() const { return refusal_; }
    const std::string& last_words() const { return last_words_; }
    std::shared_ptr<const AttachStop> stop() const { return stop_; }
    std::uint64_t stops() const { return stops_; }
    const std::vector<StopCondition>& conditions() const { return conditions_; }
    /// The last ones of each shape, in the order in which they came.
    std::vector<std::shared_ptr<const AttachedGraph>> graphs() const;
    /// Computations that have ended since this was asked last.
    std::vector<std::shared_ptr<const Computation>> take_computations();
    std::uint64_t computations() const { return computation_count_; }
    std::optional<ProgramReply> take_reply(std::uint32_t request);
    /// The program has gone: it stands nowhere any more.
    void leave() { stop_.reset(); }

 private:
    void take_message(const channel::Frame& message, std::string& out);
    void take_hello(channel::BodyReader body, std::string& out);
    void take_text(std::string_view text);
    void take_line(std::string_view line);
    void take_graph();
    void take_stop(channel::BodyReader body);
    void take_events(channel::BodyReader body);
    void take_computed(channel::BodyReader body);
    void take_reply(channel::Kind kind, channel::BodyReader body);
    std::string plan(std::uint32_t epoch, int graph) const;
    std::shared_ptr<const AttachedGraph> graph_numbered(int number) const;
    TensorId tensor_of(const AttachedGraph* graph, std::int32_t number) const;

    std::string token_;
    channel::FrameReader frames_;
    bool attached_ = false;
    int process_ = 0;
    std::string library_;
    std::string refusal_;
    std::string last_words_;
    std::string line_;     ///< of the recording, not whole yet
    std::string prelude_;  ///< lines that graphs refer to
    std::string block_;    ///< the graph that is being told
    int block_number_ = -1;
    std::map<int, std::shared_ptr<const AttachedGraph>> graphs_;
    std::vector<StopCondition> conditions_;
    std::uint32_t epoch_ = 0;
    channel::Times times_ = channel::Times::calls;
    std::shared_ptr<const AttachStop> stop_;
    std::uint64_t stops_ = 0;
    std::uint64_t computation_count_ = 0;
    std::vector<AttachEvent> events_;
    std::uint64_t events_of_ = 0;
    std::deque<std::shared_ptr<const Computation>> computations_;
    std::map<std::uint32_t, ProgramReply> replies_;
};

}  // namespace splitscope
