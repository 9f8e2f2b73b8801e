// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/program_run.hpp"

#include <chrono>
#include <utility>

#include "engine/attach/messages.hpp"
#include "engine/execution/breakpoint.hpp"
#include "engine/support/error.hpp"
#include "ui/jobs/job_channel.hpp"

namespace splitscope::ui {
namespace {

/// Minimum interval between updates of a busy program.
constexpr std::chrono::milliseconds kBetweenNews(20);
/// Polling interval of its output.
constexpr std::chrono::milliseconds kBetweenLooks(100);

}  // namespace

ProgramRun::ProgramRun(AttachOptions options, OnUpdate on_update) : on_update_(std::move(on_update)) {
    thread_ = std::jthread(
        [this, options = std::move(options)](const std::stop_token& stop) { serve(options, stop); });
}

ProgramRun::~ProgramRun() {
    close();
}

void ProgramRun::close() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    thread_.join();
    // Kept alive by readers of values until they are done. Its destructor waits for its thread, which may
    // wait for the mutex.
    std::shared_ptr<AttachedProgram> released;
    const std::lock_guard lock(mutex_);
    program_.swap(released);
}

std::shared_ptr<AttachedProgram> ProgramRun::program() const {
    const std::lock_guard lock(mutex_);
    return program_;
}

void ProgramRun::post(Task task) {
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
    }
    wake_.notify_all();
}

void ProgramRun::serve(const AttachOptions& options, const std::stop_token& stop) {
    try {
        auto program = std::make_shared<AttachedProgram>(options, [this] {
            const std::lock_guard lock(mutex_);
            changed_ = true;
            wake_.notify_all();
        });
        {
            const std::lock_guard lock(mutex_);
            program_ = program;
        }
        watch(*program, stop);
        return;
    } catch (...) {
        ProgramUpdate news;
        news.failure = current_failure().text;
        on_update_(std::move(news));
    }
}

void ProgramRun::watch(AttachedProgram& program, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        std::deque<Task> tasks;
        {
            std::unique_lock lock(mutex_);
            wake_.wait_for(lock, stop, kBetweenLooks, [this] { return changed_ || !tasks_.empty(); });
            tasks.swap(tasks_);
            changed_ = false;
        }
        ProgramUpdate news;
        bool any = false;
        for (const Task& task : tasks) {
            try {
                task(program);
            } catch (...) {
                news.refused = current_failure().text;
                any = true;
            }
        }
        any = gather(program, news) || any;
        const bool ended = news.end.has_value();
        if (any) on_update_(std::move(news));
        if (ended) return;
        std::unique_lock lock(mutex_);
        wake_.wait_for(lock, stop, kBetweenNews, [this] { return !tasks_.empty(); });
    }
}

bool ProgramRun::gather(AttachedProgram& program, ProgramUpdate& news) {
    // Output written before its end is complete when the end is reported.
    news.end = program.end();
    news.stop = program.stop();
    news.graphs = program.graphs();
    news.computations = program.take_computations();
    // Processes that the program started may go on writing.
    constexpr std::size_t kMostAtEnd = std::size_t{16} << 20;
    do {
        const std::string output = program.take_output();
        const std::string error = program.take_error();
        if (output.empty() && error.empty()) break;
        news.output += output;
        news.error += error;
    } while (news.end && news.output.size() + news.error.size() < kMostAtEnd);
    const std::uint64_t stop = news.stop ? news.stop->number : 0;
    const int graph = news.graphs.empty() ? -1 : news.graphs.back()->number;
    const bool moved = std::exchange(reported_stop_, stop) != stop;
    const bool fresh = std::exchange(reported_graph_, graph) != graph;
    return moved || fresh || news.end || !news.computations.empty() || !news.output.empty() ||
           !news.error.empty();
}

void ProgramRun::pause() {
    post([](AttachedProgram& program) { program.pause(); });
}

void ProgramRun::resume() {
    post([](AttachedProgram& program) { program.resume(); });
}

void ProgramRun::step_node() {
    post([](AttachedProgram& program) { program.step_node(); });
}

void ProgramRun::step_split() {
    post([](AttachedProgram& program) { program.step_split(); });
}

void ProgramRun::step_graph() {
    post([](AttachedProgram& program) { program.step_graph(); });
}

void ProgramRun::run_to(const TensorIdentity& node) {
    post([node](AttachedProgram& program) {
        const auto stop = program.stop();
        if (!stop) return;
        const Graph& graph = *stop->graph->graph;
        const TensorId where = stop_for(graph, graph.nodes, find(*stop, node));
        if (!where.valid()) throw Error(ErrorKind::unknown, msg::kNoSuchTensorThere, text_of(node));
        program.run_to(where);
    });
}

void ProgramRun::set_conditions(std::vector<StopCondition> conditions) {
    post([conditions = std::move(conditions)](AttachedProgram& program) {
        program.set_conditions(conditions);
    });
}

void ProgramRun::set_times(channel::Times times) {
    post([times](AttachedProgram& program) { program.set_times(times); });
}

void ProgramRun::signal(int number) {
    post([number](AttachedProgram& program) { program.signal(number); });
}

void ProgramRun::signal_now(int number) {
    if (const auto there = program()) there->signal(number);
}

TensorId ProgramRun::find(const AttachStop& stop, const TensorIdentity& tensor) {
    const TensorId found = stop.graph->identities->find(tensor);
    if (!found.valid()) throw Error(ErrorKind::unknown, msg::kNoSuchTensorThere, text_of(tensor));
    return found;
}

TensorCapture ProgramRun::read(const TensorIdentity& tensor, std::uint64_t most, const JobContext& job) {
    const auto there = program();
    const auto stop = there ? there->stop() : nullptr;
    if (!there) throw Error(ErrorKind::state, msg::kProgramNotStopped, {}, msg::kStopFirst);
    // Without a stop, states the reason.
    const TensorId id = stop ? find(*stop, tensor) : TensorId();
    TensorCapture capture = there->read(id, most, job);
    if (capture.tensor.op == Op::none) capture.backend.clear();
    return capture;
}

void ProgramRun::write(const TensorIdentity& tensor, std::span<const std::byte> bytes, std::size_t first,
                       std::size_t count, const JobContext& job) {
    const auto there = program();
    const auto stop = there ? there->stop() : nullptr;
    if (!there) throw Error(ErrorKind::state, msg::kProgramNotStopped, {}, msg::kStopFirst);
    there->write(stop ? find(*stop, tensor) : TensorId(), first, bytes.subspan(first, count), job);
}

}  // namespace splitscope::ui
