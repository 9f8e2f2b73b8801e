// SPDX-License-Identifier: MIT
// ggml functions that this library interposes (capture.md §1.1). Each calls the original with the same
// arguments and returns its result; the recorder only observes.
#include <chrono>

#include "recorder/recorder.hpp"

namespace splitscope::recorder {
namespace {

/// Scope of a scheduling call.
class Watch {
 public:
    Watch(Scheduler scheduler, ComputeGraph graph, Purpose purpose) : recorder_(Recorder::active()) {
        if (recorder_ != nullptr) recorder_->begin(scheduler, graph, purpose);
    }
    ~Watch() {
        if (recorder_ != nullptr) recorder_->end();
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    void decided(ComputeGraph scheduled) {
        if (recorder_ != nullptr) recorder_->decided(scheduled);
    }
    void measured(const std::size_t* sizes) {
        if (recorder_ != nullptr) recorder_->measured(sizes);
    }

 private:
    Recorder* recorder_;
};

}  // namespace
}  // namespace splitscope::recorder

using namespace splitscope::recorder;

#pragma GCC visibility push(default)
extern "C" {

// The 2024 function has no last argument and ignores it.
Scheduler ggml_backend_sched_new(Backend* backends, BufferType* buffer_types, int count,
                                 std::size_t graph_size, bool parallel, bool op_offload) {
    using Function = Scheduler(Backend*, BufferType*, int, std::size_t, bool, bool);
    static auto* const function = hidden<Function>("ggml_backend_sched_new");
    if (function == nullptr) return nullptr;
    const Scheduler made = function(backends, buffer_types, count, graph_size, parallel, op_offload);
    if (Agent* const agent = Agent::active()) agent->scheduler_made(made);
    if (Recorder* const recorder = Recorder::active()) {
        recorder->scheduler_made(made, backends, buffer_types, count, parallel, op_offload);
    }
    return made;
}

void ggml_backend_sched_split_graph(Scheduler scheduler, ComputeGraph graph) {
    using Function = void(Scheduler, ComputeGraph);
    static auto* const function = hidden<Function>("ggml_backend_sched_split_graph");
    if (function == nullptr) return;
    Watch watch(scheduler, graph, Purpose::split);
    function(scheduler, graph);
    watch.decided(nullptr);
}

bool ggml_backend_sched_alloc_graph(Scheduler scheduler, ComputeGraph graph) {
    using Function = bool(Scheduler, ComputeGraph);
    static auto* const function = hidden<Function>("ggml_backend_sched_alloc_graph");
    if (function == nullptr) return false;
    Watch watch(scheduler, graph, Purpose::decode);
    return function(scheduler, graph);
}

bool ggml_backend_sched_reserve(Scheduler scheduler, ComputeGraph graph) {
    using Function = bool(Scheduler, ComputeGraph);
    static auto* const function = hidden<Function>("ggml_backend_sched_reserve");
    if (function == nullptr) return false;
    Watch watch(scheduler, graph, Purpose::reserve);
    return function(scheduler, graph);
}

void ggml_backend_sched_reserve_size(Scheduler scheduler, ComputeGraph graph, std::size_t* sizes) {
    using Function = void(Scheduler, ComputeGraph, std::size_t*);
    static auto* const function = hidden<Function>("ggml_backend_sched_reserve_size");
    if (function == nullptr) return;
    Watch watch(scheduler, graph, Purpose::reserve);
    function(scheduler, graph, sizes);
    watch.measured(sizes);
}

bool ggml_gallocr_reserve_n(Allocator allocator, ComputeGraph graph, const int* node_ids,
                            const int* leaf_ids) {
    using Function = bool(Allocator, ComputeGraph, const int*, const int*);
    static auto* const function = hidden<Function>("ggml_gallocr_reserve_n");
    if (function == nullptr) return false;
    if (Recorder* const recorder = Recorder::active()) recorder->decided(graph);
    return function(allocator, graph, node_ids, leaf_ids);
}

void ggml_gallocr_reserve_n_size(Allocator allocator, ComputeGraph graph, const int* node_ids,
                                 const int* leaf_ids, std::size_t* sizes) {
    using Function = void(Allocator, ComputeGraph, const int*, const int*, std::size_t*);
    static auto* const function = hidden<Function>("ggml_gallocr_reserve_n_size");
    if (function == nullptr) return;
    if (Recorder* const recorder = Recorder::active()) recorder->decided(graph);
    function(allocator, graph, node_ids, leaf_ids, sizes);
}

bool ggml_gallocr_alloc_graph(Allocator allocator, ComputeGraph graph) {
    using Function = bool(Allocator, ComputeGraph);
    static auto* const function = hidden<Function>("ggml_gallocr_alloc_graph");
    if (function == nullptr) return false;
    if (Recorder* const recorder = Recorder::active()) recorder->decided(graph);
    return function(allocator, graph);
}

int ggml_backend_graph_compute_async(Backend backend, ComputeGraph graph) {
    using Function = int(Backend, ComputeGraph);
    static auto* const function = hidden<Function>("ggml_backend_graph_compute_async");
    constexpr int kFailed = -1;
    if (function == nullptr) return kFailed;
    Recorder* const recorder = Recorder::active();
    if (recorder == nullptr) return function(backend, graph);
    if (Agent* const agent = Agent::active()) {
        agent->part_begins();
        const int given = function(backend, graph);
        agent->part_given(graph);
        return given;
    }
    const auto start = std::chrono::steady_clock::now();
    const int status = function(backend, graph);
    recorder->computed(graph, std::chrono::steady_clock::now() - start);
    return status;
}

bool ggml_backend_supports_op(Backend backend, TensorPtr node) {
    using Function = bool(Backend, TensorPtr);
    static auto* const function = hidden<Function>("ggml_backend_supports_op");
    if (function == nullptr) return false;
    const bool answer = function(backend, node);
    if (Recorder* const recorder = Recorder::active()) recorder->support_answered(backend, node, answer);
    return answer;
}

bool ggml_backend_offload_op(Backend backend, TensorPtr node) {
    using Function = bool(Backend, TensorPtr);
    static auto* const function = hidden<Function>("ggml_backend_offload_op");
    if (function == nullptr) return false;
    const bool answer = function(backend, node);
    if (Recorder* const recorder = Recorder::active()) recorder->offload_answered(backend, node, answer);
    return answer;
}

}  // extern "C"
#pragma GCC visibility pop
