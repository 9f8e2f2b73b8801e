// SPDX-License-Identifier: MIT
#pragma once

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

    /// Throws Error(usage) for a bad expression or a target that is no default buffer type of the machine.
    OverrideMatcher(const Machine& machine, const std::vector<OverrideRule>& rules);
    ~OverrideMatcher();
    OverrideMatcher(const OverrideMatcher&) = delete;
    OverrideMatcher& operator=(const OverrideMatcher&) = delete;

    Match match(const std::string& tensor);
    std::vector<RuleUse> uses() const;

 private:
    struct Rule;
    std::vector<Rule> rules_;
};

}  // namespace splitscope
