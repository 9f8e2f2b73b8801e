// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backends/interface/backend.hpp"
#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// Copying only the experts a split will use (scheduler.md §7.2, generation 2026-08). Remembers the used
/// experts from one weight to the next within a run, as long as they come from the same ids tensor.
class ExpertCopier {
 public:
    /// `nodes` in the order in which they are computed.
    ExpertCopier(const Schedule& schedule, const BoundGraph& graph, std::span<const TensorId> nodes,
                 std::span<Backend* const> backends)
        : schedule_(schedule), graph_(graph), nodes_(nodes), backends_(backends) {}

    /// Copies the used experts of the split's input at `input` into `copy` and returns the bytes moved;
    /// nothing when the rule does not apply to this input. Errors: range, when an expert id is out of range.
    std::optional<std::uint64_t> copy_used_experts(const Split& split, std::size_t input, TensorId copy);

 private:
    bool applies(const Split& split, TensorId original, TensorId copy) const;
    void read_used_experts(const Split& split, std::size_t input, TensorId ids, std::int64_t experts);

    const Schedule& schedule_;
    const BoundGraph& graph_;
    std::span<const TensorId> nodes_;
    std::span<Backend* const> backends_;
    TensorId last_ids_;
    std::vector<bool> used_;
};

}  // namespace splitscope
