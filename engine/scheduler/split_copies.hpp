// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/scheduler/scheduling_context.hpp"

namespace splitscope {

inline constexpr std::size_t kMaxPipelineCopies = 4;

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

/// Adds a tensor to the schedule: a copy of `source` on a backend, for one pipeline copy.
TensorId add_copy(SchedulingContext& context, TensorId source, BackendId backend, int number);

/// As add_copy(), for all pipeline copies.
CopyTable::Copies add_copies(SchedulingContext& context, TensorId source, BackendId backend);

/// Makes a source of a node read a copy of the original.
void rewire(Schedule& schedule, TensorId node, std::uint8_t slot, TensorId original, TensorId copy);

}  // namespace splitscope
