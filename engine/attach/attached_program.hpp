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
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "engine/attach/child_process.hpp"
#include "engine/attach/preloaded_library.hpp"
#include "engine/attach/private_folder.hpp"
#include "engine/attach/program_view.hpp"
#include "engine/execution/debugger.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

struct AttachOptions {
    std::vector<std::string> program;                                ///< with its arguments
    std::filesystem::path folder;                                    ///< empty = ours
    std::vector<std::pair<std::string, std::string>> environment{};  ///< set besides ours
    ProgramOutput output = ProgramOutput::inherited;
    std::vector<StopCondition> conditions{};
    channel::Times times = channel::Times::calls;
};

/// What is known of values that stay in the program.
struct ValuesThere {
    TensorState state = TensorState::no_memory;
    std::string reused_by;        ///< for TensorState::reused
    TensorStatistics statistics;  ///< histogram and map stay empty; no values for packed types
};

/// How it went with a program.
struct AttachEnd {
    ProgramEnd program;
    std::string last_words;  ///< of the engine, before it ended the process
    std::string refusal;     ///< why it could not be debugged; empty = it could
    std::string problem;     ///< with the channel; empty = none
    bool attached = false;   ///< it used the engine in a way that can be seen
};

/// An unmodified program under the debugger (attach.md §1). Commands return at once; read() and its like wait
/// for the answer. Every member may be called from any thread. When this object goes, the program is let go
/// and runs on.
class AttachedProgram {
 public:
    /// Told on a thread of this object's, while it holds no lock: a stop, that the program goes on, or that
    /// computations, graphs or the end have come.
    using OnChange = std::function<void()>;

    /// Starts it. Throws Error(io) when it cannot be started or no channel can be opened.
    explicit AttachedProgram(const AttachOptions& options, OnChange on_change = {});
    ~AttachedProgram();
    AttachedProgram(const AttachedProgram&) = delete;
    AttachedProgram& operator=(const AttachedProgram&) = delete;

    void set_conditions(std::vector<StopCondition> conditions);
    std::vector<StopCondition> conditions() const;
    void set_times(channel::Times times);

    /// Stops behind the next node that is computed.
    void pause();
    void resume();
    void step_node();
    void step_split();
    /// To before the first node of the next graph.
    void step_graph();
    /// Until this node of the graph at the stop has been computed.
    void run_to(TensorId node);
    void signal(int number) const;

    pid_t process() const { return child_.process(); }
    /// Where it stands still; null when it runs or has ended.
    std::shared_ptr<const AttachStop> stop() const;
    std::vector<std::shared_ptr<const AttachedGraph>> graphs() const;
    /// Those that have ended since this was asked last.
    std::vector<std::shared_ptr<const Computation>> take_computations();
    /// Nothing while it runs.
    std::optional<AttachEnd> end() const;
    /// Waits for a stop after number `after`, or for the end: then null. Throws Cancelled.
    std::shared_ptr<const AttachStop> wait_for_stop(std::uint64_t after, const JobContext& job = {});
    /// What the program has written since this was asked last; with ProgramOutput::kept.
    std::string take_output();
    std::string take_error();

    /// The values of a tensor of the graph at the stop. Errors: state (it does not stand still, or has
    /// ended), unknown, unallocated, limit (it has more bytes than `most`), Cancelled.
    TensorCapture read(TensorId tensor, std::uint64_t most, const JobContext& job = {});
    /// Counted in the program: the values themselves do not travel. Errors as read().
    ValuesThere examine(TensorId tensor, const JobContext& job = {});
    /// Overwrites bytes of it. Errors besides: range, unsupported (its memory is a file).
    void write(TensorId tensor, std::uint64_t offset, std::span<const std::byte> bytes,
               const JobContext& job = {});

 private:
    class Listener;
    struct KeptFile {
        std::filesystem::path path;
        std::uint64_t read = 0;
        std::string take();
    };

    void serve();
    void accept_one();
    void read_channel();
    void flush();
    void close_channel(std::string_view problem);
    bool note_end();
    void send(std::string bytes);
    void command(channel::Go how, TensorId node = {});
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
    int listening_ = -1;
    int wake_ = -1;
    KeptFile output_;
    KeptFile error_;
    ChildProcess child_;

    mutable std::mutex mutex_;
    mutable std::condition_variable_any changed_;
    ProgramView view_;
    int channel_ = -1;
    bool refused_newcomers_ = false;  ///< a channel there was: those that come later run unwatched
    std::string outgoing_;
    std::uint32_t requests_ = 0;
    std::string problem_;
    std::optional<AttachEnd> end_;
    bool closing_ = false;
    std::jthread server_;
};

}  // namespace splitscope
