// SPDX-License-Identifier: MIT
#include "engine/execution/executor.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "backends/interface/tensor_access.hpp"
#include "engine/execution/execution_recorder.hpp"
#include "engine/execution/expert_copy.hpp"
#include "engine/execution/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Differences between generations in execution (scheduler.md §11).
struct ComputePolicy {
    bool sync_after_range;       ///< after each callback range
    bool record_without_inputs;  ///< record the event of splits without inputs too
    bool hand_over_wait;         ///< wait for the previous backend before a split without inputs
    bool expert_copies;
    bool status;               ///< a failing split ends the run
    bool sync_source_of_copy;  ///< a declined asynchronous copy synchronises the source as well
};

ComputePolicy policy_of(Generation generation) {
    switch (generation) {
        case Generation::g2024_01:
            return {false, false, false, false, false, false};
        case Generation::g2024_10:
        case Generation::g2025_06:
            return {true, false, false, false, true, true};
        case Generation::g2026_08:
            return {true, true, true, true, true, true};
    }
    return {true, true, true, true, true, true};
}

bool keeps_results(const ExecutorOptions& options) {
    return !options.fuse || options.callback || options.time_nodes;
}

/// Nodes of a split, from `first` to `last` in execution order.
ExecutionEvent compute_event(SplitId split, BackendId backend, std::size_t first, std::size_t last) {
    ExecutionEvent event;
    event.kind = ExecutionEventKind::compute;
    event.split = split;
    event.backend = backend;
    event.first_node = first;
    event.last_node = last;
    return event;
}

/// Stops node timing on scope exit.
struct TimingOff {
    Backend& backend;
    ~TimingOff() { backend.time_nodes(false); }
};

/// One run of one schedule.
class Run {
 public:
    Run(const Schedule& schedule, const BoundGraph& graph, std::span<Backend* const> backends,
        const std::vector<std::vector<std::unique_ptr<Event>>>& events, const ExecutorOptions& options,
        const JobContext& job)
        : schedule_(schedule),
          graph_(graph),
          backends_(backends),
          events_(events),
          options_(options),
          job_(job),
          policy_(policy_of(schedule.generation)),
          nodes_(nodes_in_order(schedule)),
          queued_(backends.size()),
          experts_(schedule, graph, nodes_, backends),
          copies_(schedule.graph->tensors.size() * backends.size()) {
        if (options.plans != nullptr) {
            plans_made_ = options.plans->made();
            plans_computed_ = options.plans->computed();
        }
        for (std::size_t i = 0; i < schedule.added.size(); ++i) {
            const AddedTensor& info = schedule.added_info[i];
            if (info.kind != AddedTensor::Kind::copy || info.copy != schedule.current_copy) continue;
            copies_[copy_slot(info.original, info.backend)] = TensorId(schedule.graph->tensors.size() + i);
        }
    }

    Execution run() {
        try {
            for (Backend* backend : backends_) {
                backend->keep_results(keeps_results(options_));
                backend->take_work();
            }
            const Status status = run_splits();
            if (!options_.leave_running) synchronize_all();
            Execution execution = recorder_.take(status);
            for (Backend* backend : backends_) {
                execution.work.push_back(backend->take_work());
                // With timed nodes, these are what runs without them fuse.
                if (!options_.fuse && execution.work.back()) execution.work.back()->fused.clear();
            }
            if (status == Status::success) read_wanted();
            if (options_.plans != nullptr) {
                execution.plans_made = options_.plans->made() - plans_made_;
                execution.plans_computed = options_.plans->computed() - plans_computed_;
            }
            return execution;
        } catch (...) {
            // Queued work may still use memory that the caller frees next. Errors during synchronisation are
            // secondary to the first error.
            for (Backend* backend : backends_) {
                try {
                    backend->synchronize();
                } catch (...) {
                    continue;
                }
            }
            throw;
        }
    }

 private:
    std::size_t copy_slot(TensorId original, BackendId backend) const {
        return original.index() * backends_.size() + backend.index();
    }
    Backend& backend_of(BackendId id) const { return *backends_[id.index()]; }
    Event* event_of(BackendId id) const {
        if (events_.empty()) return nullptr;
        return events_[id.index()][static_cast<std::size_t>(schedule_.current_copy)].get();
    }

    /// Runs `step`; adds the position in the schedule to its errors.
    template <class Step>
    auto at(const ExecutionEvent& event, Step&& step) const {
        try {
            return step();
        } catch (const Cancelled&) {
            throw;
        } catch (const ComputeError&) {
            throw;
        } catch (const Error& error) {
            throw ComputeError(error, place_of(schedule_, event, nodes_));
        }
    }

    /// A backend's failure is attributed to its last work.
    void synchronize_all() const {
        for (std::size_t b = 0; b < backends_.size(); ++b) {
            const auto& queued = queued_[b];
            if (queued) {
                at(*queued, [&] { backends_[b]->synchronize(); });
            } else {
                backends_[b]->synchronize();
            }
        }
    }

    Status run_splits() {
        for (std::size_t s = 0; s < schedule_.splits.size(); ++s) {
            if (job_.stop_requested()) return Status::aborted;
            const Status status = run_split(SplitId(s));
            if (status != Status::success && policy_.status) return status;
        }
        // Generation 2024-01 ignores the status, but a stop must not be reported as success.
        return stopped_ ? Status::aborted : Status::success;
    }

    Status run_split(SplitId id) {
        const Split& split = schedule_.splits[id.index()];
        Backend& backend = backend_of(split.backend);
        if (policy_.hand_over_wait && split.inputs.empty() && previous_ && *previous_ != split.backend) {
            wait_for_previous(id);
        }
        for (std::size_t i = 0; i < split.inputs.size(); ++i) {
            try {
                copy_input(id, split, i);
            } catch (const Cancelled&) {
                throw;
            } catch (const Error& error) {
                // An index error already names its tensor.
                if (error.kind() == ErrorKind::range) throw;
                const std::string& tensor = graph_[split.inputs[i]].name;
                const std::string& name = schedule_.machine->backends[split.backend.index()].name;
                throw ComputeError(error, {id, name, tensor, tensor});
            }
        }

        const Status status = options_.callback ? compute_observed(id, split) : compute_all(id, split);
        if (status != Status::success && policy_.status) return status;

        Event* event = event_of(split.backend);
        if (event != nullptr && (policy_.record_without_inputs || !split.inputs.empty()))
            backend.record(*event);
        previous_ = split.backend;
        return Status::success;
    }

    /// Tensors computed by this split are read within its submission if the backend supports that.
    void want_from(const Split& split) {
        for (std::size_t w = 0; w < options_.wanted.size(); ++w) {
            const auto& [tensor, bytes] = options_.wanted[w];
            const auto nodes = std::span(nodes_).subspan(split.start, split.end - split.start);
            if (std::ranges::find(nodes, tensor) == nodes.end()) continue;
            if (backend_of(split.backend).get_with_next(graph_, tensor, bytes)) read_[w] = true;
        }
    }
    void read_wanted() const {
        for (std::size_t w = 0; w < options_.wanted.size(); ++w) {
            const auto& [tensor, bytes] = options_.wanted[w];
            if (read_[w]) continue;
            try {
                tensor_get({graph_, tensor}, bytes);
            } catch (const Cancelled&) {
                throw;
            } catch (const Error& error) {
                throw error.within(graph_[tensor].name);
            }
        }
    }

    ExecutionEvent step(ExecutionEventKind kind, SplitId split, BackendId backend) const {
        ExecutionEvent event;
        event.kind = kind;
        event.split = split;
        event.backend = backend;
        return event;
    }

    void wait_for_previous(SplitId id) {
        recorder_.timed(step(ExecutionEventKind::wait, id, *previous_), [&] {
            if (Event* event = event_of(*previous_)) {
                event->synchronize();
            } else {
                backend_of(*previous_).synchronize();
            }
        });
    }

    /// The copy's memory must not be in use: the host or the device waits.
    void wait_for_copy(BackendId backend, bool host_waits) {
        Event* event = event_of(backend);
        if (event == nullptr) {
            backend_of(backend).synchronize();
        } else if (host_waits) {
            event->synchronize();
        } else {
            backend_of(backend).wait(*event);
        }
    }

    void copy_input(SplitId id, const Split& split, std::size_t input) {
        const TensorId original = split.inputs[input];
        const TensorId copy = copies_[copy_slot(original, split.backend)];
        ExecutionEvent event = step(ExecutionEventKind::copy, id, split.backend);
        event.tensor = original;
        event.bytes = byte_size(graph_[original]);

        const BoundTensor from{graph_, original};
        const BoundTensor to{graph_, copy};
        if (graph_[original].is_input() && schedule_.generation != Generation::g2024_01) {
            // Immediately, so that the user may overwrite the input afterwards.
            recorder_.timed(event, [&] {
                if (upload_input(split.backend, original, copy)) return;
                wait_for_copy(split.backend, true);
                tensor_copy(from, to);
            });
            return;
        }
        if (policy_.sync_source_of_copy) wait_for_copy(split.backend, false);
        if (policy_.expert_copies) {
            ExecutionEvent expert = event;
            expert.kind = ExecutionEventKind::expert_copy;
            const auto begin = ExecutionRecorder::Clock::now();
            if (const auto moved = experts_.copy_used_experts(split, input, copy)) {
                expert.bytes = *moved;
                recorder_.add(expert, begin);
                return;
            }
        }
        recorder_.timed(event, [&] { copy_between(split.backend, from, to); });
    }

    /// Queue order suffices; no wait is needed.
    bool upload_input(BackendId backend, TensorId original, TensorId copy) const {
        const std::byte* const data = graph_.host_data(original);
        return data != nullptr &&
               backend_of(backend).upload(graph_, copy, {data, byte_size(graph_[original])});
    }

    void copy_between(BackendId backend, const BoundTensor& from, const BoundTensor& to) {
        Backend& source = backend_of(schedule_.backend[from.id.index()]);
        Backend& destination = backend_of(backend);
        if (!policy_.sync_source_of_copy) {
            copy_unsynchronized(source, destination, from, to);
            return;
        }
        if (destination.copy_async(source, graph_, from.id, to.id)) return;
        source.synchronize();
        wait_for_copy(backend, true);
        tensor_copy(from, to);
    }

    /// The asynchronous copy of generation 2024-01 (backend-api.md §5), which does not wait.
    void copy_unsynchronized(Backend& source, Backend& destination, const BoundTensor& from,
                             const BoundTensor& to) const {
        const Buffer* const buffer = from.buffer();
        const Buffer* const target = to.buffer();
        if (buffer != nullptr && target != nullptr) {
            if (destination.supports_buffer_type(buffer->type()) &&
                destination.supports_buffer_type(target->type()) &&
                destination.copy_async(source, graph_, from.id, to.id)) {
                return;
            }
            const std::byte* const data = buffer->is_host() ? graph_.host_data(from.id) : nullptr;
            if (data != nullptr && destination.set_async(graph_, to.id, {data, byte_size(to.tensor())}, 0))
                return;
        }
        tensor_copy(from, to);
    }

    Status compute_range(SplitId id, const Split& split, std::size_t first, std::size_t last) {
        Backend& backend = backend_of(split.backend);
        const bool by_device = options_.time_nodes && backend.time_nodes(true);
        if (options_.time_nodes && !by_device) {
            for (; first < last; ++first) {
                const Status status = compute_together(id, split, first, first);
                if (status != Status::success && policy_.status) return status;
            }
        }
        if (!by_device) return compute_together(id, split, first, last);
        const TimingOff off{backend};
        const auto begin = ExecutionRecorder::Clock::now();
        const Status status = compute_together(id, split, first, last);
        share_out(begin, backend.take_node_times());
        return status;
    }

    /// `plans`: null = without plans.
    Status compute_together(SplitId id, const Split& split, std::size_t first, std::size_t last,
                            SplitPlans* plans = nullptr) {
        const ExecutionEvent event = compute_event(id, split.backend, first, last);
        Backend& backend = backend_of(split.backend);
        const std::span<const TensorId> nodes(nodes_.data() + first, last - first + 1);
        queued_[split.backend.index()] = event;
        return at(event, [&] {
            return recorder_.timed(event, [&] {
                const Status status = plans != nullptr ? plans->compute(id, backend, graph_, nodes)
                                                       : backend.compute_async(graph_, nodes);
                if ((options_.time_splits || options_.time_nodes) && !options_.leave_running)
                    backend.synchronize();
                if (status == Status::aborted && job_.stop_requested()) stopped_ = true;
                return status;
            });
        });
    }

    /// Replaces the event of nodes computed together by one event per node, with the device's times. Assumes
    /// that device and host ended together; the remaining time is overhead before the first node.
    void share_out(ExecutionRecorder::Clock::time_point begin,
                   const std::vector<std::chrono::nanoseconds>& times) {
        ExecutionEvent event = recorder_.take_last();
        if (times.size() != event.last_node - event.first_node + 1) {
            recorder_.put(event);
            return;
        }
        std::chrono::nanoseconds sum{};
        for (const auto time : times) sum += time;
        std::chrono::nanoseconds at = std::max(event.end - sum, recorder_.since_start(begin));
        for (std::size_t i = 0; i < times.size(); ++i) {
            ExecutionEvent node = event;
            node.first_node = node.last_node = event.first_node + i;
            node.start = at;
            node.end = at += times[i];
            recorder_.put(node);
        }
    }

    Status compute_all(SplitId id, const Split& split) {
        if (split.start == split.end) return Status::success;
        if (!options_.time_nodes) {
            want_from(split);
            return compute_together(id, split, split.start, split.end - 1, options_.plans);
        }
        return compute_range(id, split, split.start, split.end - 1);
    }

    /// Whether to continue. Time spent inspecting or paused is excluded.
    bool observed(TensorId node) {
        const auto begin = ExecutionRecorder::Clock::now();
        const bool go_on = options_.callback(node, false);
        recorder_.exclude_since(begin);
        return go_on;
    }

    /// The ask/observe protocol of scheduler.md §7.3.
    Status compute_observed(SplitId id, const Split& split) {
        for (std::size_t first = split.start; first < split.end;) {
            if (job_.stop_requested()) {
                stopped_ = true;
                return Status::aborted;
            }
            std::size_t last = first;
            bool wanted = options_.callback(nodes_[last], true);
            while (!wanted && last + 1 < split.end) wanted = options_.callback(nodes_[++last], true);
            const Status status = compute_range(id, split, first, last);
            if (status != Status::success && policy_.status) return status;
            if (policy_.sync_after_range) backend_of(split.backend).synchronize();
            if (wanted && !observed(nodes_[last])) return Status::success;
            first = last + 1;
        }
        return Status::success;
    }

    const Schedule& schedule_;
    const BoundGraph& graph_;
    std::span<Backend* const> backends_;
    const std::vector<std::vector<std::unique_ptr<Event>>>& events_;
    const ExecutorOptions& options_;
    const JobContext& job_;
    ComputePolicy policy_;
    std::vector<TensorId> nodes_;                        ///< Split::start and end are positions in it
    std::vector<std::optional<ExecutionEvent>> queued_;  ///< by backend: what it was given last
    ExpertCopier experts_;
    std::vector<TensorId> copies_;                                        ///< by copy_slot(): the copy in use
    std::vector<bool> read_ = std::vector<bool>(options_.wanted.size());  ///< by wanted tensor
    std::optional<BackendId> previous_;
    std::size_t plans_made_ = 0;      ///< before this run
    std::size_t plans_computed_ = 0;  ///< likewise
    bool stopped_ = false;            ///< broken off because the job was to stop
    ExecutionRecorder recorder_;
};

}  // namespace

Executor::Executor(std::span<Backend* const> backends, int n_copies)
    : backends_(backends.begin(), backends.end()) {
    if (n_copies <= 1) return;
    for (Backend* backend : backends_) {
        auto& row = events_.emplace_back();
        for (int copy = 0; copy < n_copies; ++copy) row.push_back(backend->device().new_event());
    }
}

void Executor::prepare(const Schedule& schedule, const BoundGraph& graph, const ExecutorOptions& options,
                       const JobContext& job) {
    if (options.callback || options.time_nodes || options.plans == nullptr) return;
    const std::vector<TensorId> order = nodes_in_order(schedule);
    for (std::size_t s = 0; s < schedule.splits.size() && !job.stop_requested(); ++s) {
        const Split& split = schedule.splits[s];
        Backend& backend = *backends_[split.backend.index()];
        const auto nodes = std::span(order).subspan(split.start, split.end - split.start);
        if (nodes.empty()) continue;
        std::vector<std::uint64_t> uploads;
        for (const TensorId input : split.inputs) uploads.push_back(byte_size(graph[input]));
        std::vector<TensorId> wanted;
        for (const WantedTensor& each : options.wanted) {
            if (std::ranges::find(nodes, each.tensor) != nodes.end()) wanted.push_back(each.tensor);
        }
        backend.keep_results(keeps_results(options));
        try {
            backend.prepare_transfers(graph, uploads, wanted);
            options.plans->prepare(SplitId(s), backend, graph, nodes);
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::memory) continue;
            const auto event = compute_event(SplitId(s), split.backend, split.start, split.end - 1);
            throw ComputeError(error, place_of(schedule, event, order));
        }
    }
}

Execution Executor::run(const Schedule& schedule, const BoundGraph& graph, const ExecutorOptions& options,
                        const JobContext& job) {
    if (schedule.error) {
        throw Error(ErrorKind::state, msg::kScheduleFailed(schedule.error->message), msg::kPlaceRun,
                    msg::kChangeMachineFirst);
    }
    const auto refuse = [](Message problem, Message remedy) {
        throw Error(ErrorKind::state, std::move(problem), msg::kPlaceRun, std::move(remedy));
    };
    if (schedule.machine->backends.size() != backends_.size()) {
        refuse(msg::kBackendsDiffer(schedule.machine->backends.size(), backends_.size()),
               msg::kRunOnItsMachine);
    }
    if (!events_.empty() && static_cast<std::size_t>(schedule.current_copy) >= events_.front().size()) {
        refuse(msg::kCopiesDiffer(schedule.current_copy, events_.front().size()), msg::kMatchCopies);
    }
    return Run(schedule, graph, backends_, events_, options, job).run();
}

}  // namespace splitscope
