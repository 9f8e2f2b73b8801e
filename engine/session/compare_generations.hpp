// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/scheduler/compare.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// The same graph on the same machine, scheduled by two generations.
struct ComparedGenerations {
    std::shared_ptr<const Analysis> a;
    std::shared_ptr<const Analysis> b;
    ScheduleComparison comparison;
};

/// Analyses the session with both generations. A model's graph has the form of the older one, because the
/// newer one can schedule that graph too. Throws as analyse().
ComparedGenerations compare_generations(const Session& session, Generation a, Generation b,
                                        const JobContext& job = {});

}  // namespace splitscope
