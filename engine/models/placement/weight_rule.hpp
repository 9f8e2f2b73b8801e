// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "engine/messages/message.hpp"
#include "engine/models/placement/place_model.hpp"

namespace splitscope {

/// The override that placed a weight, as `PlacedWeight::rule` records it.
struct WeightRule {
    Message cause;  ///< as a phrase, with the switch that the rule comes from
    Message
        remedy;  ///< what would place the weight elsewhere, in sentences; empty if the rule alone does not
};

/// None if no rule placed this tensor of the file.
std::optional<WeightRule> rule_of_weight(const ModelLayout& layout, std::size_t file_tensor);

/// Whether --cpu-moe or --n-cpu-moe made the rule.
bool keeps_experts(const OverrideRule& rule);
/// N of --n-cpu-moe.
std::size_t cpu_expert_blocks(const ModelLayout& layout);
/// Whether the model has experts.
bool has_experts(const ModelLayout& layout);
/// Whether a backend's memory holds experts that --n-cpu-moe can move to the CPU.
bool holds_experts(const ModelLayout& layout, BackendId backend);

}  // namespace splitscope
