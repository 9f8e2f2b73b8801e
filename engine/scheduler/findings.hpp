// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/memory/allocation_plan.hpp"
#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// Known hazards of the real schedulers: decided as they decide, and pointed out.
enum class FindingKind : std::uint8_t {
    /// A copy was placed on the memory of the tensor it is made from. Happens where a node reused a source in
    /// place in another backend's buffer, so that its memory is free in the buffer the copy goes to.
    copy_overlaps_original,
    /// A split's input views a tensor that the split itself computes, so the copy is made before there is
    /// anything to copy. Happens where a view is assigned to another backend than what it views.
    copied_before_computed,
};

struct Finding {
    FindingKind kind = FindingKind::copy_overlaps_original;
    SplitId split;    ///< whose input it is
    TensorId tensor;  ///< the original
    TensorId copy;
    friend bool operator==(const Finding&, const Finding&) = default;
};

/// In the order of splits and inputs. Nothing for schedules and plans that ended with an error.
std::vector<Finding> find_hazards(const Schedule& schedule, const AllocationPlan& plan);

/// One or two sentences for people.
Message describe(const Finding& finding, const Schedule& schedule);

}  // namespace splitscope
