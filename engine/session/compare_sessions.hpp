// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "engine/scheduler/compare.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// For each tensor of `a` the one of `b` that stands for it, none where there is none: the one of the same
/// identity. Where one graph has more tensors of a name and operation than the other, those of the same shape
/// go first. What remains is matched by structure: a node with the same operation whose sources are matched
/// in the same slots, in execution order; views only of the same shape. O(n log n) in both graphs. Throws
/// Cancelled when the job is to stop.
std::vector<TensorId> match_tensors(const TensorIdentities& a, const TensorIdentities& b,
                                    const JobContext& job = {});

/// A pair of tensors that two sessions decided on differently. Backends are the same when their names are.
struct PairDifference {
    TensorId a;
    TensorId b;
    Pass pass = Pass::p1;  ///< first pass in which their decisions differ
    std::optional<std::size_t> decision_a;
    std::optional<std::size_t> decision_b;
    bool elsewhere = false;  ///< they end up on different backends
};

struct SessionComparison {
    std::vector<PairDifference> pairs;  ///< in the order of `a`
    std::vector<TensorId> only_a;       ///< nodes without a counterpart
    std::vector<TensorId> only_b;
    std::size_t matched = 0;  ///< nodes
    std::size_t elsewhere = 0;
    /// As in ScheduleComparison.
    bool gave_up_a = false;
    bool gave_up_b = false;
    std::size_t not_reached = 0;

    bool same() const { return pairs.empty() && only_a.empty() && only_b.empty() && gave_up_a == gave_up_b; }
};

/// Compares two analyses of any two sessions. Linear in graphs and decisions. Throws Cancelled when the job
/// is to stop.
SessionComparison compare_sessions(const Analysis& a, const Analysis& b, const JobContext& job = {});

}  // namespace splitscope
