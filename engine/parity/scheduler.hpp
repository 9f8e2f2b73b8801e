// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "backends/interface/live_machine.hpp"
#include "engine/memory/live_graph_allocator.hpp"
#include "engine/parity/graph_allocator.hpp"
#include "engine/scheduler/policy.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/scheduler/split_pass.hpp"

namespace splitscope {

struct SchedulerSettings {
    Generation generation = Generation::g2024_10;
    /// Capacity in nodes and leafs (scheduler.md §8.1).
    std::size_t graph_size = 4096;
    bool parallel = false;
    bool op_offload = true;
    bool trace = true;
};

/// A persistent scheduler with user assignments, reservation, pipeline cursors and state that is kept between
/// graphs (scheduler.md §8; §10 for 2024-01). Graphs are not modified: every split starts from the graph as
/// built. Scheduling errors are thrown; schedule() holds the decisions up to the error. Calls in the wrong
/// order throw Error(state). If memory allocation fails, calls return false.
class Scheduler {
 public:
    /// The machine's backends in order, with their default buffer types. Errors: limit, state, unsupported.
    Scheduler(LiveMachine live, const SchedulerSettings& settings);

    Generation generation() const { return policy_.generation; }

    // Before a graph ----------------------------------------------------------------------------------------
    /// Clears assignments and the current graph.
    void reset();
    /// Assigns a tensor until the next reset. Since 2024-10, only an explicit alloc() or reserve() uses it:
    /// compute resets a scheduler that is not allocated (§8.3). Errors: unknown.
    void set_tensor_backend(TensorId tensor, BackendId backend);
    /// The backend of a tensor, assigned by the user or by the last split; none after a reset.
    BackendId tensor_backend(TensorId tensor) const;

    // Memory ------------------------------------------------------------------------------------------------
    /// Plans for the largest expected graph and allocates its buffers. Since 2024-10.
    bool reserve(std::shared_ptr<const Graph> graph);
    /// The bytes per backend that the graph would need, without allocating. 2026-08.
    std::vector<std::uint64_t> reserve_size(std::shared_ptr<const Graph> graph);
    /// The measuring run of 2024-01: once, before the first graph.
    void init_measure(std::shared_ptr<const Graph> graph);

    // A graph -----------------------------------------------------------------------------------------------
    /// Splits without allocating. 2026-08.
    void split(std::shared_ptr<const Graph> graph);
    bool alloc(std::shared_ptr<const Graph> graph);
    /// The preparation of graph_compute_async: resets and allocates if required. False if memory allocation
    /// fails. Then run the schedule and call finish_compute() with the status.
    bool prepare_compute(std::shared_ptr<const Graph> graph);
    void finish_compute(Status status);
    /// Waits for all backends in order; since 2025-06 also resets the cursor if nothing is allocated.
    void synchronise();

    // Results -----------------------------------------------------------------------------------------------
    /// The schedule of the last split call; null before the first.
    const std::shared_ptr<const Schedule>& schedule() const { return schedule_; }
    /// The plan of the last successful alloc(); null before the first.
    const std::shared_ptr<const AllocationPlan>& plan() const { return plan_; }
    /// Whether the last alloc() made a new plan instead of reusing the reservation.
    bool replanned() const { return replanned_; }
    /// Why the last call returned false.
    const std::string& failure() const { return failure_; }
    std::size_t split_count() const { return schedule_ ? schedule_->splits.size() : 0; }
    int copy_count() const { return n_copies_; }
    int current_copy() const { return current_copy_; }
    std::size_t backend_count() const { return live_.backends.size(); }
    /// A backend by index. Errors: unknown.
    Backend& backend(std::size_t index) const;
    BufferType& buffer_type(BackendId backend) const;
    /// Index of a backend; none if it does not belong to this scheduler.
    BackendId backend_id(const Backend& backend) const;
    /// The backend's tensor allocator of 2024-01. Errors: unknown, state.
    const TensorSlot& slot(BackendId backend) const;
    std::uint64_t buffer_size(BackendId backend) const;
    /// The buffer of the backend's tensors, or null. Errors: unknown.
    Buffer* buffer(BackendId backend, std::size_t chunk = 0) const;
    bool is_reset() const { return is_reset_; }
    bool is_allocated() const { return is_allocated_; }

 private:
    void require_capacity(const Graph& graph) const;
    void require_backend(BackendId backend) const;
    void require(bool condition, const Sentence<>& problem, const Sentence<>& remedy) const;
    void run_split(std::shared_ptr<const Graph> graph);
    bool allocate_schedule();
    bool allocate_live();
    bool buffers_changed() const;
    void wait_for_backends() const;

    LiveMachine live_;
    const SchedulerPolicy& policy_;
    const AllocationPolicy& allocation_;
    SchedulerSettings settings_;
    std::vector<BufferType*> types_;
    std::uint64_t capacity_;
    int n_copies_;
    int current_copy_ = 0;
    int next_copy_ = 0;
    bool is_reset_ = true;
    bool is_allocated_ = false;
    bool computed_ = false;  ///< since the last alloc
    bool replanned_ = false;

    std::vector<Assignment> assignments_;
    SplitSlots slots_;
    std::vector<BackendId> node_ids_;  ///< of the last split call, by position in its schedule graph
    std::vector<BackendId> leaf_ids_;
    std::vector<BackendId> previous_node_ids_;
    std::vector<BackendId> previous_leaf_ids_;

    GraphAllocator allocator_;
    std::vector<TensorSlot> live_slots_;                 ///< 2024-01
    std::vector<std::unique_ptr<Buffer>> live_buffers_;  ///< 2024-01, after the measuring run
    std::shared_ptr<const Schedule> schedule_;
    std::shared_ptr<const AllocationPlan> plan_;
    std::string failure_;
};

}  // namespace splitscope
