// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "backends/interface/backend.hpp"
#include "engine/memory/allocation_plan.hpp"
#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// The compute buffers of a set of backends. They only grow and can be reused by other schedules.
class ComputeBuffers {
 public:
    /// Grows every buffer (and chunk) to at least the size in the plan. Throws Error(memory).
    void ensure(const AllocationPlan& plan, const Schedule& schedule, std::span<Backend* const> backends);
    /// Whether ensure() would replace no buffer.
    bool hold(const AllocationPlan& plan) const;
    Buffer& at(BufferPosition position, std::int32_t chunk) const;

 private:
    struct Position {
        std::vector<std::unique_ptr<Buffer>> chunks;
        std::size_t owner = 0;  ///< the position whose chunks it uses
    };
    std::vector<Position> positions_;
};

/// Returns the memory of a pre-allocated tensor (weight, cache or input kept by the host).
using FindPlace = std::function<TensorPlace(TensorId tensor)>;

/// Returns the buffer (or chunk) of a position of the plan.
using FindBuffer = std::function<Buffer&(BufferPosition position, std::int32_t chunk)>;

/// A schedule whose tensors are all placed in real buffers, ready to run.
class BoundSchedule {
 public:
    /// `preallocated` is called for each tensor of the graph that names a buffer. Views are initialised after
    /// their base tensors. The buffers must outlive the object.
    BoundSchedule(std::shared_ptr<const Schedule> schedule, const AllocationPlan& plan,
                  const FindBuffer& buffers, const FindPlace& preallocated);
    BoundSchedule(std::shared_ptr<const Schedule> schedule, const AllocationPlan& plan,
                  const ComputeBuffers& buffers, const FindPlace& preallocated);

    const Schedule& schedule() const { return *schedule_; }
    const BoundGraph& graph() const { return graph_; }

 private:
    std::shared_ptr<const Schedule> schedule_;
    std::vector<TensorPlace> places_;
    BoundGraph graph_;
};

}  // namespace splitscope
