// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/memory/allocation_plan.hpp"
#include "engine/memory/best_fit_allocator.hpp"
#include "engine/memory/graph_planner.hpp"
#include "engine/tensor/graph_view.hpp"

namespace splitscope {

/// The tensor allocator of one backend in generation 2024-01 (allocator.md §8.1): best fit in one buffer.
class TensorSlot {
 public:
    /// Measure mode: an unbounded tail.
    explicit TensorSlot(BufferType& type)
        : type_(&type), blocks_(BestFitAllocator::single(type.alignment())) {}

    /// Leaves measure mode with a buffer of `bytes` bytes.
    void make_real(std::uint64_t bytes) {
        blocks_ = BestFitAllocator::single(type_->alignment(), bytes);
        real_size_ = bytes;
    }
    bool is_measuring() const { return !real_size_; }
    std::uint64_t size() const { return real_size_.value_or(1); }
    BufferType& type() const { return *type_; }
    BestFitAllocator& blocks() { return blocks_; }
    const BestFitAllocator& blocks() const { return blocks_; }

    /// Frees everything but keeps the peak.
    void reset() {
        peak_ = peak();
        blocks_.reset();
    }
    std::uint64_t peak() const {
        return std::max(peak_, blocks_.chunk_count() > 0 ? blocks_.max_size(0) : std::uint64_t{0});
    }
    /// Size for the real buffer: the peak plus 10 %.
    std::uint64_t size_with_margin() const { return peak() + peak() / 10; }

 private:
    BufferType* type_;
    BestFitAllocator blocks_;
    std::optional<std::uint64_t> real_size_;
    std::uint64_t peak_ = 0;
};

/// Graph allocation of generation 2024-01 (allocator.md §8.2): works on the tensors themselves; an in-place
/// result becomes a view of its source. Use once per graph.
class LiveGraphAllocator {
 public:
    /// `slots` by buffer position; request.tensor_positions assigns a slot to every tensor.
    LiveGraphAllocator(const AllocationPolicy& policy, std::span<TensorSlot> slots,
                       const AllocationRequest& request);

    /// Errors: memory, no-backend (a tensor without slot), unallocated (a view of an unplaced tensor). Throws
    /// Cancelled.
    void run();
    /// Processes nodes in the order of a parse sequence: node indices, with -1 where the sources of all nodes
    /// since the previous -1 may be freed.
    void run(std::span<const std::int32_t> sequence);

    std::vector<AllocationEvent> take_events() { return std::move(events_); }
    std::optional<PlannedPlace> place_of(TensorId id) const;

 private:
    static constexpr std::int32_t kNoBuffer = -1;
    static constexpr std::int32_t kExternal = -2;

    struct Live {
        TensorId view_src;  ///< as built, or since it took over another tensor's place
        std::int64_t view_offs = 0;
        std::int32_t children = 0;
        std::int32_t views = 0;
        std::int32_t buffer = kNoBuffer;  ///< slot, or kExternal
        std::int32_t space =
            kNoBuffer;  ///< the base of `address`: a slot, or -2 - tensor for external memory
        std::int64_t address = 0;
        bool has_data = false;
        bool placed_here = false;
        TensorId block;   ///< the tensor for which its memory was allocated, if it was
        TensorId holder;  ///< of such a tensor: the last one that took over its memory in place
    };

    Live& live(TensorId id) { return live_[id.index()]; }
    std::size_t slot_of(TensorId id) const;
    /// Sources up to the first hole, where this generation stops.
    std::span<const TensorId> sources(TensorId id) const;
    bool owns(std::size_t slot, TensorId id) const;
    void count_uses();
    void view_init(TensorId id);
    void visit(std::size_t node);
    void release_sources(std::size_t node);
    void place(TensorId id);
    bool place_in_place(TensorId id);
    void become_view(TensorId id, TensorId base);
    /// The tensor that events name as holding this tensor's memory: in this generation the memory is freed
    /// through the tensor it was allocated for, whichever took it over since.
    TensorId holder_of(TensorId id) const;
    void release(TensorId id);
    void note(AllocationEventKind kind, TensorId tensor, std::size_t slot, std::uint64_t offset,
              TensorId from = {});

    const AllocationPolicy& policy_;
    std::span<TensorSlot> slots_;
    const AllocationRequest& request_;
    const GraphView& graph_;
    StopCheck stop_check_;
    std::vector<Live> live_;
    std::size_t current_node_ = kBeforeNodes;
    std::vector<AllocationEvent> events_;
};

}  // namespace splitscope
