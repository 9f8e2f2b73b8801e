// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/scheduler/compare.hpp"
#include "engine/session/compare_backends.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// What `compare --json` prints of two generations, with these differences.
std::string write_comparison_json(const Analysis& a, const Analysis& b, const ScheduleComparison& comparison,
                                  const std::vector<TensorDifference>& listed);
/// What `compare --json` prints of two backends.
std::string write_comparison_json(const BackendComparison& comparison);

/// A device in two builds.
struct ComparedBuilds {
    std::string device;
    BackendComparison comparison;
};
/// A device that only one of two builds has.
struct MissingDevice {
    std::string name;
    std::string build;       ///< that has it
    bool is_tested = false;  ///< whether that is the tested one
};
/// Whether the tested build has every device of the reference, which supports the same nodes with the same
/// results.
bool same(const std::vector<ComparedBuilds>& all, const std::vector<MissingDevice>& missing);
/// What `compare --json` prints of two builds of a backend's libraries.
std::string write_comparison_json(const std::vector<ComparedBuilds>& all,
                                  const std::vector<MissingDevice>& missing);

}  // namespace splitscope
