// SPDX-License-Identifier: MIT
// Functions interposed for a debugger (attach.md §1.1). Without one, each only calls the original.
#include <array>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "recorder/agent.hpp"
#include "recorder/real_functions.hpp"

namespace splitscope::recorder {
namespace {

/// Scope of a computation.
class Computation {
 public:
    explicit Computation(Scheduler scheduler) : agent_(Agent::active()) {
        if (agent_ != nullptr) agent_->begin(scheduler);
    }
    ~Computation() {
        if (agent_ != nullptr) agent_->end(status_);
    }
    Computation(const Computation&) = delete;
    Computation& operator=(const Computation&) = delete;
    int ended(int status) { return status_ = status; }

 private:
    Agent* agent_;
    int status_ = 0;
};

constexpr int kComputingFailed = -1;

}  // namespace
}  // namespace splitscope::recorder

using namespace splitscope::recorder;

#pragma GCC visibility push(default)
extern "C" {

void ggml_backend_sched_set_eval_callback(Scheduler scheduler, EvalCallback* callback, void* user) {
    using Function = void(Scheduler, EvalCallback*, void*);
    static auto* const function = hidden<Function>("ggml_backend_sched_set_eval_callback");
    if (function == nullptr) return;
    if (Agent* const agent = Agent::active()) agent->own_callback(scheduler, callback, user);
    function(scheduler, callback, user);
}

int ggml_backend_sched_graph_compute_async(Scheduler scheduler, ComputeGraph graph) {
    using Function = int(Scheduler, ComputeGraph);
    static auto* const function = hidden<Function>("ggml_backend_sched_graph_compute_async");
    if (function == nullptr) return kComputingFailed;
    Computation computation(scheduler);
    return computation.ended(function(scheduler, graph));
}

int ggml_backend_sched_graph_compute(Scheduler scheduler, ComputeGraph graph) {
    using Function = int(Scheduler, ComputeGraph);
    static auto* const function = hidden<Function>("ggml_backend_sched_graph_compute");
    if (function == nullptr) return kComputingFailed;
    Computation computation(scheduler);
    return computation.ended(function(scheduler, graph));
}

void ggml_backend_synchronize(Backend backend) {
    using Function = void(Backend);
    static auto* const function = hidden<Function>("ggml_backend_synchronize");
    if (function == nullptr) return;
    function(backend);
    if (Agent* const agent = Agent::active()) agent->backend_done();
}

void ggml_backend_tensor_copy(TensorPtr source, TensorPtr target) {
    using Function = void(TensorPtr, TensorPtr);
    static auto* const function = hidden<Function>("ggml_backend_tensor_copy");
    if (function == nullptr) return;
    Agent* const agent = Agent::active();
    const auto start = std::chrono::steady_clock::now();
    function(source, target);
    if (agent != nullptr) agent->copied(source, start);
}

/// The engine's message before it aborts the process.
[[noreturn]] void ggml_abort(const char* file, int line, const char* format, ...) {
    using Function = void(const char*, int, const char*, ...);
    std::array<char, 8192> text{};
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text.data(), text.size(), format, arguments);
    va_end(arguments);
    if (Agent* const agent = Agent::active()) {
        std::array<char, 9000> message{};
        std::snprintf(message.data(), message.size(), "%s:%d: %s", file, line, text.data());
        agent->send_abort_message(message.data());
    }
    static auto* const function = hidden<Function>("ggml_abort");
    if (function != nullptr) function(file, line, "%s", text.data());
    std::abort();
}

}  // extern "C"
#pragma GCC visibility pop
