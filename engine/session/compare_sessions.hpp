// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/scheduler/compare.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// For each tensor of `a`, the corresponding tensor of `b`, or none. Tensors are matched by identity; if the
/// number of occurrences differs, those of equal shape take precedence. The rest is matched by structure:
/// nodes with the same operation and matching sources in the same slots, in execution order; views only with
/// equal shape. O(n log n). Throws Cancelled.
std::vector<TensorId> match_tensors(const TensorIdentities& a, const TensorIdentities& b,
                                    const JobContext& job = {});

/// A pair of tensors with different decisions in two sessions. Backends are matched by name.
struct PairDifference {
    TensorId a;
    TensorId b;
    Pass pass = Pass::p1;  ///< first pass in which their decisions differ
    std::optional<std::size_t> decision_a;
    std::optional<std::size_t> decision_b;
    bool elsewhere = false;  ///< the final backends differ
};

struct SessionComparison {
    std::vector<PairDifference> pairs;  ///< in the order of `a`
    std::vector<TensorId> only_a;       ///< nodes without a counterpart
    std::vector<TensorId> only_b;
    std::size_t matched = 0;  ///< nodes
    std::size_t elsewhere = 0;
    /// See ScheduleComparison.
    bool gave_up_a = false;
    bool gave_up_b = false;
    std::size_t not_reached = 0;

    bool same() const { return pairs.empty() && only_a.empty() && only_b.empty() && gave_up_a == gave_up_b; }
};

/// Compares the analyses of two arbitrary sessions. O(graphs + decisions). Throws Cancelled.
SessionComparison compare_sessions(const Analysis& a, const Analysis& b, const JobContext& job = {});

}  // namespace splitscope
