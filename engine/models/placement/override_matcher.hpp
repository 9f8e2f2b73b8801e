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

/// Finds the first override that matches a tensor, and counts what each rule does.
class OverrideMatcher {
 public:
    struct Match {
        std::int32_t rule = -1;
        bool cpu = false;  ///< the target is the CPU, whose list of candidates is then searched
        BufferTypeId type;
        BackendId owner;
    };

    /// Throws Error(usage) for a bad expression, more of them than fit, or a target that is no default buffer
    /// type of the machine.
    OverrideMatcher(const Machine& machine, const std::vector<OverrideRule>& rules);
    ~OverrideMatcher();
    OverrideMatcher(const OverrideMatcher&) = delete;
    OverrideMatcher& operator=(const OverrideMatcher&) = delete;

    /// Throws Error(limit) when all names together take too long.
    Match match(const std::string& tensor);
    std::vector<RuleUse> uses() const;

 private:
    struct Rule;
    std::vector<Rule> rules_;
    std::uint64_t steps_ = 0;
};

}  // namespace splitscope
