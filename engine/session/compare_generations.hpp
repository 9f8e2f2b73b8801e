// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/scheduler/compare.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// The same graph on the same machine, decided by two generations.
struct ComparedGenerations {
    std::shared_ptr<const Analysis> a;
    std::shared_ptr<const Analysis> b;
    ScheduleComparison comparison;
};

/// Analyses the session under both generations. A model's graph is written as the older of the two writes it,
/// since the newer one also decides that graph. Throws as analyse() does.
ComparedGenerations compare_generations(const Session& session, Generation a, Generation b,
                                        const JobContext& job = {});

}  // namespace splitscope
