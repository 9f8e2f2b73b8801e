// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/interface/machine.hpp"
#include "engine/memory/allocation_plan.hpp"
#include "engine/support/generation.hpp"
#include "engine/tensor/graph.hpp"

namespace splitscope::golden {

/// One folder of golden/sched or golden/captures.
struct ScheduleCase {
    explicit ScheduleCase(const std::filesystem::path& folder);

    /// Schedules with the generation and compares with its expected-….json, field by field. Returns the
    /// differences, or an empty text. A recorded error requires an error.
    std::string difference(Generation generation) const;
    /// Same, for a decision made elsewhere, as write_schedule_json gives it; none = it failed.
    std::string difference(Generation generation, const std::optional<std::string>& decided) const;
    bool has(Generation generation) const;
    /// The allocation of its graph as the generation schedules it.
    std::shared_ptr<const AllocationPlan> plan(Generation generation) const;

    std::filesystem::path folder;
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Machine> machine;
};

/// The case folders of a kind, sorted by name.
std::vector<std::filesystem::path> case_folders(const std::filesystem::path& root);

}  // namespace splitscope::golden
