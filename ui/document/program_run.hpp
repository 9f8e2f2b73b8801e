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

/// How a program is, and what it did since the news before.
struct ProgramNews {
    std::shared_ptr<const AttachStop> stop;  ///< null while it runs
    std::vector<std::shared_ptr<const AttachedGraph>> graphs;
    std::vector<std::shared_ptr<const Computation>> computations;
    std::string output;
    std::string error;
    std::optional<AttachEnd> end;
    QString refused;  ///< a command that could not be done
    QString failure;  ///< why it could not be started
};

/// A program under the debugger, watched on a thread of its own: whoever commands it never waits for its
/// channel. When this goes, the program runs on alone.
class ProgramRun : public Debuggee {
 public:
    using Tell = std::function<void(ProgramNews)>;

    /// Starts it; what becomes of that is news. `tell` is called on the thread of this object.
    ProgramRun(AttachOptions options, Tell tell);
    ~ProgramRun() override;
    /// Lets the program go: it runs on alone, and nothing is told of it any more.
    void close();

    void pause() override;
    void resume() override;
    void step_node() override;
    void step_split() override;
    /// To before the first node of the next graph.
    void step_graph();
    void run_to(const TensorIdentity& node) override;
    void set_conditions(std::vector<StopCondition> conditions);
    void set_times(channel::Times times);
    void signal(int number);
    /// At once, in the calling thread.
    void signal_now(int number);

    TensorCapture read(const TensorIdentity& tensor, std::uint64_t most, const JobContext& job) override;
    void write(const TensorIdentity& tensor, std::span<const std::byte> bytes, std::size_t first,
               std::size_t count, const JobContext& job) override;

 private:
    using Task = std::function<void(AttachedProgram&)>;

    void post(Task task);
    void serve(const AttachOptions& options, const std::stop_token& stop);
    void watch(AttachedProgram& program, const std::stop_token& stop);
    /// True when there was any.
    bool gather(AttachedProgram& program, ProgramNews& news);
    std::shared_ptr<AttachedProgram> program() const;
    static TensorId find(const AttachStop& stop, const TensorIdentity& tensor);

    Tell tell_;
    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<Task> tasks_;
    bool changed_ = false;
    std::shared_ptr<AttachedProgram> program_;
    std::uint64_t told_stop_ = 0;  ///< number of the stop told last; 0 = that it runs
    int told_graph_ = -1;          ///< the newest
    std::jthread thread_;
};

}  // namespace splitscope::ui
