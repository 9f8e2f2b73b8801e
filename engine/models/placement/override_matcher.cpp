// SPDX-License-Identifier: MIT
#include "engine/models/placement/override_matcher.hpp"

#include <algorithm>

#include "backends/interface/messages.hpp"
#include "engine/models/placement/messages.hpp"
#include "engine/models/placement/place_model.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/name_pattern.hpp"
#include "engine/tensor/tensor.hpp"

namespace splitscope {

struct OverrideMatcher::Rule {
    NamePattern pattern;
    Match target{};
    RuleUse use{};
};

OverrideMatcher::OverrideMatcher(const Machine& machine, const std::vector<OverrideRule>& rules) {
    PatternBudget budget;
    for (const OverrideRule& rule : rules) {
        Rule ready{override_pattern(rule)};
        budget.add(ready.pattern);
        ready.use.rule = rule;
        ready.target.rule = static_cast<std::int32_t>(rules_.size());
        std::string known;
        bool found = false;
        for (std::size_t b = 0; b < machine.backends.size() && !found; ++b) {
            const BufferTypeId type = machine.backends[b].buffer_type;
            const std::string& name = machine.buffer_types[type.index()].name;
            known += (known.empty() ? "" : ", ") + name;
            if (name != rule.target) continue;
            found = true;
            ready.target.type = type;
            ready.target.owner = BackendId(b);
            ready.target.cpu = type == machine.backends.back().buffer_type;
        }
        if (!found) {
            throw Error(ErrorKind::usage, msg::kNoBufferType(rule.target), rule.origin,
                        msg::kUseOneOf(known));
        }
        rules_.push_back(std::move(ready));
    }
}

OverrideMatcher::~OverrideMatcher() = default;

OverrideMatcher::Match OverrideMatcher::match(const std::string& tensor) {
    if (steps_ > kMaxOverrideSteps) {
        throw Error(ErrorKind::limit, msg::kOverridesTooSlow, "--override-tensor", msg::kUseSimplerPatterns);
    }
    Match first;
    // ggml truncates longer names, so they cannot match.
    const std::string name = cut_name(tensor);
    for (Rule& rule : rules_) {
        if (!rule.pattern.matches(name, steps_)) continue;
        if (first.rule < 0) {
            first = rule.target;
            ++rule.use.decided;
        } else {
            ++rule.use.shadowed;
            if (rule.use.shadowed_by < 0) rule.use.shadowed_by = first.rule;
        }
    }
    return first;
}

std::vector<RuleUse> OverrideMatcher::uses() const {
    std::vector<RuleUse> uses;
    for (const Rule& rule : rules_) uses.push_back(rule.use);
    return uses;
}

}  // namespace splitscope
