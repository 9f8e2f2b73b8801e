// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/memory/allocation_plan.hpp"
#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// Known hazards of ggml's schedulers. Splitscope reproduces the decisions and reports the hazard.
enum class HazardKind : std::uint8_t {
    /// A copy was allocated over its original. Occurs if a node reused a source in place in another backend's
    /// buffer, so that the source's memory counts as free in the buffer of the copy.
    copy_overlaps_original,
    /// A split input is a view of a tensor that the same split computes, so it is copied before it has a
    /// value. Occurs if a view is assigned to another backend than its base.
    copied_before_computed,
};

struct Hazard {
    HazardKind kind = HazardKind::copy_overlaps_original;
    SplitId split;    ///< whose input it is
    TensorId tensor;  ///< the original
    TensorId copy;
    friend bool operator==(const Hazard&, const Hazard&) = default;
};

/// In order of splits and inputs. Empty for schedules and plans with an error.
std::vector<Hazard> find_hazards(const Schedule& schedule, const AllocationPlan& plan);

/// One or two sentences for the user.
Message describe(const Hazard& hazard, const Schedule& schedule);

}  // namespace splitscope
