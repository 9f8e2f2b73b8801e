// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/attach/attached_program.hpp"
#include "ui/document/debuggee.hpp"

namespace splitscope::ui {

/// The state of a program, and events since the last update.
struct ProgramUpdate {
    std::shared_ptr<const AttachStop> stop;  ///< null while it runs
    std::vector<std::shared_ptr<const AttachedGraph>> graphs;
    std::vector<std::shared_ptr<const Computation>> computations;
    std::string output;
    std::string error;
    std::optional<AttachEnd> end;
    QString refused;  ///< a failed command
    QString failure;  ///< why it could not be started
};

/// A program under the debugger, watched on a separate thread, so that callers never wait for its channel. On
/// destruction, the program continues without debugger.
class ProgramRun : public Debuggee {
 public:
    using OnUpdate = std::function<void(ProgramUpdate)>;

    /// Starts it; the result is reported by `on_update`, which is called on the thread of this object.
    ProgramRun(AttachOptions options, OnUpdate on_update);
    ~ProgramRun() override;
    /// Detaches the program, which continues without debugger or updates.
    void close();

    void pause() override;
    void resume() override;
    void step_node() override;
    void step_split() override;
    /// Continues to the start of the next graph.
    void step_graph();
    void run_to(const TensorIdentity& node) override;
    void set_conditions(std::vector<StopCondition> conditions);
    void set_times(channel::Times times);
    void signal(int number);
    /// Immediately, on the calling thread.
    void signal_now(int number);

    TensorCapture read(const TensorIdentity& tensor, std::uint64_t most, const JobContext& job) override;
    void write(const TensorIdentity& tensor, std::span<const std::byte> bytes, std::size_t first,
               std::size_t count, const JobContext& job) override;

 private:
    using Task = std::function<void(AttachedProgram&)>;

    void post(Task task);
    void serve(const AttachOptions& options, const std::stop_token& stop);
    void watch(AttachedProgram& program, const std::stop_token& stop);
    /// True if there was an event.
    bool gather(AttachedProgram& program, ProgramUpdate& news);
    std::shared_ptr<AttachedProgram> program() const;
    static TensorId find(const AttachStop& stop, const TensorIdentity& tensor);

    OnUpdate on_update_;
    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<Task> tasks_;
    bool changed_ = false;
    std::shared_ptr<AttachedProgram> program_;
    std::uint64_t reported_stop_ = 0;  ///< number of the last reported stop; 0 = running
    int reported_graph_ = -1;          ///< the latest
    std::jthread thread_;
};

}  // namespace splitscope::ui
