// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "backends/interface/machine.hpp"
#include "engine/support/generation.hpp"
#include "engine/tensor/graph.hpp"

namespace splitscope::golden {

/// One folder of golden/sched or golden/captures.
struct ScheduleCase {
    explicit ScheduleCase(const std::filesystem::path& folder);

    /// Schedules with the generation and compares with its expected-….json, field by field. Returns what
    /// differs, or an empty text. A recorded error asks for an error of ours.
    std::string difference(Generation generation) const;
    bool has(Generation generation) const;

    std::filesystem::path folder;
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Machine> machine;
};

}  // namespace splitscope::golden
