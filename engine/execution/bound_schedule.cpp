// SPDX-License-Identifier: MIT
#include "engine/execution/bound_schedule.hpp"

#include "backends/interface/tensor_access.hpp"
#include "engine/execution/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

void require_set_up(const BoundTensor& t, Status status) {
    if (status == Status::success) return;
    throw Error(ErrorKind::memory, msg::kInitialiseFailed(name_of(status)), t.tensor().name,
                msg::kPlaceElsewhere);
}

/// Name of the largest tensor of a part of a buffer, for errors; empty when there is none.
std::string largest_in(const AllocationPlan& plan, const Schedule& schedule, std::size_t buffer,
                       std::size_t chunk) {
    std::string name;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < plan.places.size(); ++i) {
        const auto& place = plan.places[i];
        if (!place || place->buffer.index() != buffer || static_cast<std::size_t>(place->chunk) != chunk ||
            place->size <= most)
            continue;
        most = place->size;
        name = schedule.tensor(TensorId(i)).name;
    }
    return name;
}

}  // namespace

void ComputeBuffers::ensure(const AllocationPlan& plan, const Schedule& schedule,
                            std::span<Backend* const> backends) {
    positions_.resize(plan.buffers.size());
    for (std::size_t p = 0; p < plan.buffers.size(); ++p) {
        const auto& info = plan.buffers[p];
        Position& position = positions_[p];
        position.owner = info.shared_with.valid() ? info.shared_with.index() : p;
        if (position.owner != p) continue;
        if (position.chunks.size() < info.chunk_sizes.size()) position.chunks.resize(info.chunk_sizes.size());
        for (std::size_t c = 0; c < info.chunk_sizes.size(); ++c) {
            auto& chunk = position.chunks[c];
            if (chunk != nullptr && chunk->size() >= info.chunk_sizes[c]) continue;
            chunk.reset();
            try {
                chunk = backends[p]->default_buffer_type().allocate(info.chunk_sizes[c]);
            } catch (const Cancelled&) {
                throw;
            } catch (const Error& error) {
                const std::string largest = largest_in(plan, schedule, p, c);
                throw largest.empty() ? error : error.within(largest);
            }
            chunk->set_usage(BufferUsage::compute);
        }
    }
}

bool ComputeBuffers::hold(const AllocationPlan& plan) const {
    for (std::size_t p = 0; p < plan.buffers.size(); ++p) {
        const auto& info = plan.buffers[p];
        if (info.shared_with.valid() && info.shared_with.index() != p) continue;
        for (std::size_t c = 0; c < info.chunk_sizes.size(); ++c) {
            const bool exists = p < positions_.size() && c < positions_[p].chunks.size();
            const Buffer* const chunk = exists ? positions_[p].chunks[c].get() : nullptr;
            if (chunk != nullptr && chunk->size() < info.chunk_sizes[c]) return false;
        }
    }
    return true;
}

Buffer& ComputeBuffers::at(BufferPosition position, std::int32_t chunk) const {
    const Position& own = positions_[position.index()];
    return *positions_[own.owner].chunks[static_cast<std::size_t>(chunk)];
}

BoundSchedule::BoundSchedule(std::shared_ptr<const Schedule> schedule, const AllocationPlan& plan,
                             const ComputeBuffers& buffers, const FindPlace& preallocated)
    : BoundSchedule(
          std::move(schedule), plan,
          [&](BufferPosition position, std::int32_t chunk) -> Buffer& { return buffers.at(position, chunk); },
          preallocated) {}

BoundSchedule::BoundSchedule(std::shared_ptr<const Schedule> schedule, const AllocationPlan& plan,
                             const FindBuffer& buffers, const FindPlace& preallocated)
    : schedule_(std::move(schedule)),
      places_(schedule_->graph->tensors.size() + schedule_->added.size()),
      graph_(schedule_->view(), places_) {
    const auto for_each_tensor = [&](auto&& visit) {
        for (std::size_t i = 0; i < places_.size(); ++i) visit(TensorId(i));
    };
    for_each_tensor([&](TensorId id) {
        const Tensor& t = graph_[id];
        if (t.is_view()) return;
        if (t.buffer.valid()) {
            graph_.place(id) = preallocated(id);
        } else if (id.index() < plan.places.size() && plan.places[id.index()]) {
            const PlannedPlace& place = *plan.places[id.index()];
            require_set_up({graph_, id},
                           tensor_alloc({graph_, id}, buffers(place.buffer, place.chunk), place.offset));
        }
    });
    for_each_tensor([&](TensorId id) {
        if (graph_[id].is_view() && graph_.place(graph_[id].view_src).buffer != nullptr)
            require_set_up({graph_, id}, view_init({graph_, id}));
    });
}

}  // namespace splitscope
