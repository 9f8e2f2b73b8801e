// SPDX-License-Identifier: MIT
#include "engine/parity/scheduler.hpp"

#include <algorithm>
#include <utility>

#include "engine/parity/messages.hpp"
#include "engine/scheduler/make_schedule.hpp"
#include "engine/scheduler/plan_allocation.hpp"
#include "engine/scheduler/run_passes.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

using Cursor = SchedulerPolicy::Cursor;

BackendId id_at(const std::vector<BackendId>& ids, std::size_t position) {
    return position < ids.size() ? ids[position] : BackendId(std::size_t{0});
}

}  // namespace

Scheduler::Scheduler(LiveMachine live, const SchedulerSettings& settings)
    : live_(std::move(live)),
      policy_(scheduler_policy(settings.generation)),
      allocation_(allocation_policy(settings.generation)),
      settings_(settings),
      types_(allocation_types(live_)),
      capacity_(table_capacity(settings.graph_size + policy_.extra_capacity)),
      n_copies_(settings.parallel ? policy_.pipeline_copies : 1),
      allocator_(allocation_, types_) {
    if (const auto error = why_not_schedulable(live_, settings.generation)) {
        throw Error(error->kind, error->message, msg::kPlaceScheduler, msg::kChangeBackends);
    }
    if (allocation_.live_tensors) {
        for (BufferType* type : types_) live_slots_.emplace_back(*type);
    }
}

void Scheduler::require(bool condition, const Sentence<>& problem, const Sentence<>& remedy) const {
    if (condition) return;
    throw Error(ErrorKind::state, problem, msg::kPlaceSchedulerOf(name_of(generation())), remedy);
}

void Scheduler::require_backend(BackendId backend) const {
    if (backend.valid() && backend.index() < live_.backends.size()) return;
    throw Error(ErrorKind::unknown, msg::kNoBackendIndex(backend.value), msg::kPlaceScheduler,
                msg::kUseBackendBelow(live_.backends.size()));
}

void Scheduler::require_capacity(const Graph& graph) const {
    const std::uint64_t needed =
        graph.nodes.size() + (allocation_.live_tensors ? policy_.extra_capacity : graph.leafs.size());
    if (needed <= capacity_) return;
    throw Error(ErrorKind::limit, msg::kNoRoom(needed, capacity_), graph.name, msg::kMakeLargerScheduler);
}

void Scheduler::reset() {
    if (!is_reset_ || allocation_.live_tensors) {
        assignments_.clear();
        for (TensorSlot& slot : live_slots_) slot.reset();
        is_reset_ = true;
    }
    is_allocated_ = false;
}

void Scheduler::set_tensor_backend(TensorId tensor, BackendId backend) {
    require_backend(backend);
    const auto known = std::ranges::find(assignments_, tensor, &Assignment::tensor);
    if (known != assignments_.end()) {
        known->backend = backend;
    } else {
        assignments_.push_back({tensor, backend});
    }
    // The early generation's setter does not change the state.
    if (!allocation_.live_tensors) is_reset_ = false;
}

BackendId Scheduler::tensor_backend(TensorId tensor) const {
    const auto assigned = std::ranges::find(assignments_, tensor, &Assignment::tensor);
    if (!is_reset_ && schedule_ != nullptr) {
        if (tensor.index() < schedule_->backend.size()) return schedule_->backend[tensor.index()];
        const std::size_t added = tensor.index() - schedule_->backend.size();
        // Only the early generation assigns copies to backends.
        if (allocation_.live_tensors && added < schedule_->added_info.size())
            return schedule_->added_info[added].backend;
    }
    return assigned != assignments_.end() ? assigned->backend : BackendId();
}

void Scheduler::run_split(std::shared_ptr<const Graph> graph) {
    is_reset_ = false;
    const SplitCall call{.graph = std::move(graph),
                         .live = live_,
                         .generation = generation(),
                         .assignments = assignments_,
                         .op_offload = settings_.op_offload,
                         .n_copies = n_copies_,
                         .current_copy = current_copy_,
                         .trace = settings_.trace};
    schedule_ = std::make_shared<const Schedule>(run_passes(call, slots_, {}));
    if (schedule_->error) {
        const ScheduleError& error = *schedule_->error;
        throw Error(error.kind, error.message,
                    error.tensor.valid() ? schedule_->tensor(error.tensor).name : std::string(),
                    msg::kLookAtDecisions);
    }
    previous_node_ids_ = std::exchange(node_ids_, {});
    previous_leaf_ids_ = std::exchange(leaf_ids_, {});
    for (const ScheduledItem& item : schedule_->nodes) node_ids_.push_back(item.backend);
    for (const ScheduledItem& item : schedule_->leafs) leaf_ids_.push_back(item.backend);
}

/// Compares ids by buffer type: a move between backends with the same type is not a change.
bool Scheduler::buffers_changed() const {
    const auto differ = [&](const std::vector<BackendId>& now, const std::vector<BackendId>& before) {
        for (std::size_t i = 0; i < now.size(); ++i) {
            const BackendId old = id_at(before, i);
            if (now[i] == old) continue;
            if (!now[i].valid() || !old.valid() || types_[now[i].index()] != types_[old.index()]) return true;
        }
        return false;
    };
    return differ(node_ids_, previous_node_ids_) || differ(leaf_ids_, previous_leaf_ids_);
}

void Scheduler::wait_for_backends() const {
    for (Backend* backend : live_.backends) backend->synchronize();
}

bool Scheduler::allocate_schedule() {
    failure_.clear();
    const ScheduleAllocation allocation(*schedule_, settings_.trace);
    const bool changed = buffers_changed();
    replanned_ = changed || allocator_.needs_reserve(allocation.request());
    // With a single buffer type, the allocator reserves automatically.
    if (changed || (replanned_ && types_.size() > 1)) {
        wait_for_backends();
        if (!allocator_.reserve(allocation.request())) {
            failure_ = allocator_.failure();
            return false;
        }
    }
    if (!allocator_.allocate(allocation.request())) {
        failure_ = allocator_.failure();
        return false;
    }
    plan_ = std::make_shared<const AllocationPlan>(allocator_.plan());
    return true;
}

bool Scheduler::reserve(std::shared_ptr<const Graph> graph) {
    require(!allocation_.live_tensors, msg::kCannotReserve, msg::kCallInitMeasure);
    require_capacity(*graph);
    if (policy_.cursor == Cursor::advances_when_allocated) synchronise();
    run_split(std::move(graph));
    if (policy_.resets_cursor_on_synchronise && policy_.cursor == Cursor::advances_after_compute)
        synchronise();
    const ScheduleAllocation allocation(*schedule_, settings_.trace);
    if (!allocator_.reserve(allocation.request())) {
        failure_ = allocator_.failure();
        return false;
    }
    reset();
    if (!policy_.resets_cursor_on_synchronise) synchronise();
    return true;
}

std::vector<std::uint64_t> Scheduler::reserve_size(std::shared_ptr<const Graph> graph) {
    require(generation() == Generation::g2026_08, msg::kCannotMeasureOnly, msg::kCallReserve);
    require_capacity(*graph);
    reset();
    synchronise();
    run_split(std::move(graph));
    const ScheduleAllocation allocation(*schedule_, settings_.trace);
    return allocator_.reserve_size(allocation.request());
}

void Scheduler::split(std::shared_ptr<const Graph> graph) {
    require(generation() == Generation::g2026_08, msg::kCannotSplitOnly, msg::kCallAlloc);
    require_capacity(*graph);
    run_split(std::move(graph));
}

bool Scheduler::alloc(std::shared_ptr<const Graph> graph) {
    require_capacity(*graph);
    if (allocation_.live_tensors) {
        if (!is_reset_) reset();
        run_split(std::move(graph));
        return allocate_live();
    }
    require(!is_allocated_, msg::kGraphAllocated, msg::kCallReset);
    if (policy_.cursor == Cursor::advances_when_allocated) {
        current_copy_ = next_copy_;
        next_copy_ = (next_copy_ + 1) % n_copies_;
    }
    run_split(std::move(graph));
    if (!allocate_schedule()) return false;
    is_allocated_ = true;
    computed_ = false;
    return true;
}

bool Scheduler::prepare_compute(std::shared_ptr<const Graph> graph) {
    if (allocation_.live_tensors) return alloc(std::move(graph));
    if (!is_reset_ && !is_allocated_) reset();
    if (!is_allocated_) return alloc(std::move(graph));
    require(!(computed_ && n_copies_ > 1 && policy_.cursor == Cursor::advances_after_compute),
            msg::kReadsFirstCopies, msg::kResetAndAllocate);
    return true;
}

void Scheduler::finish_compute(Status status) {
    computed_ = true;
    if (status == Status::success && policy_.cursor == Cursor::advances_after_compute) {
        current_copy_ = (current_copy_ + 1) % n_copies_;
    }
}

void Scheduler::synchronise() {
    wait_for_backends();
    if (is_allocated_ || !policy_.resets_cursor_on_synchronise) return;
    if (policy_.cursor == Cursor::advances_when_allocated) {
        next_copy_ = 0;
    } else {
        current_copy_ = 0;
    }
}

void Scheduler::init_measure(std::shared_ptr<const Graph> graph) {
    require(allocation_.live_tensors, msg::kMeasuresByReserving, msg::kCallReserve);
    require(live_slots_.front().is_measuring(), msg::kMeasuredAlready, msg::kMakeNewScheduler);
    run_split(std::move(graph));
    const ScheduleAllocation allocation(*schedule_, false);
    LiveGraphAllocator(allocation_, live_slots_, allocation.request()).run();
    for (TensorSlot& slot : live_slots_) {
        live_buffers_.push_back(slot.type().allocate(slot.size_with_margin()));
        slot.make_real(live_buffers_.back()->size());
    }
    reset();
}

bool Scheduler::allocate_live() {
    const ScheduleAllocation allocation(*schedule_, settings_.trace);
    AllocationPlan plan;
    LiveGraphAllocator allocator(allocation_, live_slots_, allocation.request());
    allocator.run();
    for (std::size_t i = 0; i < allocation.request().graph.tensor_count(); ++i) {
        plan.places.push_back(allocator.place_of(TensorId(i)));
    }
    plan.events = allocator.take_events();
    for (const TensorSlot& slot : live_slots_) {
        plan.buffers.push_back({.buffer_type = slot.type().name(),
                                .size = slot.size(),
                                .chunk_sizes = {slot.size()},
                                .shared_with = {},
                                .measured_size = slot.peak()});
    }
    plan_ = std::make_shared<const AllocationPlan>(std::move(plan));
    return true;
}

Backend& Scheduler::backend(std::size_t index) const {
    require_backend(BackendId(index));
    return *live_.backends[index];
}

BufferType& Scheduler::buffer_type(BackendId backend) const {
    require_backend(backend);
    return *types_[backend.index()];
}

BackendId Scheduler::backend_id(const Backend& backend) const {
    const auto found = std::ranges::find(live_.backends, &backend);
    return found != live_.backends.end() ? BackendId(static_cast<std::size_t>(found - live_.backends.begin()))
                                         : BackendId();
}

const TensorSlot& Scheduler::slot(BackendId backend) const {
    require_backend(backend);
    require(allocation_.live_tensors, msg::kOneAllocator, msg::kAskForBuffers);
    return live_slots_[backend.index()];
}

std::uint64_t Scheduler::buffer_size(BackendId backend) const {
    require_backend(backend);
    if (allocation_.live_tensors) return live_slots_[backend.index()].size();
    return allocator_.buffer_size(backend.index());
}

Buffer* Scheduler::buffer(BackendId backend, std::size_t chunk) const {
    require_backend(backend);
    if (!allocation_.live_tensors) return allocator_.buffer(backend.index(), chunk);
    return chunk == 0 && backend.index() < live_buffers_.size() ? live_buffers_[backend.index()].get()
                                                                : nullptr;
}

}  // namespace splitscope
