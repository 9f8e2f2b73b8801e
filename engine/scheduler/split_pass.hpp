// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/scheduler/scheduling_context.hpp"

namespace splitscope {

inline constexpr std::size_t kMaxPipelineCopies = 4;

/// State of a scheduler's split slots between graphs (scheduler.md §4.1, §4.4).
struct SplitSlots {
    BackendId first_backend;              ///< of split 0 of the previous graph
    bool used = false;                    ///< false: the generation's initial value applies
    std::vector<std::size_t> capacities;  ///< inputs each slot has room for, where it grows; 0 = none yet
};

/// Existing copies by (tensor, backend, number). Tensors have few copies, so each has a short chain.
class CopyTable {
 public:
    using Copies = std::array<TensorId, kMaxPipelineCopies>;

    explicit CopyTable(std::size_t tensors) : head_(tensors, -1) {}
    /// Null if there is none.
    const Copies* find(TensorId tensor, BackendId backend) const {
        for (std::int32_t at = head_[tensor.index()]; at >= 0;
             at = entries_[static_cast<std::size_t>(at)].next) {
            const Entry& entry = entries_[static_cast<std::size_t>(at)];
            if (entry.backend == backend) return &entry.copies;
        }
        return nullptr;
    }
    void add(TensorId tensor, BackendId backend, const Copies& copies) {
        entries_.push_back({backend, copies, head_[tensor.index()]});
        head_[tensor.index()] = static_cast<std::int32_t>(entries_.size() - 1);
    }

 private:
    struct Entry {
        BackendId backend;
        Copies copies;
        std::int32_t next;
    };
    std::vector<std::int32_t> head_;
    std::vector<Entry> entries_;
};

/// Pass 5: splits the graph and creates copies (scheduler.md §4, §10). Fills splits, added tensors, rewired
/// sources and graph inputs of the schedule.
void run_split_pass(SchedulingContext& context, SplitSlots& slots, CopyTable& copies);

/// Builds the graph for the allocator (scheduler.md §5, §10).
void build_schedule_graph(SchedulingContext& context, const CopyTable& copies);

}  // namespace splitscope
