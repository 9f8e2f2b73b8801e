// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backends/interface/machine.hpp"
#include "engine/models/placement/placement_flags.hpp"

namespace splitscope {

struct RuleUse;

/// Finds the first override that matches a tensor and counts the effect of each rule.
class OverrideMatcher {
 public:
    struct Match {
        std::int32_t rule = -1;
        bool cpu = false;  ///< the target is the CPU, whose candidate list is then searched
        BufferTypeId type;
        BackendId owner;
    };

    /// Throws Error(usage) for an invalid or too large expression, or a target that is not a default buffer
    /// type of the machine.
    OverrideMatcher(const Machine& machine, const std::vector<OverrideRule>& rules);
    ~OverrideMatcher();
    OverrideMatcher(const OverrideMatcher&) = delete;
    OverrideMatcher& operator=(const OverrideMatcher&) = delete;

    /// Throws Error(limit) if matching exceeds its total budget.
    Match match(const std::string& tensor);
    std::vector<RuleUse> uses() const;

 private:
    struct Rule;
    std::vector<Rule> rules_;
    std::uint64_t steps_ = 0;
};

}  // namespace splitscope
