// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backends/interface/backend.hpp"
#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// Copies only the experts that a split uses (scheduler.md §7.2, generation 2026-08). The set of used experts
/// is cached within a run as long as weights share the same ids tensor.
class ExpertCopier {
 public:
    /// `nodes` in execution order.
    ExpertCopier(const Schedule& schedule, const BoundGraph& graph, std::span<const TensorId> nodes,
                 std::span<Backend* const> backends)
        : schedule_(schedule), graph_(graph), nodes_(nodes), backends_(backends) {}

    /// Copies the used experts of the split's input at `input` into `copy` and returns the bytes copied;
    /// empty if the rule does not apply to this input. Errors: range (expert id out of range).
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
