// SPDX-License-Identifier: MIT
#include "engine/memory/context_allocator.hpp"

#include <vector>

#include "backends/interface/tensor_access.hpp"
#include "engine/memory/linear_allocator.hpp"
#include "engine/memory/messages.hpp"
#include "engine/memory/multi_buffer.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

/// Tensors for one buffer.
struct Range {
    std::size_t begin;
    std::size_t end;
    std::uint64_t size;
};

std::uint64_t needed(const BufferType& type, const BoundTensor& t) {
    if (t.tensor().is_view() || t.has_data()) return 0;
    return round_up(type.alloc_size(t.graph.view(), t.id), type.alignment());
}

std::vector<Range> cut_into_ranges(const AllocationPolicy& policy, const BufferType& type,
                                   const BoundGraph& graph, std::span<const TensorId> tensors) {
    const std::uint64_t maximum = type.max_size();
    std::vector<Range> ranges;
    std::size_t begin = 0;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const std::uint64_t size = needed(type, {graph, tensors[i]});
        if (policy.refuses_oversized_tensors && size > maximum) {
            throw Error(ErrorKind::limit, msg::kExceedsBufferMaximum(size, type.name(), maximum),
                        graph[tensors[i]].name, msg::kUseOtherBufferType);
        }
        const bool too_much = size > maximum || sum > maximum - size;
        // Later generations allocate a separate buffer for an oversized tensor, which the type may refuse.
        if (too_much && (policy.refuses_oversized_tensors || sum > 0)) {
            ranges.push_back({begin, i, sum});
            begin = i;
            sum = size;
        } else {
            sum += size;
        }
    }
    if (sum > 0) ranges.push_back({begin, tensors.size(), sum});
    return ranges;
}

/// Restores tensor places on scope exit unless kept.
class PlaceGuard {
 public:
    PlaceGuard(const BoundGraph& graph, std::span<const TensorId> tensors)
        : graph_(graph), tensors_(tensors) {
        for (const TensorId id : tensors) before_.push_back(graph.place(id));
    }
    ~PlaceGuard() {
        if (kept_) return;
        for (std::size_t i = 0; i < before_.size(); ++i) graph_.place(tensors_[i]) = before_[i];
    }
    PlaceGuard(const PlaceGuard&) = delete;
    PlaceGuard& operator=(const PlaceGuard&) = delete;
    void keep() { kept_ = true; }

 private:
    const BoundGraph& graph_;
    std::span<const TensorId> tensors_;
    std::vector<TensorPlace> before_;
    bool kept_ = false;
};

void require_success(Status status, const BoundTensor& t) {
    if (status == Status::success) return;
    throw Error(ErrorKind::memory, msg::kBufferInitFailed, t.tensor().name, msg::kUseOtherBufferType);
}

void fill(const AllocationPolicy& policy, Buffer& buffer, const BoundGraph& graph,
          std::span<const TensorId> tensors) {
    LinearAllocator allocator(buffer);
    for (const TensorId id : tensors) {
        const BoundTensor t{graph, id};
        if (!t.tensor().is_view()) {
            if (!t.has_data()) require_success(allocator.allocate(t), t);
        } else if (policy.live_tensors) {
            // The early generation initialises every view in this buffer.
            require_success(view_init(t), t);
            t.place().buffer = &buffer;
        } else if (t.place().buffer == nullptr) {
            require_success(view_init(t), t);
        }
    }
}

}  // namespace

std::unique_ptr<Buffer> allocate_context(const AllocationPolicy& policy, BufferType& type,
                                         const BoundGraph& graph, std::span<const TensorId> tensors) {
    const std::vector<Range> ranges = cut_into_ranges(policy, type, graph, tensors);
    PlaceGuard guard(graph, tensors);
    std::vector<std::unique_ptr<Buffer>> buffers;
    for (const Range& range : ranges) {
        buffers.push_back(type.allocate(range.size));
        fill(policy, *buffers.back(), graph, tensors.subspan(range.begin, range.end - range.begin));
    }
    guard.keep();
    if (buffers.empty()) return nullptr;
    if (buffers.size() == 1) return std::move(buffers.front());
    return MultiBuffer::make(std::move(buffers));
}

std::uint64_t context_size(const AllocationPolicy& policy, const BufferType& type, const BoundGraph& graph,
                           std::span<const TensorId> tensors) {
    std::uint64_t total = 0;
    for (const Range& range : cut_into_ranges(policy, type, graph, tensors)) total += range.size;
    return total;
}

}  // namespace splitscope
