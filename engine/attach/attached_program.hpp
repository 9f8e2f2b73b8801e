// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/attach/child_process.hpp"
#include "engine/attach/preloaded_library.hpp"
#include "engine/attach/private_folder.hpp"
#include "engine/attach/program_end.hpp"
#include "engine/attach/program_view.hpp"
#include "engine/execution/debugger.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/support/descriptor.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

struct AttachOptions {
    std::vector<std::string> program;  ///< command and arguments
    std::filesystem::path folder;      ///< working folder; empty = the current one
    std::vector<std::pair<std::string, std::string>>
        environment{};  ///< variables to set on top of the inherited ones
    ProgramOutput output = ProgramOutput::inherited;
    std::vector<StopCondition> conditions{};
    channel::Times times = channel::Times::calls;
    bool guard = false;  ///< look for stray writes of the nodes that conditions match
};

/// Statistics of a tensor that were computed inside the program; its values were not transferred.
struct RemoteStatistics {
    TensorState state = TensorState::no_memory;
    std::string reused_by;        ///< for TensorState::reused
    TensorStatistics statistics;  ///< without histogram and heat map; no figures for packed types
};

/// An unmodified program under the debugger (attach.md §1). Commands return immediately; read(), examine()
/// and write() wait for the answer. All members are thread-safe. Destroying the object detaches from the
/// program, which continues.
class AttachedProgram {
 public:
    /// Called on an internal thread, without locks held, when the program pauses, resumes or ends, and when
    /// graphs or computations have arrived.
    using OnChange = std::function<void()>;

    /// Starts the program. Throws Error(io) if it cannot be started or the channel cannot be opened.
    explicit AttachedProgram(const AttachOptions& options, OnChange on_change = {});
    ~AttachedProgram();
    AttachedProgram(const AttachedProgram&) = delete;
    AttachedProgram& operator=(const AttachedProgram&) = delete;

    void set_conditions(std::vector<StopCondition> conditions);
    std::vector<StopCondition> conditions() const;
    void set_times(channel::Times times);

    /// Pauses after the next computed node.
    void pause();
    void resume();
    void step_node();
    void step_split();
    /// Continues to the start of the next graph.
    void step_graph();
    /// Continues until this node of the current graph has been computed.
    void run_to(TensorId node);
    void signal(int number) const;

    pid_t process() const { return child_.process(); }
    /// The current stop; null while the program runs and after it has ended.
    std::shared_ptr<const AttachStop> stop() const;
    std::vector<std::shared_ptr<const AttachedGraph>> graphs() const;
    /// The computations that have ended since the last call.
    std::vector<std::shared_ptr<const Computation>> take_computations();
    /// Files of backends beside the program's ggml that it has not loaded.
    std::vector<std::string> unloaded_backends() const;
    /// Stray writes since the last call, with AttachOptions::guard; those of a node arrive before its stop.
    std::vector<StrayWrite> take_stray_writes();
    /// Empty while the program runs.
    std::optional<AttachEnd> end() const;
    /// Waits for a stop with a number above `after`; null when the program ends first. Throws Cancelled.
    std::shared_ptr<const AttachStop> wait_for_stop(std::uint64_t after, const JobContext& job = {});
    /// Also returns when computations have ended, to be taken before the oldest are dropped: waits for a stop
    /// with a number above `after`, the end, or more computations than are taken at once.
    void wait_for_events(std::uint64_t after, const JobContext& job = {});
    /// Output since the last call, with ProgramOutput::kept.
    std::string take_output();
    std::string take_error();

    /// The values of a tensor of the graph at the stop. Errors: state (not paused, or ended), unknown,
    /// unallocated, limit (more than `most` bytes), unsupported (repacked by the backend), Cancelled.
    TensorCapture read(TensorId tensor, std::uint64_t most, const JobContext& job = {});
    /// Statistics of a tensor, computed inside the program. Errors as read().
    RemoteStatistics examine(TensorId tensor, const JobContext& job = {});
    /// Overwrites part of a tensor. Errors as read(), and range, unsupported (the memory is a mapped file).
    void write(TensorId tensor, std::uint64_t offset, std::span<const std::byte> bytes,
               const JobContext& job = {});

 private:
    struct KeptFile {
        std::filesystem::path path;
        std::uint64_t read = 0;
        std::string take();
    };

    void serve();
    bool accept_one();
    void accept_waiting();
    bool read_channel();
    void flush();
    void close_channel(Message problem);
    bool note_end();
    void send(std::string bytes);
    void command(channel::RunTo to, TensorId node = {});
    void wake() const;
    ProgramReply ask(channel::Kind kind, channel::BodyWriter body, std::uint32_t request,
                     const JobContext& job);
    std::uint32_t next_request();
    static TensorState state_of(channel::Status status);
    std::shared_ptr<const AttachStop> require_stop(TensorId tensor) const;

    PrivateFolder folder_;
    PreloadedLibrary library_;
    OnChange on_change_;
    std::string token_;
    Descriptor listening_;
    Descriptor wake_;
    KeptFile output_;
    KeptFile error_;
    ChildProcess child_;

    mutable std::mutex mutex_;
    mutable std::condition_variable_any changed_;
    ProgramView view_;
    Descriptor channel_;
    bool was_attached_ = false;  ///< later connections, of child processes of the program, are refused
    std::vector<int> others_;    ///< their processes
    std::string outgoing_;
    std::uint32_t requests_ = 0;
    Message problem_;
    std::optional<AttachEnd> end_;
    bool closing_ = false;
    std::jthread server_;
};

}  // namespace splitscope
