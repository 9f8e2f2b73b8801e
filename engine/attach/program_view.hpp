// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/attach/stop_condition.hpp"
#include "engine/execution/debugger.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/messages/message.hpp"
#include "recorder/channel_protocol.hpp"

namespace splitscope {

/// Where a program is paused: after a node, or before the first one. Immutable.
struct AttachStop {
    std::uint64_t number = 0;       ///< of the stop, from 1
    std::uint64_t computation = 0;  ///< number of the computation, from 1
    StopReason reason = StopReason::pause;
    int breakpoint = 0;  ///< its id, for StopReason::breakpoint
    std::uint64_t hits = 0;
    std::shared_ptr<const AttachedGraph> graph;
    TensorId tensor;           ///< none before the first node
    std::size_t position = 0;  ///< nodes submitted to backends
    SplitId split;
    std::chrono::nanoseconds time{};  ///< since the program was attached
};

/// One timed event of a computation.
struct AttachEvent {
    bool is_copy = false;
    TensorId first;  ///< node, or the tensor that was copied
    TensorId last;   ///< node
    SplitId split;
    std::chrono::nanoseconds start{};  ///< since the program was attached
    std::chrono::nanoseconds took{};
    std::uint64_t bytes = 0;  ///< copied
};

/// A node's write to memory outside its result.
struct StrayWrite {
    std::uint64_t computation = 0;
    std::shared_ptr<const AttachedGraph> graph;
    TensorId node;
    TensorId tensor;             ///< whose values changed; none = the memory holds none that are read later
    std::optional<int> operand;  ///< its position among the node's operands
    std::uint64_t offset = 0;    ///< of the first changed byte in the tensor
    std::uint64_t bytes = 0;     ///< changed
    /// Of the first changed byte from the end of the result; if negative, from its start. Unset if it is not
    /// near the result.
    std::optional<std::int64_t> distance;
};

/// One computation of one graph.
struct Computation {
    std::uint64_t number = 0;
    std::shared_ptr<const AttachedGraph> graph;  ///< null if it was not recorded
    int status = 0;                              ///< of the engine; 0 = success
    std::chrono::nanoseconds start{};
    std::chrono::nanoseconds took{};
    bool observed = false;  ///< computed node by node: times are those of a debugged run
    std::vector<AttachEvent> events;
};

/// A program's reply to a request.
struct ProgramReply {
    channel::Kind kind{};
    channel::Status status{};
    TensorId reused_by;
    std::string bytes;
    TensorStatistics statistics;
};

/// The debugger's model of a program, built from the messages it sends. A state machine without sockets or
/// threads: received bytes go in, bytes to send come out.
class ProgramView {
 public:
    explicit ProgramView(std::string token) : token_(std::move(token)) {}

    /// Processes received bytes and returns the bytes to send back. Throws Error(io) for a malformed message;
    /// the channel must then be closed.
    std::string take(std::string_view bytes);
    /// These return the bytes to send; empty if the program is not connected.
    std::string set_conditions(std::vector<StopCondition> conditions);
    std::string set_times(channel::Times times);
    std::string set_guard(bool guard);
    std::string resume(channel::RunTo to, int graph = -1, TensorId node = {});
    /// The first messages to a program that has just connected.
    std::string initial_messages();

    bool is_attached() const { return attached_; }
    int process() const { return process_; }
    const std::string& library() const { return library_; }
    /// Why the agent cannot debug the program; empty = it can.
    const Message& refusal() const { return refusal_; }
    /// Files of backends that the program has not loaded.
    const std::vector<std::string>& unloaded_backends() const { return unloaded_; }
    const std::string& abort_message() const { return abort_message_; }
    std::shared_ptr<const AttachStop> stop() const { return stop_; }
    std::uint64_t stops() const { return stops_; }
    const std::vector<StopCondition>& conditions() const { return conditions_; }
    /// The most recent graph of each shape, in order of first appearance.
    std::vector<std::shared_ptr<const AttachedGraph>> graphs() const;
    /// The computations that have ended since the last call.
    std::vector<std::shared_ptr<const Computation>> take_computations();
    std::vector<StrayWrite> take_stray_writes() { return std::exchange(stray_writes_, {}); }
    std::size_t waiting_computations() const { return computations_.size(); }
    std::uint64_t computations() const { return computation_count_; }
    std::optional<ProgramReply> take_reply(std::uint32_t request);
    /// Call when the program has resumed, disconnected or ended.
    void clear_stop() { stop_.reset(); }

 private:
    struct KnownGraph {
        std::shared_ptr<const AttachedGraph> graph;
        std::uint64_t last_use = 0;  ///< in the order of messages
    };

    void take_message(const channel::Frame& message, std::string& out);
    void take_hello(channel::BodyReader body, std::string& out);
    void take_text(std::string_view text);
    void take_line(std::string_view line);
    void take_graph();
    void take_stop(channel::BodyReader body, std::string& out);
    void take_events(channel::BodyReader body);
    void take_computed(channel::BodyReader body);
    void take_stray_write(channel::BodyReader body);
    void take_reply(channel::Kind kind, channel::BodyReader body);
    std::string plan(std::uint32_t epoch, int graph);
    std::shared_ptr<const AttachedGraph> graph_numbered(int number) const;
    /// As graph_numbered(), for a graph that the program computes.
    std::shared_ptr<const AttachedGraph> use_graph(int number);
    template <class Predicate>
    void drop_least_recent(Predicate of);
    TensorId tensor_of(const AttachedGraph* graph, std::int32_t number) const;

    std::string token_;
    channel::FrameReader frames_;
    bool attached_ = false;
    int process_ = 0;
    std::string library_;
    Message refusal_;
    std::string abort_message_;
    std::vector<std::string> unloaded_;
    std::string line_;     ///< incomplete last line of the recording
    std::string prelude_;  ///< lines that graphs refer to
    std::string block_;    ///< the graph being received
    int block_number_ = -1;
    std::map<int, KnownGraph> graphs_;
    int newest_graph_ = -1;
    std::uint64_t uses_ = 0;
    std::vector<StopCondition> conditions_;
    std::uint32_t epoch_ = 0;
    channel::Times times_ = channel::Times::calls;
    bool guard_ = false;
    std::vector<StrayWrite> stray_writes_;
    std::shared_ptr<const AttachStop> stop_;
    std::uint64_t stops_ = 0;
    std::uint64_t computation_count_ = 0;
    std::vector<AttachEvent> events_;
    std::uint64_t events_of_ = 0;
    std::deque<std::shared_ptr<const Computation>> computations_;
    std::map<std::uint32_t, ProgramReply> replies_;
};

}  // namespace splitscope
