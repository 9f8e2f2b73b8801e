// SPDX-License-Identifier: MIT
#include "engine/parity/graph_computer.hpp"

#include <utility>
#include <vector>

#include "engine/parity/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

std::vector<Backend*> backends_of(const Scheduler& scheduler) {
    std::vector<Backend*> backends;
    for (std::size_t b = 0; b < scheduler.backend_count(); ++b) backends.push_back(&scheduler.backend(b));
    return backends;
}

}  // namespace

GraphComputer::GraphComputer(Scheduler& scheduler, FindPreallocated preallocated)
    : scheduler_(scheduler),
      preallocated_(std::move(preallocated)),
      executor_(backends_of(scheduler), scheduler.copy_count()) {}

bool GraphComputer::prepare(std::shared_ptr<const Graph> graph) {
    // Reallocation may free buffers that the bound schedule refers to.
    auto bound = std::exchange(bound_, std::nullopt);
    if (!scheduler_.prepare_compute(std::move(graph))) return false;
    if (bound && plan_ == scheduler_.plan()) {
        bound_ = std::move(bound);
        return true;
    }
    plans_.reset();
    plan_ = scheduler_.plan();
    const std::shared_ptr<const Schedule>& schedule = scheduler_.schedule();
    const auto buffer_of = [&](BufferPosition position, std::int32_t chunk) -> Buffer& {
        Buffer* buffer = scheduler_.buffer(BackendId(position.index()), static_cast<std::size_t>(chunk));
        if (buffer != nullptr) return *buffer;
        throw Error(ErrorKind::state, msg::kNoComputeBuffer, scheduler_.backend(position.index()).name(),
                    msg::kReserveFirst);
    };
    bound_.emplace(schedule, *plan_, buffer_of,
                   [&](TensorId id) { return preallocated_(*schedule->graph, id); });
    plans_.emplace();
    return true;
}

const BoundSchedule& GraphComputer::bound() const {
    if (!bound_) throw Error(ErrorKind::state, msg::kNoGraphPrepared, msg::kPlaceCompute, msg::kPrepareFirst);
    return *bound_;
}

Execution GraphComputer::compute(const ExecutorOptions& options, const JobContext& job) {
    const BoundSchedule& prepared = bound();
    ExecutorOptions own = options;
    if (own.plans == nullptr) own.plans = &*plans_;
    Execution execution = executor_.run(prepared.schedule(), prepared.graph(), own, job);
    scheduler_.finish_compute(execution.status);
    return execution;
}

}  // namespace splitscope
